#pragma once
// Notices that nobody was there: the machine slept, or the daemon was stopped. Such time counts neither as idle nor as dead (X10).
// And notices that the clock was set: then no time passed at all. Beaten before each turn, at least every kBeat, so that no rule
// acts on a time that did not pass.

#include <optional>
#include <string>

#include "core/input.h"

namespace pawl::core {

inline constexpr Duration kBeat = std::chrono::seconds{10};
inline constexpr Duration kJump = std::chrono::seconds{2};  // of one clock against another

class Heart {
 public:
  // `boot`: time since the machine was started, suspends included; `stopped`: how long of it the daemon was.
  Heart(const Clock& now, Duration boot, Duration stopped)
      : last_(now), boot_(boot), stopped_(stopped) {}

  // What has to be told to the engine before anything else. Clock::mono stands still while the machine sleeps and while the
  // daemon is stopped; the wall's does not, and it can be set; `boot` does all of it but cannot be set.
  std::optional<Slept> beat(const Clock& now, Duration boot, Duration stopped) {
    const Duration passed = now.mono - last_.mono, wall = now.wall - last_.wall;
    const Duration length = wall - passed;
    Duration set = wall - (boot - boot_);
    if (!large(set)) set = Duration{0};
    const bool was_stopped = large(stopped - stopped_);
    const bool tell = large(length) || set != Duration{0};
    if (passed >= kBeat || tell) {
      last_ = now;
      boot_ = boot;
      stopped_ = stopped;
    }
    if (!tell) return std::nullopt;
    return Slept{length, because(length - set, set, was_stopped), set};
  }

 private:
  static bool large(Duration time) { return time > kJump || time < -kJump; }
  static std::string because(Duration away, Duration set, bool was_stopped) {
    std::string out;
    if (large(away)) out = was_stopped ? "the daemon did not run" : "the machine slept";
    if (set != Duration{0}) out += (out.empty() ? "" : "; ") + std::string("the clock was set");
    return out;
  }

  Clock last_;
  Duration boot_, stopped_;
};

}  // namespace pawl::core
