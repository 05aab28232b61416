#pragma once
// Plays the story of a fleet: real members (fleet/member.h) between modelled machines, programs, a bus and faults. Two plays of one story
// are the same, on every machine. When it is calm it goes on until everything that can be done is done, or kCalmFor is over: then
// something is stuck, which is a violation as well.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/fleet/judge.h"
#include "sim/fleet/node.h"
#include "sim/fleet/story.h"

namespace pawl::sim {

inline constexpr Duration kCalmFor = std::chrono::minutes{30};

struct FleetReport {
  std::vector<FleetViolation> violations;  // the first one ends the play
  size_t units = 0, starts = 0, takeovers = 0, superseded = 0, accepted = 0, events = 0;
  Duration lasted{};      // simulated
  Duration calm_after{};  // from the calm until everything was done
  uint64_t steps = 0;
  uint64_t digest = 0;
};

class FleetPlay {
 public:
  explicit FleetPlay(const FleetStory& story);
  FleetReport run();

 private:
  void happen(const FleetDoing& doing);
  void fault(const FleetDoing& doing, FleetMachine& node);
  void want(const FleetDoing& doing, FleetMachine& node);
  void publish(const std::string& subject, const std::string& value, const std::string& id);
  void change_leader(const FleetDoing& doing);
  void calm();
  void tick();
  void look_at_presence();
  void look_at_limit();
  std::string missing() const;  // what is not done yet; empty: nothing
  std::string missing_units() const;
  std::string missing_on(const FleetMachine& node) const;
  bool can_run(const std::string& unit, const Json& value) const;
  fleet::UnitOrder order_of(const FleetDoing& doing) const;

  const FleetStory& story_;
  Timeline timeline_;
  Exchange exchange_;
  FleetJudge judge_;
  Chance chance_;
  std::vector<std::unique_ptr<FleetMachine>> nodes_;
  std::vector<uint64_t> published_;  // messages of the work queue that were acknowledged
  std::map<size_t, std::set<std::string>> items_;  // by node: names that its inbox must have
  struct Limit {
    Duration at{}, until{};  // true times
    size_t node = 0;
  };
  std::vector<Limit> limits_;
  bool calm_ = false;
  std::string last_missing_;
};

}  // namespace pawl::sim
