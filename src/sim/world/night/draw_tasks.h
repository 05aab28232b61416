#pragma once
// The tasks of a night: which there are, how their runs go, and what people and faults do to them. Some nights have none. They have
// a chance of their own, so that the rest of the night is what it is without them.

#include "sim/world/night/draw.h"

namespace pawl::sim {

// Into the story; people give them until `wild`.
void draw_tasks(const NightOrder& order, Duration wild, NightStory& story);

}  // namespace pawl::sim
