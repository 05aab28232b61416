#include "core/heart.h"

#include <gtest/gtest.h>

namespace pawl::core {
namespace {

using namespace std::chrono_literals;

// What the kernel and the daemon's own clock would say.
struct HeartWorld {
  Duration mono{}, wall{}, boot{}, stopped{};
  Heart heart{now(), boot, stopped};

  Clock now() const { return {MonoTime{1h + mono}, WallTime{24h * 20000 + wall}}; }
  std::optional<Slept> beat() { return heart.beat(now(), boot, stopped); }
  void passes(Duration time) { mono += time, wall += time, boot += time; }
  void sleeps(Duration time) { wall += time, boot += time; }
  void stops(Duration time) { sleeps(time), stopped += time; }
  void set(Duration by) { wall += by; }
};

TEST(Heart, BeatsInTimeSayNothing) {
  HeartWorld world;
  for (int i = 1; i < 100; ++i) {
    world.passes(7s);
    world.set(1ms);
    EXPECT_FALSE(world.beat());
  }
}

TEST(Heart, ASleepOfTheMachineIsSeenByItsClocks) {
  HeartWorld world;
  world.passes(4s);
  world.sleeps(8h);
  const auto slept = world.beat();
  ASSERT_TRUE(slept);
  EXPECT_EQ(slept->length, 8h);
  EXPECT_EQ(slept->clock, 0s);
  EXPECT_EQ(slept->because, "the machine slept");
  world.passes(1s);
  EXPECT_FALSE(world.beat()) << "once";
}

TEST(Heart, AStoppedDaemonIsNoSleep) {
  HeartWorld world;
  world.stops(130s);
  const auto slept = world.beat();
  ASSERT_TRUE(slept);
  EXPECT_EQ(slept->length, 130s);
  EXPECT_EQ(slept->clock, 0s);
  EXPECT_EQ(slept->because, "the daemon did not run");
}

TEST(Heart, AClockThatIsSetIsToldApart) {
  HeartWorld world;
  for (const Duration by : {Duration{24h}, Duration{-24h}}) {
    world.passes(1s);
    world.set(by);
    const auto slept = world.beat();
    ASSERT_TRUE(slept);
    EXPECT_EQ(slept->length, by);
    EXPECT_EQ(slept->clock, by);
    EXPECT_EQ(slept->because, "the clock was set");
    EXPECT_FALSE(world.beat());
  }
}

TEST(Heart, BothAtOnceEvenWhenTheyHideEachOther) {
  HeartWorld world;
  world.sleeps(2h);
  world.set(-2h);
  const auto slept = world.beat();
  ASSERT_TRUE(slept);
  EXPECT_EQ(slept->length, 0h);
  EXPECT_EQ(slept->clock, -2h);
  EXPECT_EQ(slept->because, "the machine slept; the clock was set");
}

}  // namespace
}  // namespace pawl::core
