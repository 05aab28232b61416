#pragma once
// When the conversation of an agent is looked at for what it has used: now and then while it works, and when a turn or its
// program ends. An agent at rest has no timer.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/agenda.h"
#include "model/fleet.h"

namespace pawl::core {

inline constexpr Duration kUsageLookEvery = std::chrono::seconds{60};
inline constexpr Duration kUsageLookAgain =
    std::chrono::seconds{3};  // after a turn: its last line may be written late
inline constexpr Duration kUsageLookOn =
    std::chrono::milliseconds{250};  // there was more than is read at a time

class UsageLooks {
 public:
  void soon(MonoTime now, const model::Agent& agent);
  void changed(MonoTime now, const model::Agent& agent, const model::StateChanged& change);
  std::vector<std::string> due(MonoTime now) const { return looks_.due(now); }
  // `agent` is null when it is gone; `more`: it was not read to its end.
  void looked(MonoTime now, const std::string& name, const model::Agent* agent, bool more);
  std::optional<MonoTime> wake_at() const { return looks_.first(); }
  bool planned(const std::string& name) const { return looks_.contains(name); }

 private:
  Agenda<std::string, MonoTime> looks_;
  std::set<std::string> again_;  // once more, a moment later
};

// Its usage is in a file. A run without an interface tells it in its records.
bool tells_in_file(const model::Agent& agent);

}  // namespace pawl::core
