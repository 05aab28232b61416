#pragma once
// Notices that nobody was there: the machine slept, the daemon was stopped, the clock was set. Such time counts neither as
// idle nor as dead (X10). Beaten at least every kBeat by the daemon, and before each turn, so that no rule acts on a time that
// did not pass.

#include <optional>

#include "core/input.h"

namespace pawl::core {

inline constexpr Duration kBeat = std::chrono::seconds{10};
inline constexpr Duration kJump = std::chrono::seconds{2};  // of the wall against the other clock
inline constexpr Duration kLate = std::chrono::seconds{5};  // after a beat that was due

class Heart {
 public:
  explicit Heart(const Clock& now) : last_(now) {}

  // What has to be told to the engine before anything else.
  std::optional<Slept> beat(const Clock& now) {
    const Duration passed = now.mono - last_.mono;
    const Duration jump = (now.wall - last_.wall) - passed;
    const Duration late = passed - kBeat;
    const bool jumped = jump > kJump || jump < -kJump;
    if (passed >= kBeat || jumped) last_ = now;
    if (!jumped && late <= kLate) return std::nullopt;
    if (!jumped) return Slept{late, "the daemon did not run"};
    return Slept{jump + (late > kLate ? late : Duration{0}),
                 "the machine slept, or its clock was set"};
  }

 private:
  Clock last_;
};

}  // namespace pawl::core
