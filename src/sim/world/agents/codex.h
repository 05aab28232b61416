#pragma once
// Parts of the Codex model that its two sources share. Included by codex*.cpp only; everybody else uses model.h.

#include "sim/world/agents/layout.h"
#include "sim/world/agents/scene.h"

namespace pawl::sim {

Asked codex_ask(Ask ask, const About& about, const Scene& scene);
// It is there before a session is: the whole screen, no title.
bool codex_covers(Ask ask);
Rows codex_dialog_rows(const Asked& asked, Size size);
Rows codex_picker_rows();

}  // namespace pawl::sim
