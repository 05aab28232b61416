#pragma once
// What somebody at an attached terminal does when the daemon has gone: the agent runs on, and the next daemon is a matter of a moment.
// One that was killed is started again, as by any command, unless somebody else does it first (a service). One that said that it
// ends was ended on purpose: it is replaced by whoever ended it, or by nobody. Pure.

#include <deque>
#include <string>

#include "base/clock.h"

namespace pawl::cli {

inline constexpr Duration kLeftToOthers = std::chrono::milliseconds{700};  // before we start one
inline constexpr Duration kNextDaemon = std::chrono::seconds{30};  // for one that was replaced
inline constexpr size_t kDaemonsLost = 5;  // within kLostWithin: it gives up
inline constexpr Duration kLostWithin = std::chrono::seconds{60};

class NextDaemon {
 public:
  // `announced`: it said that it ends.
  void lost(MonoTime now, bool announced);
  enum class Do { wait, start, give_up };
  Do what(MonoTime now) const;
  // For the person, while they wait and when it is given up.
  std::string waiting() const;
  std::string given_up() const;

 private:
  std::deque<MonoTime> losses_;
  bool announced_ = false;
};

}  // namespace pawl::cli
