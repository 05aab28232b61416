#include "perceive/screen/reset_time.h"

#include <gtest/gtest.h>

namespace pawl {
namespace {

using std::chrono::seconds;

WallTime at(const std::string& text) {
  WallTime time;
  EXPECT_TRUE(parse_rfc3339(text, time)) << text;
  return time;
}

constexpr const char* kUtc = "UTC0";
constexpr const char* kBerlin = "CET-1CEST,M3.5.0,M10.5.0/3";
constexpr const char* kNewYork = "EST5EDT,M3.2.0,M11.1.0";
constexpr const char* kLosAngeles = "PST8PDT,M3.2.0,M11.1.0";
constexpr const char* kKolkata = "IST-5:30";

struct TimeRow {
  const char* text;
  const char* zone;
  const char* now;
  const char* expected;
};

void expect_times(const std::vector<TimeRow>& rows) {
  for (const auto& row : rows) {
    const auto time = find_reset_time(row.text);
    ASSERT_TRUE(time) << row.text;
    const auto zone = Zone::posix(row.zone);
    ASSERT_TRUE(zone) << row.zone;
    EXPECT_EQ(rfc3339(resolve(*time, at(row.now), *zone)), rfc3339(at(row.expected)))
        << row.text << " in " << row.zone << " at " << row.now;
  }
}

TEST(ResolveResetTime, ATimeOfDayIsTodayOrTomorrow) {
  expect_times({
      {"resets 2:19am", kUtc, "2026-11-15T00:00:00Z", "2026-11-15T02:19:00Z"},
      {"resets 2:19am", kUtc, "2026-11-15T02:18:59Z", "2026-11-15T02:19:00Z"},
      {"resets 2:19am", kUtc, "2026-11-15T02:19:00Z", "2026-11-15T02:19:00Z"},
      {"resets 2:19am", kUtc, "2026-11-15T02:20:00Z", "2026-11-15T02:19:00Z"},  // just over
      {"resets 2:19am", kUtc, "2026-11-15T02:20:01Z", "2026-11-16T02:19:00Z"},
      {"resets 12am", kUtc, "2026-11-15T23:59:00Z", "2026-11-16T00:00:00Z"},
      {"resets 12am", kUtc, "2026-11-30T12:00:00Z", "2026-12-01T00:00:00Z"},
      {"resets 1am", kUtc, "2026-12-31T22:00:00Z", "2027-01-01T01:00:00Z"},
      {"resets 1am", kUtc, "2028-02-28T22:00:00Z", "2028-02-29T01:00:00Z"},
      {"resets 1am", kUtc, "2027-02-28T22:00:00Z", "2027-03-01T01:00:00Z"},
      // The day is that of the zone, not that of UTC.
      {"resets 3am", kBerlin, "2026-11-15T01:30:00Z", "2026-11-15T02:00:00Z"},
      {"resets 12:30am", kBerlin, "2026-11-14T23:15:00Z", "2026-11-14T23:30:00Z"},
      {"resets 11pm", kNewYork, "2026-11-15T03:00:00Z", "2026-11-15T04:00:00Z"},
      {"resets 5:30am", kKolkata, "2026-11-14T23:00:00Z", "2026-11-15T00:00:00Z"},
  });
}

TEST(ResolveResetTime, ClocksThatChangeInBetween) {
  expect_times({
      // Seen on Saturday evening, meant for Sunday: the night has an hour less, or one more.
      {"resets 6am", kBerlin, "2026-03-28T22:00:00Z", "2026-03-29T04:00:00Z"},
      {"resets 6am", kBerlin, "2026-10-24T21:00:00Z", "2026-10-25T05:00:00Z"},
      {"resets 9am", kNewYork, "2026-03-07T23:00:00Z", "2026-03-08T13:00:00Z"},
      {"resets 9am", kNewYork, "2026-10-31T23:00:00Z", "2026-11-01T14:00:00Z"},
      // Jumped over: when the jump was made.
      {"resets 2:30am", kBerlin, "2026-03-29T00:00:00Z", "2026-03-29T01:00:00Z"},
      {"resets 2:30am", kNewYork, "2026-03-08T06:00:00Z", "2026-03-08T07:00:00Z"},
      {"resets Mar 8, 2:30am", kLosAngeles, "2026-03-01T06:00:00Z", "2026-03-08T10:00:00Z"},
      {"resets 2:30am", kBerlin, "2026-03-29T01:01:01Z", "2026-03-30T00:30:00Z"},
      // Shown twice: the first time, then the second, then tomorrow.
      {"resets 2:30am", kBerlin, "2026-10-25T00:00:00Z", "2026-10-25T00:30:00Z"},
      {"resets 2:30am", kBerlin, "2026-10-25T00:45:00Z", "2026-10-25T01:30:00Z"},
      {"resets 2:30am", kBerlin, "2026-10-25T01:31:01Z", "2026-10-26T01:30:00Z"},
      {"resets 1:30am", kNewYork, "2026-11-01T04:00:00Z", "2026-11-01T05:30:00Z"},
      {"resets 1:30am", kNewYork, "2026-11-01T05:40:00Z", "2026-11-01T06:30:00Z"},
      // A wait is a wait, whatever clocks do.
      {"resets in 8 hours", kBerlin, "2026-03-28T22:00:00Z", "2026-03-29T06:00:00Z"},
  });
}

TEST(ResolveResetTime, DatesFindTheirYear) {
  expect_times({
      {"resets Nov 19, 12:19am", kUtc, "2026-11-15T00:00:00Z", "2026-11-19T00:19:00Z"},
      {"resets Nov 19, 12:19am", kUtc, "2026-11-19T00:30:00Z", "2026-11-19T00:19:00Z"},
      {"resets Nov 19, 12:19am", kUtc, "2026-12-19T00:18:00Z", "2026-11-19T00:19:00Z"},
      {"resets Nov 19, 12:19am", kUtc, "2026-12-19T00:20:00Z", "2027-11-19T00:19:00Z"},
      {"resets Jan 2, 3am", kUtc, "2026-12-29T00:00:00Z", "2027-01-02T03:00:00Z"},
      {"resets Jan 1, 12am", kNewYork, "2027-01-01T04:00:00Z", "2027-01-01T05:00:00Z"},
      {"resets Dec 31, 11:59pm", kUtc, "2027-01-01T00:00:30Z", "2026-12-31T23:59:00Z"},
      {"resets Feb 29, 3am", kUtc, "2027-11-15T00:00:00Z", "2028-02-29T03:00:00Z"},
      {"resets Feb 29, 3am", kUtc, "2028-02-20T00:00:00Z", "2028-02-29T03:00:00Z"},
      {"resets Feb 29, 3am", kUtc, "2096-12-01T00:00:00Z", "2104-02-29T03:00:00Z"},
      {"resets Nov 19, 2027, 12:19am", kNewYork, "2026-11-15T00:00:00Z", "2027-11-19T05:19:00Z"},
      {"try again at Nov 18th, 2026 12:25 AM.", kBerlin, "2026-11-15T00:00:00Z",
       "2026-11-17T23:25:00Z"},
      {"try again at Nov 18th, 2020 12:25 AM.", kUtc, "2026-11-15T00:00:00Z",
       "2020-11-18T00:25:00Z"},
      {"resets 2026-11-15T14:05:31Z", kUtc, "2026-11-15T00:00:00Z", "2026-11-15T14:05:31Z"},
      {"resets Oct 25, 2:30am", kBerlin, "2026-10-20T00:00:00Z", "2026-10-25T00:30:00Z"},
      {"resets 03:14 on 19 Nov", kUtc, "2026-11-15T00:00:00Z", "2026-11-19T03:14:00Z"},
      {"resets Thu, Nov 19, 9am", kUtc, "2026-11-15T00:00:00Z", "2026-11-19T09:00:00Z"},
  });
}

TEST(ResolveResetTime, WeekdaysAndTomorrow) {
  expect_times({
      // 2026-11-15 is a Sunday
      {"resets Mon 3pm", kUtc, "2026-11-15T16:00:00Z", "2026-11-16T15:00:00Z"},
      {"resets Sun 3pm", kUtc, "2026-11-15T14:00:00Z", "2026-11-15T15:00:00Z"},
      {"resets Sun 3pm", kUtc, "2026-11-15T15:00:59Z", "2026-11-15T15:00:00Z"},
      {"resets Sun 3pm", kUtc, "2026-11-15T15:01:01Z", "2026-11-22T15:00:00Z"},
      {"resets Sat 3pm", kUtc, "2026-11-15T14:00:00Z", "2026-11-21T15:00:00Z"},
      {"resets Fri 12am", kUtc, "2026-12-30T14:00:00Z", "2027-01-01T00:00:00Z"},
      {"resets Mon 3am", kBerlin, "2026-11-15T23:30:00Z", "2026-11-16T02:00:00Z"},  // Monday there
      {"resets Mon 9am", kBerlin, "2026-10-24T10:00:00Z",
       "2026-10-26T08:00:00Z"},  // over the change
      {"resets tomorrow at 9am", kUtc, "2026-11-15T08:00:00Z", "2026-11-16T09:00:00Z"},
      {"resets tomorrow at 9am", kUtc, "2026-11-15T10:00:00Z", "2026-11-16T09:00:00Z"},
      {"resets tomorrow at 9am", kUtc, "2026-12-31T10:00:00Z", "2027-01-01T09:00:00Z"},
      {"resets tomorrow at 9am", kBerlin, "2026-03-28T10:00:00Z", "2026-03-29T07:00:00Z"},
      {"resets tomorrow at 2:30am", kBerlin, "2026-03-28T10:00:00Z", "2026-03-29T01:00:00Z"},
  });
}

TEST(ResolveResetTime, WaitsCountFromNow) {
  expect_times({
      {"try again in 3 hours 20 minutes", kNewYork, "2026-11-15T00:00:00Z", "2026-11-15T03:20:00Z"},
      {"try again in 2 days 4 hours", kUtc, "2026-12-30T23:00:00Z", "2027-01-02T03:00:00Z"},
      {"try again in 45s", kUtc, "2026-11-15T00:00:30.500Z", "2026-11-15T00:01:15.500Z"},
      {"reset after 3h12m5s", kUtc, "2026-11-15T00:00:00Z", "2026-11-15T03:12:05Z"},
  });
}

// Whatever the minute, in a year with both changes: never more than a day and an hour ahead, never long past, and clocks
// then show what was written, unless they jumped over it.
TEST(ResolveResetTime, IsTheNextTimeThatClocksShowIt) {
  const auto zone = Zone::posix(kBerlin);
  ASSERT_TRUE(zone);
  ResetTime time;
  for (WallTime now = at("2026-01-01T00:00:00Z"); now < at("2027-01-01T00:00:00Z");
       now += seconds{7177}) {
    time.hour = (time.hour + 5) % 24;
    time.minute = (time.minute + 7) % 60;
    const WallTime then = resolve(time, now, *zone);
    ASSERT_GE(then, now - kResetGrace) << rfc3339(now);
    ASSERT_LE(then, now + std::chrono::hours{25}) << rfc3339(now);
    const Civil shown = zone->civil(then);
    const bool as_written = shown.hour == time.hour && shown.minute == time.minute;
    ASSERT_TRUE(as_written || then == at("2026-03-29T01:00:00Z")) << rfc3339(now);
  }
}

}  // namespace
}  // namespace pawl
