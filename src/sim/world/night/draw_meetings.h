#pragma once
// Meetings that chance alone brings about too rarely: a fault within a moment of a decision, an answer that is kept and used. Drawn
// from streams of their own, so that the rest of a night is the same with and without them. The marks (coverage.h) say whether they
// are reached.

#include "sim/world/night/draw.h"

namespace pawl::sim {

// Before `wild` is over.
void draw_meetings(NightStory& story, const NightOrder& order, Duration wild);

}  // namespace pawl::sim
