#pragma once
// Every agent is always somebody's (X15): an action is under way, a deadline is ahead, or a person was told and has not answered yet.
// Each rule sees to its own matter; this sees that nobody falls between them, and tells of whoever did. Called by the engine with
// everything that is written, and when one is due.
//
// Time here is the daemon's own: neither a suspend nor a life without a daemon makes anybody late.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/agenda.h"
#include "core/parts/ground.h"

namespace pawl::core {

inline constexpr Duration kStateBound = std::chrono::minutes{45};  // that is neither work nor rest
inline constexpr Duration kTextBound = std::chrono::minutes{75};   // a text that waits
inline constexpr Duration kRestBound = std::chrono::minutes{210};  // of one that is to go on
inline constexpr Duration kTurnBound = std::chrono::minutes{270};  // without a pause
inline constexpr Duration kLookAgain = std::chrono::minutes{15};   // something else is ahead

class Attention {
 public:
  void written(const Clock& now, const model::Fleet& fleet,
               const std::vector<model::Event>& events);
  // Whoever is nobody's is told of.
  void turn(const Clock& now, const model::Fleet& fleet, Inputs& out);
  std::optional<MonoTime> wake_at() const { return agenda_.first(); }

 private:
  struct Watch {
    MonoTime state{}, acted{},
        told{};  // when it came into its state, something was done, a person was told
    std::optional<MonoTime> text = {};  // the oldest one in its outbox came
    std::string input = {};             // what its keyboard reaches, where that is not the prompt
  };
  void plan(const std::string& name, const model::Agent* agent);
  void plan_at(const std::string& name, std::optional<MonoTime> at);

  std::map<std::string, Watch> watches_;
  Agenda<std::string, MonoTime> agenda_;
};

}  // namespace pawl::core
