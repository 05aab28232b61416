#pragma once
// When something is to happen again and again, in the notation of crontab(5): minute, hour, day of the month, month, day of the
// week; lists, ranges, steps, names of months and days, and @hourly to @yearly. A value; asks no clock.

#include <bitset>
#include <optional>
#include <string_view>

#include "base/zone.h"

namespace pawl {

class Cron {
 public:
  static Result<Cron> parse(std::string_view text);

  // The first time after this, on the clocks of that zone. An hour that clocks skip happens when they jump, one that they show
  // twice happens once; unless every hour is meant. Nothing: it never happens (February 30).
  std::optional<WallTime> next(WallTime after, const Zone& zone) const;

  bool operator==(const Cron&) const = default;

 private:
  bool on_day(const Civil& time) const;
  bool at_minute(const Civil& time) const {
    return hours_[static_cast<size_t>(time.hour)] && minutes_[static_cast<size_t>(time.minute)];
  }
  bool skipped(const Civil& from, const Civil& to) const;
  std::optional<WallTime> next_on_day(WallTime from, const Civil& day, const Zone& zone) const;

  std::bitset<60> minutes_;
  std::bitset<24> hours_;
  std::bitset<32> days_;
  std::bitset<13> months_;
  std::bitset<7> weekdays_;
  bool every_hour_ = true, every_day_ = true, every_weekday_ = true;
};

}  // namespace pawl
