#include "core/heart.h"

#include <gtest/gtest.h>

namespace pawl::core {
namespace {

using namespace std::chrono_literals;

Clock at(Duration mono, Duration wall) {
  return {MonoTime{mono}, WallTime{24h * 20000 + wall}};
}

TEST(Heart, BeatsInTimeSayNothing) {
  Heart heart(at(0s, 0s));
  for (int i = 1; i < 100; ++i) EXPECT_FALSE(heart.beat(at(i * 7s, i * 7s + i * 1ms)));
}

TEST(Heart, ASleepOfTheMachineIsSeenByItsClocks) {
  Heart heart(at(0s, 0s));
  EXPECT_FALSE(heart.beat(at(3s, 3s)));
  const auto slept = heart.beat(at(4s, 4s + 8h));
  ASSERT_TRUE(slept);
  EXPECT_EQ(slept->length, 8h);
  EXPECT_FALSE(heart.beat(at(5s, 5s + 8h))) << "once";
  EXPECT_EQ(heart.beat(at(6s, 6s + 7h))->length, -1h) << "a clock that is set back";
}

TEST(Heart, AStoppedDaemonIsSeenByItsLateness) {
  Heart heart(at(0s, 0s));
  const auto stopped = heart.beat(at(1h, 1h));
  ASSERT_TRUE(stopped);
  EXPECT_EQ(stopped->length, 1h - kBeat);
  EXPECT_FALSE(heart.beat(at(1h + 12s, 1h + 12s))) << "a little late is nothing";
}

TEST(Heart, BothAtOnce) {
  Heart heart(at(0s, 0s));
  EXPECT_EQ(heart.beat(at(1h, 3h))->length, 3h - kBeat);
}

}  // namespace
}  // namespace pawl::core
