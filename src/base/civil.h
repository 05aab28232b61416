#pragma once
// Calendar arithmetic without time zones: days and seconds since 1970-01-01 for a date, and back.
// For base/zone and for whoever reads dates that people write. The proleptic Gregorian calendar, without leap seconds.
// Never says what time it is anywhere: that takes a Zone.

#include <compare>
#include <cstdint>

namespace pawl {

// What a clock on the wall and a calendar show.
struct Civil {
  int year = 1970;
  int month = 1;  // 1..12
  int day = 1;    // 1..31
  int hour = 0;
  int minute = 0;
  int second = 0;
  auto operator<=>(const Civil&) const = default;
};

// Days since 1970-01-01. A month or day beyond its range carries over: (2026, 14, 0) is 2027-01-31.
int64_t civil_days(int64_t year, int64_t month, int64_t day);

// Seconds since 1970-01-01T00:00:00 on the same clock. Every field may be beyond its range and carries over.
int64_t civil_seconds(const Civil& time);
// The inverse, for |seconds| up to what a WallTime holds.
Civil civil_of_seconds(int64_t seconds);

int weekday_of_days(int64_t days);  // 0 = Sunday
bool is_leap_year(int64_t year);
int days_in_month(int64_t year, int month);  // month 1..12

}  // namespace pawl
