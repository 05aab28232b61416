#pragma once
// The one place that reads the kernel's clocks.

#include <algorithm>
#include <optional>

#include "base/clock.h"

namespace pawl::os {

Clock read_clock();
// Of the processor, used by this thread so far.
Duration thread_time();

// The daemon says after each turn by when it will read the clock again. When it comes later than that by more than kLate it was
// stopped (SIGSTOP, a debugger, a starved machine): .mono stood still for it meanwhile, as it does while the machine is suspended,
// so that no wait of the daemon ends because nobody was there to see what it waited for.
inline constexpr Duration kLate = std::chrono::seconds{3};
void expect_to_read(MonoTime by);

// What tells a stop, a suspend and a clock that was set apart.
struct Pulse {
  Duration boot{};     // since the machine was started, suspends and stops included
  Duration stopped{};  // how long this process was, in all
  bool operator==(const Pulse&) const = default;
};
Pulse read_pulse();

// The arithmetic of it: no clock is read here.
class LivedTime {
 public:
  void expect(MonoTime by) { by_ = by; }
  MonoTime of(MonoTime kernel) {
    MonoTime now = kernel - stopped_;
    const MonoTime latest = std::max(by_.value_or(now), last_);
    if (by_ && now > latest + kLate) {
      stopped_ += now - latest;
      now = latest;
    }
    return last_ = now;
  }
  Duration stopped() const { return stopped_; }

 private:
  std::optional<MonoTime> by_;
  MonoTime last_{};
  Duration stopped_{};
};

}  // namespace pawl::os
