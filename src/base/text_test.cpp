#include "base/text.h"

#include <gtest/gtest.h>

#include "base/clock.h"

namespace pawl {
namespace {

TEST(Text, Base64RoundTripsEveryLength) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(from_base64(base64(bytes)), bytes) << i;
    bytes += static_cast<char>(i * 7);
  }
  EXPECT_EQ(base64("hi"), "aGk=");
  EXPECT_FALSE(from_base64("a").has_value());
  EXPECT_FALSE(from_base64("a*==").has_value());
}

TEST(Text, NearestSuggestsTyposOnly) {
  const std::vector<std::string> keys{"restart", "runtime", "dir"};
  EXPECT_EQ(nearest("restrat", keys), "restart");
  EXPECT_EQ(nearest("runtme", keys), "runtime");
  EXPECT_FALSE(nearest("zzzzzz", keys).has_value());
}

TEST(Text, NamesAreFolderSafe) {
  for (const char* good : {"a", "docs-1", "A.b_c", "x23"}) EXPECT_TRUE(valid_name(good)) << good;
  for (const char* bad : {"", ".", "..", "-x", "a/b", "a b", "ä", "a\n"})
    EXPECT_FALSE(valid_name(bad)) << bad;
  EXPECT_TRUE(valid_name(std::string(64, 'a')));
  EXPECT_FALSE(valid_name(std::string(65, 'a')));
}

TEST(Text, DurationsHaveUnits) {
  EXPECT_EQ(parse_duration_s("90"), 90);
  EXPECT_EQ(parse_duration_s("1.5m"), 90);
  EXPECT_EQ(parse_duration_s("250ms"), 0.25);
  EXPECT_FALSE(parse_duration_s("5x").has_value());
  EXPECT_FALSE(parse_duration_s("-1").has_value());
  for (const char* beyond :
       {"nan", "inf", "1e30", "99999999999d", "999999999999999999999999999999"})
    EXPECT_FALSE(parse_duration_s(beyond).has_value()) << beyond;
  EXPECT_EQ(parse_duration_s("36500d"), 36500 * 86400.0);
  EXPECT_FALSE(parse_duration_s("").has_value());
}

TEST(ClockText, Rfc3339RoundTrips) {
  const WallTime time{std::chrono::milliseconds{1'794'708'331'123}};
  EXPECT_EQ(rfc3339(time), "2026-11-15T02:05:31.123Z");
  WallTime back;
  ASSERT_TRUE(parse_rfc3339("2026-11-15T04:05:31.123+02:00", back));
  EXPECT_EQ(back, time);
  EXPECT_FALSE(parse_rfc3339("yesterday", back));
  EXPECT_FALSE(parse_rfc3339("2026-13-15T04:05:31Z", back));
}

TEST(ClockText, ShortDurationHasTwoUnits) {
  using namespace std::chrono;
  EXPECT_EQ(short_duration(seconds{59}), "59s");
  EXPECT_EQ(short_duration(seconds{184}), "3m04s");
  EXPECT_EQ(short_duration(seconds{7500}), "2h05m");
  EXPECT_EQ(short_duration(hours{76}), "3d04h");
  EXPECT_EQ(short_duration(seconds{-5}), "0s");
}

}  // namespace
}  // namespace pawl
