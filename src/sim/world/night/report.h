#pragma once
// What a night came to: what was violated, and what the agents did with their time.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/clock.h"
#include "model/state.h"
#include "sim/world/invariants/checker.h"
#include "sim/world/night/coverage.h"

namespace pawl::sim {

inline constexpr size_t kStates = static_cast<size_t>(model::State::unknown) + 1;

struct NightReport {
  std::vector<Violation> violations;
  uint64_t decisions = 0, events = 0, turns = 0, digest = 0;
  std::map<std::string, uint64_t> did;     // by the rules' actions
  std::map<std::string, uint64_t> doings;  // people's, senders' and faults', by their word
  std::array<double, kStates> hours{};     // of all agents, by state
  uint64_t texts = 0, taken = 0;           // sent through Pawl, and taken by a model
  uint64_t told = 0;                       // messages to people
  Reaches marks{};                         // of rare meetings, by Mark
  std::map<std::string, uint64_t> tasks;   // by what became of them
};

// Counts the time of each agent in each state.
class StateClock {
 public:
  void changed(const std::string& agent, model::State to, MonoTime at) {
    Place& its = places_[agent];
    if (its.known) add(its, at);
    its = {to, at, true};
  }
  std::array<double, kStates> hours(MonoTime end) {
    for (auto& [agent, its] : places_) add(its, end), its.since = end;
    return hours_;
  }

 private:
  struct Place {
    model::State state = model::State::unknown;
    MonoTime since{};
    bool known = false;
  };
  void add(const Place& its, MonoTime at) {
    hours_[static_cast<size_t>(its.state)] +=
        std::chrono::duration<double, std::ratio<3600>>(at - its.since).count();
  }
  std::map<std::string, Place> places_;
  std::array<double, kStates> hours_{};
};

}  // namespace pawl::sim
