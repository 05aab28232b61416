#include "base/civil.h"

namespace pawl {
namespace {

constexpr int64_t kDay = 86400;
constexpr int64_t kDaysOfEra = 146097;        // 400 years
constexpr int64_t kDaysBeforeEpoch = 719468;  // from 0000-03-01 to 1970-01-01

int64_t floor_div(int64_t a, int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

int64_t floor_mod(int64_t a, int64_t b) {
  return a - floor_div(a, b) * b;
}

}  // namespace

// std::chrono's calendar ends with the year 32767; a WallTime does not, and hostile ones exist.
// Years begin in March here: the leap day is the last one, and month lengths follow (153 m + 2) / 5.
int64_t civil_days(int64_t year, int64_t month, int64_t day) {
  year += floor_div(month - 1, 12);
  month = floor_mod(month - 1, 12) + 1;
  if (month <= 2) --year;
  const int64_t era = floor_div(year, 400);
  const int64_t year_of_era = year - era * 400;
  const int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5;
  const int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * kDaysOfEra + day_of_era - kDaysBeforeEpoch + day - 1;
}

int64_t civil_seconds(const Civil& time) {
  return civil_days(time.year, time.month, time.day) * kDay + int64_t{time.hour} * 3600 +
         int64_t{time.minute} * 60 + time.second;
}

Civil civil_of_seconds(int64_t seconds) {
  const int64_t days = floor_div(seconds, kDay) + kDaysBeforeEpoch;
  const int64_t second_of_day = floor_mod(seconds, kDay);
  const int64_t era = floor_div(days, kDaysOfEra);
  const int64_t day_of_era = days - era * kDaysOfEra;
  const int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t march_month = (5 * day_of_year + 2) / 153;
  const int64_t month = march_month < 10 ? march_month + 3 : march_month - 9;
  const int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  return {static_cast<int>(year),
          static_cast<int>(month),
          static_cast<int>(day_of_year - (153 * march_month + 2) / 5 + 1),
          static_cast<int>(second_of_day / 3600),
          static_cast<int>(second_of_day / 60 % 60),
          static_cast<int>(second_of_day % 60)};
}

int weekday_of_days(int64_t days) {
  return static_cast<int>(floor_mod(days + 4, 7));  // 1970-01-01 was a Thursday
}

bool is_leap_year(int64_t year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

int days_in_month(int64_t year, int month) {
  return static_cast<int>(civil_days(year, month + 1, 1) - civil_days(year, month, 1));
}

}  // namespace pawl
