#pragma once
// The shortest story of a fleet that still goes wrong in the same way.

#include "sim/fleet/play.h"

namespace pawl::sim {

struct ShortFleetStory {
  FleetStory story;
  FleetViolation violation;
  size_t plays = 0;
};
// `most`: plays for it.
ShortFleetStory shorten(const FleetStory& story, const FleetViolation& violation, size_t most);

}  // namespace pawl::sim
