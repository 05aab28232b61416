#include "base/cron.h"

#include <gtest/gtest.h>

namespace pawl {
namespace {

const Zone kBerlin = *Zone::posix("CET-1CEST,M3.5.0,M10.5.0/3");

WallTime at(const std::string& text) {
  WallTime time{};
  EXPECT_TRUE(parse_rfc3339(text, time)) << text;
  return time;
}

std::string next(const std::string& table, const std::string& after,
                 const Zone& zone = Zone::utc()) {
  const auto cron = Cron::parse(table);
  EXPECT_TRUE(cron) << table;
  const auto found = cron ? cron->next(at(after), zone) : std::nullopt;
  return found ? rfc3339(*found).substr(0, 16) : "never";
}

TEST(Cron, TheNextTime) {
  const std::string now = "2026-11-15T22:10:30Z";  // a Sunday
  EXPECT_EQ(next("* * * * *", now), "2026-11-15T22:11");
  EXPECT_EQ(next("*/15 * * * *", now), "2026-11-15T22:15");
  EXPECT_EQ(next("10 22 * * *", now), "2026-11-16T22:10") << "that minute has begun";
  EXPECT_EQ(next("0 9-17/4 * * mon-fri", now), "2026-11-16T09:00");
  EXPECT_EQ(next("30 8,20 * * *", "2026-11-15T08:30:00Z"), "2026-11-15T20:30");
  EXPECT_EQ(next("5/20 * * * *", now), "2026-11-15T22:25");
  EXPECT_EQ(next("0 0 29 feb *", now), "2028-02-29T00:00");
  EXPECT_EQ(next("0 0 * * 7", now), "2026-11-22T00:00");
  EXPECT_EQ(next("0 0 * * Sun", now), "2026-11-22T00:00");
  EXPECT_EQ(next("@daily", now), "2026-11-16T00:00");
  EXPECT_EQ(next(" @hourly ", now), "2026-11-15T23:00");
  EXPECT_EQ(next("@yearly", now), "2027-01-01T00:00");
}

TEST(Cron, EitherDayWhenBothAreNamed) {
  EXPECT_EQ(next("0 0 20 * tue", "2026-11-15T22:10:00Z"), "2026-11-17T00:00");
  EXPECT_EQ(next("0 0 20 * tue", "2026-11-17T22:10:00Z"), "2026-11-20T00:00");
}

TEST(Cron, OnTheClocksOfAZone) {
  EXPECT_EQ(next("0 9 * * *", "2026-11-15T22:10:00Z", kBerlin), "2026-11-16T08:00");
  EXPECT_EQ(next("0 9 * * *", "2026-07-15T22:10:00Z", kBerlin), "2026-07-16T07:00");
}

TEST(Cron, AnHourThatIsSkippedHappensAtTheJump) {
  EXPECT_EQ(next("30 2 * * *", "2027-03-27T12:00:00Z", kBerlin), "2027-03-28T01:00");
  EXPECT_EQ(next("30 2 * * *", "2027-03-28T01:00:00Z", kBerlin), "2027-03-29T00:30");
  EXPECT_EQ(next("30 * * * *", "2027-03-28T00:40:00Z", kBerlin), "2027-03-28T01:30");
}

TEST(Cron, AnHourThatComesTwiceHappensOnce) {
  EXPECT_EQ(next("30 2 * * *", "2026-10-24T12:00:00Z", kBerlin), "2026-10-25T00:30");
  EXPECT_EQ(next("30 2 * * *", "2026-10-25T00:30:00Z", kBerlin), "2026-10-26T01:30");
  EXPECT_EQ(next("30 * * * *", "2026-10-25T00:30:00Z", kBerlin), "2026-10-25T01:30");
}

TEST(Cron, WhatIsNoTableIsSaid) {
  for (const char* bad : {"", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *",
                          "* * * 13 *", "* * * * 8", "5-1 * * * *", "*/0 * * * *", "a * * * *",
                          "1,,2 * * * *", "@never", "0 0 30 feb *", "* * * * monday-ish"}) {
    const auto cron = Cron::parse(bad);
    ASSERT_FALSE(cron) << bad;
    EXPECT_FALSE(cron.error().fix.empty());
  }
}

}  // namespace
}  // namespace pawl
