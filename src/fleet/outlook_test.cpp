// When a machine is called, asked and given up, by a made-up clock; at the end machines that come and go at random, from their seeds.

#include "fleet/outlook.h"

#include <gtest/gtest.h>

#include <random>

#include "fleet/link.h"

namespace pawl::fleet {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Do = Outlook::Do;

struct OutlookWorld {
  Clock now{MonoTime{seconds{100}}, WallTime{seconds{1'000'000}}};
  Outlook outlook{now};

  void later(Duration time) { now = {now.mono + time, now.wall + time}; }
  // Until the rules want something.
  Do wait() {
    if (outlook.wake_at()) later(std::max(Duration{}, *outlook.wake_at() - now.mono));
    return outlook.pass(now.mono);
  }
  void reach() {
    EXPECT_EQ(outlook.opened(now.mono), Do::ask);
    outlook.told(now, {Json::object({{"name", "docs"}})}, "9.9");
  }
};

TEST(Outlook, ItIsCalledAskedAndLookedAt) {
  OutlookWorld world;
  EXPECT_FALSE(world.outlook.wake_at()) << "the connection has its own limit";
  EXPECT_TRUE(world.outlook.first_try());
  EXPECT_EQ(world.outlook.opened(world.now.mono), Do::ask);
  EXPECT_EQ(world.outlook.opened(world.now.mono), Do::nothing) << "once";
  EXPECT_TRUE(world.outlook.told(world.now, {Json::object({{"name", "docs"}})}, "9.9"));
  EXPECT_TRUE(world.outlook.online());
  EXPECT_FALSE(world.outlook.first_try());
  EXPECT_EQ(world.outlook.since(), world.now.wall);
  EXPECT_EQ(*world.outlook.wake_at(), world.now.mono + kLooksAtRest);
  EXPECT_EQ(world.wait(), Do::ask);
  EXPECT_FALSE(world.outlook.told(world.now, {}, "9.9")) << "no news";
  EXPECT_TRUE(world.outlook.agents().empty());
  EXPECT_EQ(world.outlook.answers(), 2u);
}

TEST(Outlook, WhoAsksHasItLookedAtMoreOften) {
  OutlookWorld world;
  world.outlook.wanted(world.now.mono);
  world.reach();
  EXPECT_EQ(*world.outlook.wake_at(), world.now.mono + kLooks);
  world.later(kAsksAgain);
  EXPECT_EQ(world.outlook.pass(world.now.mono), Do::ask);
  world.outlook.told(world.now, {}, "9.9");
  EXPECT_EQ(*world.outlook.wake_at(), world.now.mono + kLooksAtRest) << "nobody asks any more";
}

TEST(Outlook, OneThatDoesNotAnswerIsGivenUp) {
  OutlookWorld world;
  world.reach();
  EXPECT_EQ(world.wait(), Do::ask);
  const MonoTime asked = world.now.mono;
  EXPECT_EQ(world.wait(), Do::give_up);
  EXPECT_EQ(world.now.mono, asked + kAnswersWithin);
  EXPECT_TRUE(world.outlook.lost(world.now, "it does not answer"));
  EXPECT_FALSE(world.outlook.online());
  EXPECT_EQ(world.outlook.because(), "it does not answer");
  EXPECT_FALSE(world.outlook.told(world.now, {}, "9.9")) << "too late, and of a connection before";
  EXPECT_FALSE(world.outlook.online());
}

TEST(Outlook, ItIsTriedAgainLessAndLessOften) {
  OutlookWorld world;
  EXPECT_TRUE(world.outlook.lost(world.now, "no route")) << "the first try is over";
  EXPECT_FALSE(world.outlook.first_try());
  Duration before{};
  for (int i = 0; i < 8; ++i) {
    const Duration pause = *world.outlook.wake_at() - world.now.mono;
    EXPECT_GE(pause, std::max(before, kTriesFirst));
    EXPECT_LE(pause, kTriesLast);
    before = pause;
    EXPECT_EQ(world.wait(), Do::call);
    EXPECT_FALSE(world.outlook.lost(world.now, "no route")) << "told already";
  }
  EXPECT_EQ(before, kTriesLast);
  EXPECT_EQ(world.outlook.wanted(world.now.mono), Do::nothing) << "it was tried this very moment";
  world.later(kTriesFirst);
  EXPECT_EQ(world.outlook.wanted(world.now.mono), Do::call);
}

// A machine that comes and goes, and its connection: what the rules say is done to it.
struct Made {
  OutlookWorld world;
  std::mt19937_64 dice;
  bool healthy = true;
  bool line = true;               // a connection is there, or being made
  std::optional<MonoTime> opens;  // … it will be open then, if at all
  std::optional<MonoTime> answers;
  MonoTime called, healthy_since, online_at;
  int told = 0, lost = 0;

