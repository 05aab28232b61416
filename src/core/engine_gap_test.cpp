// Nobody was there, or the clock was set: through the real engine, with tasks and agents that a time that never passed would kill
// or starve.
#include <gtest/gtest.h>

#include "core/engine_world.h"

namespace pawl::core {
namespace {

using namespace std::chrono_literals;

struct GapWorld : EngineWorld {
  TestDir place;

  void task(double deadline_s = 18000) {
    TaskAsked ask;
    ask.request = engine->next_request();
    ask.spec.name = "a";
    ask.spec.command = {"prog"};
    ask.spec.dir = "/";
    ask.spec.task_health.deadline_s = deadline_s;
    ask.order.name = "t";
    ask.order.dir = place.path();
    ask.order.start = {"prog"};
    ask.order.format = "claude";
    engine->submit(ask);
    begins();
    says_something();
  }
  void continuous() {
    RunAsked ask;
    ask.request = engine->next_request();
    ask.spec.name = "a";
    ask.spec.command = {"prog"};
    ask.spec.dir = "/";
    ask.spec.strategy = "continuous";
    ask.spec.floor_s = 5;
    engine->submit(ask);
    begins();
  }
  void begins() {
    turn();
    host.runs(session());
    turn();
  }
  void says_something() {
    host.prints(session(), R"({"type":"assistant","message":{"content":[]}})"
                           "\n");
    turn();
  }
  // The daemon's own clock stands still.
  void stopped(Duration length) {
    now.wall += length;
    engine->slept(now, {length, "the daemon did not run"});
  }
  void clock_set(Duration by) {
    now.wall += by;
    engine->slept(now, {by, "the clock was set", by});
  }
  void pass(Duration time) {
    for (Duration gone{}; gone < time; gone += 1s) turn(1s);
  }
  bool killed() const { return !host.sessions.at(session()).signals.empty(); }
  // Why it was given up; empty: it was not.
  std::string given_up() const {
    for (const auto& event : journal.events)
      if (const auto* fact = std::get_if<model::Decided>(&event.fact);
          fact && fact->action == model::Action::abandon)
        return fact->how;
    return "";
  }
};

TEST(EngineGap, AStopOfTheDaemonKillsNoTask) {
  GapWorld world;
  world.task(300);
  world.pass(20s);
  world.stopped(1h);
  world.turn();
  EXPECT_FALSE(world.killed());
  world.pass(60s);
  EXPECT_FALSE(world.killed()) << "of its silence only what was seen counts";
  EXPECT_EQ(world.given_up(), "");
  world.pass(100s);
  EXPECT_TRUE(world.killed()) << "and that does";
}

TEST(EngineGap, WhatWaitsIsReadBeforeAnythingIsConcluded) {
  GapWorld world;
  world.task();
  world.pass(99s);
  EXPECT_FALSE(world.killed());
  world.now = {world.now.mono + 1100ms, world.now.wall + 1100ms};
  world.stopped(2min);  // as long as its patience was, and longer
  const MonoTime awake = world.now.mono;
  world.turn();
  EXPECT_FALSE(world.killed());
  EXPECT_EQ(world.engine->wake_at(), awake + kCatchUp);
  world.says_something();  // read in the next turn of the loop
  world.pass(90s);
  EXPECT_FALSE(world.killed());
}

TEST(EngineGap, AClockSetByADayAbandonsNoTask) {
  for (const Duration by : {Duration{24h}, Duration{-24h}}) {
    GapWorld world;
    world.task(300);
    world.pass(10s);
    world.clock_set(by);
    world.pass(60s);
    EXPECT_FALSE(world.killed());
    EXPECT_EQ(world.given_up(), "");
    world.says_something();
    world.pass(90s);
    world.says_something();
    world.pass(90s);
    world.says_something();
    EXPECT_EQ(world.given_up(), "");
    world.pass(60s);
    EXPECT_EQ(world.given_up(), "deadline") << "five minutes are five minutes";
  }
}

TEST(EngineGap, AClockSetByADayStarvesNoTask) {
  for (const Duration by : {Duration{24h}, Duration{-24h}}) {
    GapWorld world;
    world.task();
    world.host.ends(world.session(), -1, 9);
    world.turn();
    world.clock_set(by);
    world.pass(10s);
    EXPECT_EQ(world.host.opens.size(), 2u) << "it is tried again in its time";
  }
}

TEST(EngineGap, AClockSetByADayStarvesNoLoop) {
  for (const Duration by : {Duration{24h}, Duration{-24h}}) {
    GapWorld world;
    world.continuous();
    world.pass(3s);
    world.host.ends(world.session(), 0);
    world.turn();
    world.clock_set(by);
    world.pass(3s);
    EXPECT_EQ(world.host.opens.size(), 1u) << "too soon";
    world.pass(4s);
    EXPECT_EQ(world.host.opens.size(), 2u);
  }
}

TEST(EngineGap, AClockThatWasSetBackWhileNoDaemonRanStarvesNothing) {
  GapWorld world;
  world.continuous();
  world.pass(3s);
  world.host.ends(world.session(), 0);
  world.turn();
  world.engine.reset();
  world.now.wall -= 24h;
  world.host.daemon_restarts();
  world.engine = std::make_unique<Engine>(world.host, world.journal,
                                          EngineOptions{world.home.path(), {}, nullptr},
                                          *world.journal.recover());
  world.engine->recover(world.now, -24h);
  world.pass(7s);
  EXPECT_EQ(world.host.opens.size(), 2u);
  EXPECT_EQ(*world.journal.recover(), world.engine->fleet());
}

}  // namespace
}  // namespace pawl::core
