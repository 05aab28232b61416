#pragma once
// Parts of the Gemini CLI model that its two sources share. Included by gemini*.cpp only; everybody else uses model.h.

#include "sim/world/agents/layout.h"
#include "sim/world/agents/scene.h"

namespace pawl::sim {

Asked gemini_ask(Ask ask, const About& about, const Scene& scene);
Rows gemini_dialog_rows(const Asked& asked, int columns);
Rows gemini_picker_rows(int columns);

}  // namespace pawl::sim
