// The journal cannot be written: nothing is done to any agent, everybody hears why, and everything goes on afterwards.

#include <gtest/gtest.h>

#include <csignal>

#include "core/engine_world.h"
#include "core/parts/deliveries.h"
#include "core/parts/ground.h"

namespace pawl::core {
namespace {

TEST(EngineBroken, AWishIsRefusedWithTheReasonAndNothingIsDone) {
  EngineWorld world;
  const SessionId session = world.running();
  const int before = world.host.doings;
  const size_t events = world.journal.events.size();
  world.journal.broken = true;
  std::vector<RequestId> asked{world.run("b"), world.ask<StopAsked>(), world.ask<RestartAsked>()};
  world.turn();
  asked.push_back(world.ask<StopAsked>());
  world.turn();
  ASSERT_EQ(world.answers.size(), 1 + asked.size());
  for (size_t i = 1; i < world.answers.size(); ++i) {
    ASSERT_FALSE(world.answers[i].done);
    EXPECT_EQ(text_of(world.answers[i].done.error()),
              "cannot write the journal: No space left on device: free some space");
  }
  EXPECT_EQ(world.host.doings, before);
  EXPECT_TRUE(world.host.sessions.at(session).signals.empty());
  EXPECT_FALSE(world.agent("b"));
  ASSERT_TRUE(world.engine->trouble());
  world.journal.broken = false;
  world.turn(kRetryEvery);
  ASSERT_EQ(world.journal.events.size(), events + 1) << "a refused wish is not fulfilled later";
  EXPECT_TRUE(std::holds_alternative<model::Alerted>(world.journal.events.back().fact))
      << "but the outage is told";
  EXPECT_FALSE(world.engine->trouble()) << "health is good again without anybody asking";
  world.ask<StopAsked>();
  world.turn();
  EXPECT_EQ(world.host.sessions.at(session).signals.size(), 2u);
}

TEST(EngineBroken, APersonTypesOnAndLeavesNoQueue) {
  EngineWorld world;
  const SessionId session = world.running();
  world.journal.broken = true;
  world.ask<StopAsked>();
  world.turn();
  const size_t events = world.journal.events.size();
  for (int i = 0; i < 5; ++i) {
    world.turn(kHumanEvery * 2);
    ASSERT_TRUE(world.engine->type(world.now, "a", "k", "attach"));
  }
  const WallTime typed = world.now.wall;
  EXPECT_EQ(world.host.sessions.at(session).written, "kkkkk");
  world.journal.broken = false;
  world.turn(kRetryEvery);
  ASSERT_EQ(world.journal.events.size(), events + 2) << "the outage is told, and one key for all";
  EXPECT_EQ(world.agent()->memory.human, typed) << "nobody types over who typed meanwhile";
}

TEST(EngineBroken, WhatTheHostSawIsKeptAndTakenOnce) {
  EngineWorld world;
  world.run();
  world.turn();
  const SessionId session = world.session();
  world.journal.broken = true;
  world.host.runs(session);
  world.host.prints(session, "out");
  for (int i = 0; i < 5; ++i) world.turn(kRetryEvery);
  world.host.ends(session, 3);
  for (int i = 0; i < 5; ++i) world.turn(kRetryEvery);
  EXPECT_EQ(world.agent()->state, model::State::starting);
  EXPECT_TRUE(world.host.closes.empty());
  EXPECT_EQ(world.recorded(session), "out") << "recording goes on: it is nothing done to the agent";
  world.journal.broken = false;
  world.turn(kRetryEvery);
  EXPECT_EQ(world.agent()->state, model::State::crashed);
  EXPECT_EQ(world.agent()->process, (model::Process{42, 4242}));
  EXPECT_EQ(world.host.closes, std::vector<SessionId>{session});
  EXPECT_FALSE(world.engine->trouble());
  world.check_outcomes();
  const size_t events = world.journal.events.size();
  for (int i = 0; i < 3; ++i) world.turn(kRetryEvery);
  EXPECT_EQ(world.journal.events.size(), events) << "nothing twice";
}

TEST(EngineBroken, ItIsTriedAgainOnceASecondAndNotMoreOften) {
  EngineWorld world;
  const SessionId session = world.running();
  world.journal.broken = true;
  world.host.ends(session, 0);
  world.turn();
  EXPECT_EQ(world.engine->wake_at(), world.now.mono + kRetryEvery);
  world.journal.broken = false;
  world.turn(kRetryEvery / 2);
  EXPECT_TRUE(world.agent()->running()) << "not yet";
  world.turn(kRetryEvery / 2);
  EXPECT_FALSE(world.agent()->running());
}

// A deadline that passes meanwhile is neither a reason to spin nor to be forgotten.
TEST(EngineBroken, ADueKillWaitsWithoutSpinning) {
  EngineWorld world;
  const SessionId session = world.running();
  const SessionId other = world.running("b");
  world.ask<StopAsked>();
  world.turn();
  world.journal.broken = true;
  world.host.ends(other, 0);
  world.turn(std::chrono::seconds{20});
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(world.engine->wake_at());
    ASSERT_GT(*world.engine->wake_at(), world.now.mono);
    world.turn(std::chrono::milliseconds{100});
  }
  world.journal.broken = false;
  world.turn(kRetryEvery);
  EXPECT_EQ(world.host.sessions.at(session).signals, (std::vector<int>{SIGTERM, SIGCONT, SIGKILL}));
}

}  // namespace
}  // namespace pawl::core
