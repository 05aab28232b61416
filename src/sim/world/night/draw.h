#pragma once
// A night from a seed: who is there, how odd each of them is, what people and senders do, and what goes wrong. Each night has only
// some of all this, each at a rate of its own (swarm testing): a night without limits gets deep into dialogs, and one with nothing
// else deep into limits. In its last third everything calms down, but perhaps for one thing, and what can work must work again.

#include <string>
#include <vector>

#include "sim/world/night/faults.h"
#include "sim/world/night/story.h"

namespace pawl::sim {

struct NightOrder {
  size_t agents = 10;
  double hours = 12;
  uint64_t seed = 1;
  Faults faults = {};
  model::AgentSpec policy = {};  // what every agent has
  bool odd_policies = true;  // some keys have other values, also strange ones; false: as they are
};

NightStory draw(const NightOrder& order);

// What was drawn, a line for each, for people.
std::vector<std::string> drawn(const NightStory& story);

}  // namespace pawl::sim
