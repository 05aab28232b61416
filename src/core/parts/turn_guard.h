#pragma once
// No turn without an end (X15): sees when one agent keeps a turn busy, and when somebody has the daemon woken again and again for
// nothing. What follows is for the engine: the agent is quarantined, and the daemon sleeps a moment all the same.

#include <map>
#include <optional>
#include <string>

#include "base/clock.h"

namespace pawl::core {

inline constexpr int kMostInputs = 10000;  // of one agent in one turn: an inbox has a tenth of it
inline constexpr int kMostWakes = 100;     // in a row, to no end
inline constexpr Duration kWakeAgain = std::chrono::seconds{1};

class TurnGuard {
 public:
  enum class Word { fine, stop, stopped };

  // A turn begins. `idle`: nothing came and nothing waits.
  void turn(MonoTime now, bool idle) {
    counts_.clear();
    idle_ = idle;
    now_ = now;
  }
  // An input of this agent is to be decided. `stop` once in a turn: it was too many.
  Word count(const std::string& agent) {
    if (agent.empty()) return Word::fine;
    const int times = ++counts_[agent];
    if (times <= kMostInputs) return Word::fine;
    return times == kMostInputs + 1 ? Word::stop : Word::stopped;
  }
  // The turn is over, and somebody wants to be woken then. True, once: that has happened too often.
  bool over(std::optional<MonoTime> wake) {
    if (!idle_ || !wake || *wake > now_)
      wakes_ = 0;
    else
      ++wakes_;
    return wakes_ == kMostWakes;
  }
  // When to be woken in place of that.
  std::optional<MonoTime> held(std::optional<MonoTime> wake) const {
    if (!wake || wakes_ < kMostWakes) return wake;
    return std::max(*wake, now_ + kWakeAgain);
  }

 private:
  std::map<std::string, int> counts_;
  bool idle_ = false;
  MonoTime now_{};
  int wakes_ = 0;
};

}  // namespace pawl::core