  explicit Made(uint64_t seed) : dice(seed) {
    healthy_since = world.now.mono;
    call();
  }
  Duration chance(Duration limit) { return Duration{static_cast<int64_t>(dice() % limit.count())}; }

  void call() {
    line = true;
    called = world.now.mono;
    opens = called + chance(healthy ? seconds{1} : 2 * kOpens);
    answers.reset();
  }
  void act(Do what) {
    switch (what) {
      case Do::nothing:
        return;
      case Do::call:
        EXPECT_FALSE(line) << "one at a time";
        EXPECT_GE(world.now.mono - called, kTriesFirst) << "not in a hurry";
        return call();
      case Do::ask:
        EXPECT_TRUE(line);
        answers = healthy ? std::optional(world.now.mono + chance(seconds{2})) : std::nullopt;
        return;
      case Do::give_up:
        return lose("it does not answer");
    }
  }
  void lose(const char* why) {
    line = false;
    opens.reset();
    answers.reset();
    lost += world.outlook.lost(world.now, why) ? 1 : 0;
  }
  void step() {
    world.later(milliseconds{50});
    const MonoTime now = world.now.mono;
    if (dice() % 400 == 0) {
      healthy = !healthy;
      healthy_since = now;
      if (!healthy && line && dice() % 2 == 0) lose("cut");
      if (!healthy) answers.reset();
    }
    if (dice() % 200 == 0) act(world.outlook.wanted(now));
    if (line && opens && now - called >= kOpens) return lose("it does not answer");  // link.h
    if (line && opens && *opens <= now) {
      opens.reset();
      act(world.outlook.opened(now));
    } else if (line && answers && *answers <= now) {
      answers.reset();
      told += world.outlook.told(world.now, {}, "9.9") ? 1 : 0;
    }
    act(world.outlook.pass(now));
  }
};

TEST(Outlook, MachinesThatComeAndGo) {
  constexpr Duration kNoticed = kLooksAtRest + kAnswersWithin + milliseconds{100};
  constexpr Duration kFound = kOpens + kTriesLast + seconds{4};
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Made made(seed);
    bool online = false;
    WallTime since = made.world.outlook.since();
    for (int i = 0; i < 8000; ++i) {
      made.step();
      const Outlook& known = made.world.outlook;
      const Duration so_far = made.world.now.mono - made.healthy_since;
      EXPECT_FALSE(known.online() && so_far > kNoticed && !made.healthy);
      EXPECT_TRUE(known.online() || so_far <= kFound || !made.healthy);
      EXPECT_TRUE(known.online() || !known.because().empty());
      EXPECT_TRUE(known.online() != online || known.since() == since) << "only when it changed";
      online = known.online();
      since = known.since();
      ASSERT_FALSE(testing::Test::HasFailure()) << "step " << i;
    }
    EXPECT_LE(std::abs(made.told - made.lost), 2) << "by turns, but for the first try";
  }
}

}  // namespace
}  // namespace pawl::fleet
