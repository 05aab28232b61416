#pragma once
// The shortest night that still goes wrong in the same way: without the agents, doings and oddities that it does not need. Each
// program follows its own seed, so that whoever is left out changes nothing for the others.

#include <functional>

#include "sim/world/invariants/checker.h"
#include "sim/world/night/story.h"

namespace pawl::sim {

struct Shrunk {
  NightStory story;
  Violation violation;
  size_t plays = 0;
};

// What goes wrong when it is played.
using Play = std::function<std::vector<Violation>(const NightStory&)>;
// `most`: nights that may be played for it.
Shrunk shrink(const NightStory& story, const Violation& violation, const Play& play, size_t most);

}  // namespace pawl::sim
