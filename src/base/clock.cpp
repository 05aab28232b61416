#include "base/clock.h"

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>

namespace pawl {
namespace {

using namespace std::chrono;

// Civil date of a day count, and back: std::chrono's calendar does both without a time zone database.
year_month_day civil(sys_days days) {
  return year_month_day{days};
}

bool parse_offset(const std::string& text, minutes& out) {
  if (text == "Z" || text == "z") {
    out = minutes{0};
    return true;
  }
  int hh = 0, mm = 0;
  char sign = 0;
  if (std::sscanf(text.c_str(), "%c%2d:%2d", &sign, &hh, &mm) != 3 || (sign != '+' && sign != '-'))
    return false;
  out = hours{hh} + minutes{mm};
  if (sign == '-') out = -out;
  return true;
}

}  // namespace

std::string rfc3339(WallTime time) {
  const auto since_epoch = floor<milliseconds>(time.time_since_epoch());
  const auto day = floor<days>(since_epoch);
  const auto date = civil(sys_days{day});
  const hh_mm_ss clock{since_epoch - day};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", int(date.year()),
                     unsigned(date.month()), unsigned(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count(), clock.subseconds().count());
}

bool parse_rfc3339(const std::string& text, WallTime& out) {
  int y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0, used = 0;
  if (std::sscanf(text.c_str(), "%4d-%2d-%2d%*1[Tt ]%2d:%2d:%2d%n", &y, &mo, &d, &h, &mi, &s,
                  &used) != 6)
    return false;
  std::string rest = text.substr(static_cast<size_t>(used));
  microseconds fraction{0};
  if (!rest.empty() && rest[0] == '.') {
    char* end = nullptr;
    fraction = microseconds{static_cast<int64_t>(std::strtod(rest.c_str(), &end) * 1e6 + 0.5)};
    rest = end;
  }
  const year_month_day date{year{y}, month{unsigned(mo)}, day{unsigned(d)}};
  minutes offset{0};
  if (!date.ok() || h > 23 || mi > 59 || s > 60 || !parse_offset(rest, offset)) return false;
  const auto time = sys_days{date}.time_since_epoch() + hours{h} + minutes{mi} + seconds{s};
  out = WallTime{duration_cast<Duration>(time) + fraction - offset};
  return true;
}

std::string short_duration(Duration duration) {
  const int64_t s = std::max<int64_t>(0, duration_cast<seconds>(duration).count());
  if (s < 60) return fmt::format("{}s", s);
  if (s < 3600) return fmt::format("{}m{:02}s", s / 60, s % 60);
  if (s < 86400) return fmt::format("{}h{:02}m", s / 3600, s / 60 % 60);
  return fmt::format("{}d{:02}h", s / 86400, s / 3600 % 24);
}

}  // namespace pawl
