#include "base/zone.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "base/test_tzif.h"
#include "base/zone_names.h"

namespace pawl {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

constexpr const char* kBerlin = "CET-1CEST,M3.5.0,M10.5.0/3";
constexpr const char* kNewYork = "EST5EDT,M3.2.0,M11.1.0";

WallTime at(const std::string& text) {
  WallTime time;
  EXPECT_TRUE(parse_rfc3339(text, time)) << text;
  return time;
}

std::string text_of(const Civil& c) {
  char out[80];
  std::snprintf(out, sizeof out, "%04d-%02d-%02d %02d:%02d:%02d", c.year, c.month, c.day, c.hour,
                c.minute, c.second);
  return out;
}

std::string shows(const Zone& zone, const std::string& instant) {
  return text_of(zone.civil(at(instant)));
}

std::string when(const Zone& zone, const Civil& civil) {
  return rfc3339(zone.wall(civil)).substr(0, 19);
}

Zone rule(const std::string& text) {
  auto zone = Zone::posix(text);
  EXPECT_TRUE(zone) << text;
  return zone.value_or(Zone::utc());
}

TEST(Civil, DaysAndBackOverEightCenturies) {
  Civil expected{1600, 1, 1};
  for (int64_t day = civil_days(1600, 1, 1); expected.year < 2400; ++day) {
    ASSERT_EQ(civil_of_seconds(day * 86400), expected) << day;
    ASSERT_EQ(civil_days(expected.year, expected.month, expected.day), day);
    if (++expected.day > days_in_month(expected.year, expected.month)) {
      expected.day = 1;
      if (++expected.month > 12) expected = {expected.year + 1, 1, 1};
    }
  }
}

TEST(Civil, FieldsCarryOver) {
  EXPECT_EQ(civil_days(2026, 14, 0), civil_days(2027, 1, 31));
  EXPECT_EQ(civil_days(2026, -1, 1), civil_days(2025, 11, 1));
  EXPECT_EQ(civil_seconds({2026, 12, 31, 24, 0, -1}), civil_seconds({2026, 12, 31, 23, 59, 59}));
  EXPECT_EQ(weekday_of_days(0), 4);
  EXPECT_EQ(weekday_of_days(-5), 6);
  EXPECT_EQ(weekday_of_days(civil_days(2026, 11, 15)), 0);
  EXPECT_EQ(days_in_month(2000, 2), 29);
  EXPECT_EQ(days_in_month(2100, 2), 28);
}

TEST(Zone, UtcShowsTheSame) {
  EXPECT_EQ(shows(Zone::utc(), "2026-11-15T02:05:31.999Z"), "2026-11-15 02:05:31");
  EXPECT_EQ(shows(Zone::utc(), "1969-12-31T23:59:59.5Z"), "1969-12-31 23:59:59");
  EXPECT_EQ(when(Zone::utc(), {2026, 11, 15, 2, 5, 31}), "2026-11-15T02:05:31");
  EXPECT_EQ(shows(Zone::fixed(seconds{-12600}), "2026-01-01T01:00:00Z"), "2025-12-31 21:30:00");
  EXPECT_EQ(Zone::fixed(hours{100}), Zone::fixed(hours{26}));
}

TEST(Zone, RulesChangeOnTheRightDay) {
  const struct {
    const char* rule;
    const char* instant;
    const char* shown;
  } rows[] = {
      {kBerlin, "2026-03-29T00:59:59Z", "2026-03-29 01:59:59"},
      {kBerlin, "2026-03-29T01:00:00Z", "2026-03-29 03:00:00"},
      {kBerlin, "2026-10-25T00:59:59Z", "2026-10-25 02:59:59"},
      {kBerlin, "2026-10-25T01:00:00Z", "2026-10-25 02:00:00"},
      {kBerlin, "2026-12-31T23:30:00Z", "2027-01-01 00:30:00"},
      {kNewYork, "2026-03-08T06:59:59Z", "2026-03-08 01:59:59"},
      {kNewYork, "2026-03-08T07:00:00Z", "2026-03-08 03:00:00"},
      {kNewYork, "2026-11-01T05:59:59Z", "2026-11-01 01:59:59"},
      {kNewYork, "2026-11-01T06:00:00Z", "2026-11-01 01:00:00"},
      // South of the equator summer is over the end of the year; Lord Howe Island moves by half an hour.
      {"<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2026-01-01T00:00:00Z", "2026-01-01 11:00:00"},
      {"<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2026-06-01T00:00:00Z", "2026-06-01 10:30:00"},
      // Ireland's "standard" time is in summer.
      {"IST-1GMT0,M10.5.0,M3.5.0/1", "2026-01-01T00:00:00Z", "2026-01-01 00:00:00"},
      {"IST-1GMT0,M10.5.0,M3.5.0/1", "2026-07-01T00:00:00Z", "2026-07-01 01:00:00"},
      // Hours beyond the day: Israel before 2013, Greenland.
      {"IST-2IDT,M3.4.4/26,M10.5.0", "2026-03-26T23:59:59Z", "2026-03-27 01:59:59"},
      {"IST-2IDT,M3.4.4/26,M10.5.0", "2026-03-27T00:00:00Z", "2026-03-27 03:00:00"},
      {"<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T00:59:59Z", "2026-03-28 22:59:59"},
      {"<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T01:00:00Z", "2026-03-29 00:00:00"},
      // Days of the year, with and without February 29.
      {"AAA0BBB,J60/0,J300/0", "2024-02-29T23:59:59Z", "2024-02-29 23:59:59"},
      {"AAA0BBB,J60/0,J300/0", "2024-03-01T00:00:00Z", "2024-03-01 01:00:00"},
      {"AAA0BBB,59/0,300/0", "2024-02-29T00:00:00Z", "2024-02-29 01:00:00"},
      {"AAA0BBB,59/0,300/0", "2023-03-01T00:00:00Z", "2023-03-01 01:00:00"},
      // Summer all year (RFC 8536).
      {"EST5EDT,0/0,J365/25", "2026-12-31T23:00:00Z", "2026-12-31 19:00:00"},
      {"EST5EDT,0/0,J365/25", "2027-01-01T05:00:00Z", "2027-01-01 01:00:00"},
      {"EST5EDT", "2026-07-01T12:00:00Z", "2026-07-01 08:00:00"},
      {"UTC0", "2026-07-01T12:00:00Z", "2026-07-01 12:00:00"},
      {"<+0545>-5:45", "2026-07-01T12:00:00Z", "2026-07-01 17:45:00"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(shows(rule(row.rule), row.instant), row.shown) << row.rule << " at " << row.instant;
}

TEST(Zone, NonsenseIsNoRule) {
  for (const std::string text :
       {"", "C", "CET", "CE-1", "CET-25", "CET-1CEST,", "CET-1CEST,M3.5.0",
        "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0",
        "CET-1CEST,M3.5.0,M10.5.0/168", "CET-1CEST,M3.5.0,M10.5.0x", "CET-1CEST,J0,J365",
        "CET-1CEST,1,366", "CET-1:60", "<CET-1", "<>-1", "Europe/Berlin",
        "CET-99999999999999999999"}) {
    const auto zone = Zone::posix(text);
    ASSERT_FALSE(zone) << text;
    EXPECT_FALSE(zone.error().fix.empty());
  }
  EXPECT_FALSE(Zone::posix("CET-1" + std::string(200, 'A')));
}

TEST(Zone, AJumpAheadGivesTheInstantOfTheJump) {
  const Zone berlin = rule(kBerlin);
  EXPECT_EQ(when(berlin, {2026, 3, 29, 1, 59, 59}), "2026-03-29T00:59:59");
  EXPECT_EQ(when(berlin, {2026, 3, 29, 2, 0, 0}), "2026-03-29T01:00:00");
  EXPECT_EQ(when(berlin, {2026, 3, 29, 2, 30, 0}), "2026-03-29T01:00:00");
  EXPECT_EQ(when(berlin, {2026, 3, 29, 2, 59, 59}), "2026-03-29T01:00:00");
  EXPECT_EQ(when(berlin, {2026, 3, 29, 3, 0, 0}), "2026-03-29T01:00:00");
  EXPECT_EQ(when(berlin, {2026, 3, 29, 3, 0, 1}), "2026-03-29T01:00:01");
  EXPECT_EQ(berlin.wall_later({2026, 3, 29, 2, 30, 0}), at("2026-03-29T01:00:00Z"));
}

TEST(Zone, ATimeShownTwiceIsTheEarlierOne) {
  const Zone york = rule(kNewYork);
  EXPECT_EQ(when(york, {2026, 11, 1, 0, 59, 59}), "2026-11-01T04:59:59");
  EXPECT_EQ(when(york, {2026, 11, 1, 1, 0, 0}), "2026-11-01T05:00:00");
  EXPECT_EQ(when(york, {2026, 11, 1, 1, 59, 59}), "2026-11-01T05:59:59");
  EXPECT_EQ(when(york, {2026, 11, 1, 2, 0, 0}), "2026-11-01T07:00:00");
  EXPECT_EQ(york.wall_later({2026, 11, 1, 1, 30, 0}), at("2026-11-01T06:30:00Z"));
  EXPECT_EQ(york.wall_later({2026, 11, 1, 2, 0, 0}), at("2026-11-01T07:00:00Z"));
  EXPECT_EQ(york.wall_later({2026, 7, 1, 2, 0, 0}), york.wall({2026, 7, 1, 2, 0, 0}));
}

TEST(Zone, ADayThatNeverWas) {  // Samoa went from December 29 to December 31, 2011
  TestTzif file;
  file.offsets = {-10 * 3600, 14 * 3600};
  file.changes = {{1325239200, 1}};
  const auto apia = Zone::parse(file.bytes());
  ASSERT_TRUE(apia);
  EXPECT_EQ(shows(*apia, "2011-12-30T09:59:59Z"), "2011-12-29 23:59:59");
  EXPECT_EQ(shows(*apia, "2011-12-30T10:00:00Z"), "2011-12-31 00:00:00");
  EXPECT_EQ(when(*apia, {2011, 12, 30, 12, 0, 0}), "2011-12-30T10:00:00");
}

// For every instant that is shown once, wall() is the inverse of civil(); else it is the first such instant.
TEST(Zone, WallIsTheInverseOfCivil) {
  for (const char* text : {kBerlin, kNewYork, "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "UTC0",
                           "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "IST-1GMT0,M10.5.0,M3.5.0/1"}) {
    const Zone zone = rule(text);
    for (WallTime t = at("2026-01-01T00:00:00Z"); t < at("2027-02-01T00:00:00Z");
         t += seconds{1801}) {
      const Civil shown = zone.civil(t);
      const WallTime first = zone.wall(shown), last = zone.wall_later(shown);
      ASSERT_TRUE(first == t || last == t) << text << " " << rfc3339(t);
      ASSERT_LE(first, last);
      ASSERT_EQ(zone.civil(first), shown) << text << " " << rfc3339(t);
      ASSERT_EQ(zone.civil(last), shown) << text << " " << rfc3339(t);
    }
  }
}

TEST(Zone, TheEndsOfTimeAreNotOverrun) {
  constexpr int kMax = std::numeric_limits<int>::max(), kMin = std::numeric_limits<int>::min();
  for (const Zone& zone : {Zone::utc(), rule(kBerlin), Zone::fixed(hours{-26})}) {
    for (const WallTime t : {WallTime::max(), WallTime::min()})
      EXPECT_EQ(zone.civil(zone.wall(zone.civil(t))).year, zone.civil(t).year);
    EXPECT_GT(zone.wall({kMax, kMax, kMax, kMax, kMax, kMax}), at("9999-01-01T00:00:00Z"));
    EXPECT_LT(zone.wall({kMin, kMin, kMin, kMin, kMin, kMin}), at("0001-01-01T00:00:00Z"));
    EXPECT_GE(zone.wall_later({kMax, 1, 1}), zone.wall({kMax, 1, 1}));
  }
}

TEST(Tzif, ChangesThenTheRule) {
  for (const char version : {'2', '3', '4'}) {
    TestTzif file;
    file.version = version;
    file.offsets = {3208, 3600, 7200};
    file.changes = {{-2422054408, 1},
                    {at("2026-03-29T01:00:00Z").time_since_epoch() / seconds{1}, 2}};
    file.footer = kBerlin;
    const auto zone = Zone::parse(file.bytes());
    ASSERT_TRUE(zone) << text_of(zone.error());
    EXPECT_EQ(shows(*zone, "1800-01-01T00:00:00Z"), "1800-01-01 00:53:28") << "local mean time";
    EXPECT_EQ(shows(*zone, "1950-07-01T00:00:00Z"), "1950-07-01 01:00:00") << "from the changes";
    EXPECT_EQ(shows(*zone, "2026-07-01T00:00:00Z"), "2026-07-01 02:00:00");
    EXPECT_EQ(shows(*zone, "2126-01-01T00:00:00Z"), "2126-01-01 01:00:00") << "from the rule";
    EXPECT_EQ(shows(*zone, "2126-07-01T00:00:00Z"), "2126-07-01 02:00:00");
    EXPECT_EQ(when(*zone, {2026, 3, 29, 2, 30, 0}), "2026-03-29T01:00:00");
    EXPECT_EQ(when(*zone, {2026, 10, 25, 2, 30, 0}), "2026-10-25T00:30:00");
  }
}

TEST(Tzif, VersionOneHas32BitsAndNoRule) {
  TestTzif file;
  file.version = '\0';
  file.offsets = {-18000, -14400};
  file.changes = {{-1000000, 1}, {1000000, 0}};
  const auto zone = Zone::parse(file.bytes());
  ASSERT_TRUE(zone) << text_of(zone.error());
  EXPECT_EQ(shows(*zone, "1970-01-01T00:00:00Z"), "1969-12-31 20:00:00");
  EXPECT_EQ(shows(*zone, "2126-07-01T00:00:00Z"), "2126-06-30 19:00:00");
}

TEST(Tzif, AnEmptyRuleKeepsTheLastOffset) {
  TestTzif file;
  file.offsets = {0, 3600};
  file.changes = {{0, 1}};
  const auto zone = Zone::parse(file.bytes());
  ASSERT_TRUE(zone);
  EXPECT_EQ(shows(*zone, "2126-07-01T00:00:00Z"), "2126-07-01 01:00:00");
}

TEST(Tzif, LeapSecondsAreTakenOut) {
  TestTzif file;
  file.offsets = {0, 3600};
  file.leaps = {{100, 1}, {200, 2}};
  file.changes = {{50, 1}, {150, 0}, {250, 1}};
  const auto zone = Zone::parse(file.bytes());
  ASSERT_TRUE(zone);
  for (const int change : {50, 149, 248}) {
    EXPECT_NE(zone->offset(WallTime{seconds{change}}), zone->offset(WallTime{seconds{change - 1}}));
  }
  file.leaps = {{100, 100000}, {200, -100000}};
  file.changes = {{150, 1}, {250, 0}, {300, 1}};
  EXPECT_TRUE(Zone::parse(file.bytes()));
  file.leaps = {{100, -100000}, {200, 100000}};
  EXPECT_FALSE(Zone::parse(file.bytes())) << "the second change would be before the first";
}

TEST(Tzif, BrokenFilesAreRefused) {
  const auto refused = [](const TestTzif& file) { return !Zone::parse(file.bytes()).has_value(); };
  TestTzif good;
  good.offsets = {0, 3600};
  good.changes = {{0, 1}, {100, 0}};
  good.footer = kBerlin;
  ASSERT_FALSE(refused(good));
  auto bad = good;
  bad.changes = {{0, 1}, {0, 0}};
  EXPECT_TRUE(refused(bad)) << "not in order";
  bad = good;
  bad.changes = {{0, 2}};
  EXPECT_TRUE(refused(bad)) << "no such type";
  bad = good;
  bad.offsets = {0, 100000};
  EXPECT_TRUE(refused(bad)) << "more than a day";
  bad = good;
  bad.offsets = {};
  EXPECT_TRUE(refused(bad)) << "no types";
  bad = good;
  bad.footer = "nonsense";
  EXPECT_TRUE(refused(bad));
  bad = good;
  bad.extra_times = 0xffffff00;
  EXPECT_TRUE(refused(bad)) << "a count that would overflow";
  bad = good;
  bad.changes.clear();
  for (int i = 0; i < 8000; ++i) bad.changes.push_back({i, 1});
  EXPECT_TRUE(refused(bad)) << "more than kZoneFileLimit";
  EXPECT_FALSE(Zone::parse(""));
  EXPECT_FALSE(Zone::parse("PK\3\4" + std::string(1000, 'x')));
}

TEST(Tzif, EveryCutIsRefused) {
  TestTzif file;
  file.offsets = {0, 3600};
  file.changes = {{0, 1}, {100, 0}};
  file.footer = kBerlin;
  const std::string bytes = file.bytes();
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(Zone::parse(std::string_view(bytes).substr(0, size))) << size;
}

TEST(Tzif, DamagedFilesNeitherHangNorCrash) {
  TestTzif file;
  file.offsets = {0, 3600, -7200};
  file.changes = {{0, 1}, {100, 0}, {1'000'000'000, 2}};
  file.leaps = {{50, 1}};
  file.footer = kBerlin;
  const std::string good = file.bytes();
  const unsigned seed = 20261115;
  std::mt19937 chance(seed);
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string bytes = good;
    for (int k = static_cast<int>(chance() % 4); k >= 0; --k)
      bytes[chance() % bytes.size()] = static_cast<char>(chance());
    const auto zone = Zone::parse(bytes);
    if (!zone) continue;
    ++accepted;
    for (const int64_t t :
         {int64_t{-5'000'000'000}, int64_t{0}, int64_t{75}, int64_t{1'794'708'331}}) {
      const WallTime time{seconds{t}};
      ASSERT_EQ(zone->civil(zone->wall(zone->civil(time))), zone->civil(time)) << "seed " << seed;
    }
  }
  EXPECT_GT(accepted, 1000);
  EXPECT_LT(accepted, 19000);
}

TEST(BuiltinZone, KnowsWhatProgramsPrint) {
  const struct {
    const char* name;
    int minutes;
  } rows[] = {
      {"UTC", 0},       {"utc", 0},         {"GMT", 0},      {"Etc/UTC", 0},     {"Z", 0},
      {"PST", -480},    {"PDT", -420},      {"MST", -420},   {"MDT", -360},      {"CST", -360},
      {"CDT", -300},    {"EST", -300},      {"EDT", -240},   {"BST", 60},        {"CET", 60},
      {"CEST", 120},    {"IST", 330},       {"JST", 540},    {"NZDT", 780},      {"NST", -210},
      {"GMT+1", 60},    {"GMT-3:30", -210}, {"UTC+02", 120}, {"UTC+05:30", 330}, {"+0200", 120},
      {"-03:00", -180}, {"+5", 300},        {"GMT+14", 840},
  };
  for (const auto& row : rows)
    EXPECT_EQ(builtin_zone(row.name), Zone::fixed(std::chrono::minutes{row.minutes})) << row.name;
  EXPECT_EQ(builtin_zone("PT"), rule("PST8PDT,M3.2.0,M11.1.0"));
  for (const char* name :
       {"", "X", "pt", "et", "FOO", "GMT+", "GMT+15", "+1:", "+:30", "+1:3", "+12345", "+1:60",
        "UTC 1", "Europe/Berlin", "EST5EDT", "++1", "1", "+1:2:3"})
    EXPECT_FALSE(builtin_zone(name).has_value()) << name;
}

}  // namespace
}  // namespace pawl
