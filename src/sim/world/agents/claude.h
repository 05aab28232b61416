#pragma once
// Parts of the Claude Code model that its two sources share: dialogs, and the screens in which the keyboard reaches no prompt.
// Included by claude*.cpp only; everybody else uses model.h.

#include "sim/world/agents/layout.h"
#include "sim/world/agents/scene.h"

namespace pawl::sim {

Asked claude_ask(Ask ask, const About& about, const Scene& scene);
// Nothing of the conversation is seen beside it.
bool claude_covers(Ask ask);
Rows claude_dialog_rows(const Scene& scene);
int claude_chosen_row(const Asked& asked);  // of these rows
Frame claude_elsewhere(const Scene& scene, const Rows& conversation);

}  // namespace pawl::sim
