#include "perceive/screen/reset_time.h"

namespace pawl {
namespace {

// When clocks show the time of day on that date. Shown twice, and once is past: the second time counts.
WallTime on(Civil date, const ResetTime& time, WallTime not_before, const Zone& zone) {
  date.hour = time.hour;
  date.minute = time.minute;
  date.second = time.second;
  const WallTime first = zone.wall(date);
  return first >= not_before ? first : zone.wall_later(date);
}

WallTime dated(const ResetTime& time, WallTime now, const Zone& zone) {
  const int year = zone.civil(now).year;
  if (time.year) return on({*time.year, *time.month, *time.day}, time, now - kResetGrace, zone);
  // From last year, for a date in December seen in January, to the eighth: so far apart leap days can be.
  for (int y = year - 1; y <= year + 8; ++y) {
    if (*time.day > days_in_month(y, *time.month)) continue;
    const WallTime found = on({y, *time.month, *time.day}, time, now - kResetGrace, zone);
    if (found >= now - kDateGrace) return found;
  }
  return now;
}

}  // namespace

WallTime resolve(const ResetTime& time, WallTime now, const Zone& zone) {
  if (time.in) return now + *time.in;
  if (time.month && time.day) return dated(time, now, zone);
  const WallTime not_before = now - kResetGrace;
  Civil date = zone.civil(now);
  int again_after = 1;  // days
  if (time.tomorrow) {
    date.day += 1;
  } else if (time.weekday) {
    const int today = weekday_of_days(civil_days(date.year, date.month, date.day));
    date.day += (*time.weekday - today + 7) % 7;
    again_after = 7;
  }
  const WallTime found = on(date, time, not_before, zone);
  if (found >= not_before) return found;
  date.day += again_after;
  return on(date, time, not_before, zone);
}

}  // namespace pawl
