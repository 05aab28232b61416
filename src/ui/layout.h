#pragma once
// Where everything stands on a terminal of a size. Pure; used by draw.h and by clicks.

#include "base/units.h"
#include "ui/canvas.h"

namespace pawl::ui {

inline constexpr int kLeastCols = 40, kLeastRows = 10;  // below them: a message
inline constexpr int kBesideCols = 100;  // from there on the picture is beside the list

struct Layout {
  bool fits = false;
  bool beside = false;
  Area head, list, rule, agent, foot;  // the rule stands between list and agent
};
Layout layout_of(Size size);

}  // namespace pawl::ui
