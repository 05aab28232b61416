#pragma once
// When an agent says that it may go on: "resets 3am (Europe/Berlin)", "try again in 3 hours 20 minutes".
// find_reset_time reads it from the screen, resolve makes an instant of it. Used by whoever reads a usage limit off a screen.
// Says when, never whether: that there is a limit at all is for the patterns of each program to say.
// Never reads a clock or a file: the time and the zone are arguments, and os::load_zone(zone) finds the latter.

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/zone.h"

namespace pawl {

// As written: nothing is filled in. Always sensible in itself: no February 30, no 25 o'clock.
struct ResetTime {
  std::optional<int> year, month, day;  // month and day always together
  std::optional<int> weekday;           // 0 = Sunday
  bool tomorrow = false;
  int hour = 0;
  int minute = 0;
  int second = 0;
  std::optional<Duration> in;  // relative: from now on, and nothing else counts
  std::string zone;  // "UTC", "Europe/Berlin", "PST", "GMT+1"; "" is the program's local zone

  bool operator==(const ResetTime&) const = default;
};

// Of a longer text only the end is looked at: the newest lines of a screen are below.
inline constexpr size_t kResetTextLimit = 16u << 10;
// A wait longer than this is nonsense.
inline constexpr Duration kLongestReset = std::chrono::hours{24 * 366};

// The first one in the text: a line, or several joined with blanks or newlines, frames around them included.
// A time counts only after words such as "resets", "try again at", "until": "we met at 3pm" is no reset time.
std::optional<ResetTime> find_reset_time(std::string_view text);

// The instant meant, for a text seen at `now`. `zone` is that of the text, or the local zone of the program.
//   a time of day more than kResetGrace ago  the same time tomorrow, in days of that zone
//   a weekday                                the next one; today as long as the time is not past
//   a date without a year                    the first such date that is not more than kDateGrace ago
// What is less long ago, and a full date however old, stays in the past: the wait is over.
// Ask once, when the text appears: an old text would be taken for tomorrow's.
WallTime resolve(const ResetTime& time, WallTime now, const Zone& zone);

inline constexpr Duration kResetGrace = std::chrono::seconds{60};
inline constexpr Duration kDateGrace = std::chrono::hours{24 * 30};

}  // namespace pawl
