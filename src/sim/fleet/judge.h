#pragma once
// What must be true of a fleet (doc/fleet.md), asked of what really happened: the log of the modelled programs with true times, what the
// server stored, and what members told their daemons. It believes no member about itself.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fleet/member_values.h"
#include "sim/fleet/server.h"

namespace pawl::sim {

struct FleetViolation {
  Duration at{};
  std::string
      judge;  // "once", "claim", "end", "events", "presence", "lost", "accounts", "inbox", "verbs", "blobs"
  std::string what;
};

class FleetJudge {
 public:
  explicit FleetJudge(const ModelServer& server) : server_(server) {}

  void go_to(Duration now) { now_ = now; }
  const std::vector<FleetViolation>& violations() const { return violations_; }
  void wrong(std::string judge, std::string what);

  // ---- Programs ----
  void begins(const std::string& unit, size_t node, const std::string& name,
              const fleet::Claim& claim);
  void ends(const std::string& unit, size_t node);
  void frozen(size_t node);  // nothing on it runs
  void thawed(size_t node);
  // ---- The server ----
  void stored(const fleet::BusEntry& entry, bool forked = false);
  // A unit that it has lost the newest of: it is this now, if anything. What was lost is not blamed on members; a second run is.
  void lost(const std::string& unit, const std::optional<fleet::BusEntry>& now);
  bool excused(const std::string& unit) const { return excused_.contains(unit); }
  void appended(const StreamMessage& message);
  // ---- What members say ----
  void settled(const fleet::UnitSettled& settled);
  void acknowledged(const std::string& unit) { acknowledged_.insert(unit); }
  const std::set<std::string>& acknowledged() const { return acknowledged_; }
  // An item for an agent of that node, which was acknowledged.
  void left(const std::string& node, const std::string& text) { left_[node].insert(text); }
  std::set<std::string> left_for(const std::string& node) const;
  // `reader`: one life of a daemon.
  void event(const std::string& reader, const fleet::RemoteEvent& event);
  uint64_t last_event(const std::string& reader, const std::string& node) const;
  std::optional<Duration> last_renewal(const std::string& node) const;

  size_t starts() const { return starts_; }
  size_t takeovers() const { return takeovers_; }
  size_t superseded() const { return superseded_; }
  size_t accepted() const { return accepted_; }

 private:
  struct Run {
    size_t node = 0;
    uint64_t token = 0;
  };
  struct Past {  // of a unit's entry
    fleet::UnitState state = fleet::UnitState::waiting;
    uint64_t token = 0;
    std::string node;
    std::set<std::pair<std::string, uint64_t>> claims;
    size_t ends = 0;
    std::set<uint64_t> ended_by;
    std::string again;  // who had it begun again
    bool done = false;  // it is completed: nobody begins it again
  };
  void alone(const std::string& unit);

  const ModelServer& server_;
  Duration now_{};
  std::vector<FleetViolation> violations_;
  std::map<std::string, std::vector<Run>> runs_;  // that are under way, of each unit
  std::set<size_t> frozen_;
  std::map<std::string, Past> past_;
  std::map<std::string, std::map<uint64_t, std::string>> created_;  // leases: unit, revision, whose
  std::set<std::string> excused_;  // units that the server forked or lost
  std::set<std::string> acknowledged_, skipped_;
  std::map<std::string, std::set<std::string>> left_;
  std::map<std::string, uint64_t> positions_;    // of events in the stream
  std::map<std::string, uint64_t> first_heard_;  // by reader: the position of its first event
  std::map<std::pair<std::string, std::string>, uint64_t> heard_;
  std::map<std::string, Duration> renewals_;
  size_t starts_ = 0, takeovers_ = 0, superseded_ = 0, accepted_ = 0;
};

}  // namespace pawl::sim
