#pragma once
// Time is an argument. Nothing below os/ or daemon/ can ask what time it is: these two types have no now().
// The one place that reads the kernel's clocks is os/clock.cpp (tools/tidy checks it).

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace pawl {

using Duration = std::chrono::microseconds;

struct MonoTag {
  using duration = Duration;
};
struct WallTag {
  using duration = Duration;
};
struct BootTag {
  using duration = Duration;
};

// Never goes back and stands still while the machine is suspended: every timer uses this one.
using MonoTime = std::chrono::time_point<MonoTag, Duration>;
// Time since the epoch (UTC): for people and for files only, never for deciding how long something took.
using WallTime = std::chrono::time_point<WallTag, Duration>;
// Since the machine was started; goes on while it is suspended and while we are stopped. For what has to be over by then, whoever slept
// meanwhile: the leases of the fleet.
using BootTime = std::chrono::time_point<BootTag, Duration>;

struct Clock {
  MonoTime mono;
  WallTime wall;
  BootTime boot = {};
  bool operator==(const Clock&) const = default;
};

// The one that comes first, of those that are there.
inline std::optional<MonoTime> earlier(std::optional<MonoTime> a, std::optional<MonoTime> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

// "2026-11-15T02:05:31.123Z"
std::string rfc3339(WallTime time);
// The inverse; also accepts whole seconds and a numeric offset ("+02:00"). False when the text is no time.
bool parse_rfc3339(const std::string& text, WallTime& out);
// "12s", "3m04s", "2h05m", "3d04h": two units, for tables.
std::string short_duration(Duration duration);

}  // namespace pawl
