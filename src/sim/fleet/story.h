#pragma once
// A made-up hour of a fleet: its nodes, how bad their network is, and everything that people and faults do, with times. Drawn from a
// seed, played by FleetPlay (play.h), shortened by shorten.h, written as JSON that a person can read, keep and play again. The last part
// of it is calm: then everything that can be done has to be done.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "base/result.h"

namespace pawl::sim {

enum class FleetDoes : uint8_t {
  // what is wanted
  submits,      // at `node`: a unit `text`, which takes `length`; `number`: how (see FleetWants)
  publishes,    // … from outside, on the queue
  cancels,      // at `node`: the unit `text`
  sends_item,   // from outside, to the inbox of an agent of `node`
  asks,         // `node` asks the node `number` a verb
  limits,       // an agent of `node` hits the limit of its account, for `length`
  resumes,      // at `node`: the unit `text`, if it is over
  leaves_item,  // `node`, for an agent of the node `number`: `text`
  // faults
  partitions,       // `node` from the server, for `length`
  slows,            // what goes to and from `node` takes long, for `length`
  restarts_server,  // it is away for `length`
  stalls_server,    // it is stopped for `length`, and then answers everything
  steps_clock,      // of the server, by `length`
  freezes,          // everything on `node`, for `length`
  sleeps,           // the machine, for `length`
  pauses_daemon,    // alone, for `length`
  kills_daemon,     // it is back after `length`
  kills_bus,        // pawl-bus of `node`
  reboots,          // `node`, which is back after `length`
  removes,          // `node` for ever
  changes_leader,  // of the servers: they lose the last `length` of units, of leases, or of both (`number`)
  calms            // all faults are over
};
inline constexpr size_t kFleetDoes = static_cast<size_t>(FleetDoes::calms) + 1;
std::string_view word(FleetDoes does);

// `number` of a unit: what is special about it.
enum class FleetWants : uint8_t { nothing, label, one_node, account, unfit_somewhere, large };

struct FleetDoing {
  Duration at{};
  FleetDoes does = FleetDoes::submits;
  size_t node = 0;
  std::string text = {};
  Duration length{};
  size_t number = 0;
  bool operator==(const FleetDoing&) const = default;
};

struct FleetNode {
  double rate = 1;      // of its clocks
  Duration wall_off{};  // of its wall clock
  int room = 3;
  bool label = false;  // it has the label "gpu"
  bool operator==(const FleetNode&) const = default;
};

// How bad the network is until it is calm, for each question.
struct FleetNetwork {
  double lost = 0;     // on its way to the server
  double unheard = 0;  // the answer
  double doubled = 0;  // it arrives twice
  double forked =
      0;  // of two that write a key at the same time, the second is acknowledged as well
  Duration most_delay = std::chrono::milliseconds{20};
  bool operator==(const FleetNetwork&) const = default;
};

struct FleetStory {
  uint64_t seed = 0;
  Duration length{};  // until it is calm
  std::vector<FleetNode> nodes;
  FleetNetwork network;
  bool cluster = false;            // of servers: entries come from others than answers
  std::vector<FleetDoing> doings;  // in the order of time
  bool operator==(const FleetStory&) const = default;
};

// `faults`: names with commas between them, "all" or "none".
Result<FleetStory> draw_fleet(uint64_t seed, const std::string& faults);
std::vector<std::string> fleet_drawn(const FleetStory& story);  // for people
Json to_json(const FleetStory& story);
Result<FleetStory> fleet_story_from(const Json& json);

}  // namespace pawl::sim
