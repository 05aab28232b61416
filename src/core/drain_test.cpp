// A daemon that is about to end begins nothing, and lets go on what is under way.

#include "core/engine_world.h"

namespace pawl::core {
namespace {

using std::chrono::seconds;

// An agent that is to come back, whose program has just ended by itself.
void dies(EngineWorld& world) {
  RunAsked ask;
  ask.request = world.engine->next_request();
  ask.spec.name = "a";
  ask.spec.command = {"prog"};
  ask.spec.dir = "/";
  ask.spec.restart = model::Restart::fresh;
  world.engine->submit(ask);
  world.turn();
  world.host.runs(world.session());
  world.turn();
  world.host.ends(world.session(), 1);
}

TEST(Drain, NobodyComesBack) {
  EngineWorld usual, draining;
  dies(usual);
  dies(draining);
  draining.engine->drain();
  for (EngineWorld* world : {&usual, &draining}) {
    world->turn();
    for (int i = 0; i < 10; ++i) world->turn(seconds{1});
  }
  EXPECT_EQ(usual.host.opens.size(), 2u);
  EXPECT_EQ(draining.host.opens.size(), 1u);
  draining.check_outcomes();
}

TEST(Drain, TheNextDaemonDoesWhatThisOneDidNot) {
  EngineWorld world;
  dies(world);
  world.engine->drain();
  for (int i = 0; i < 10; ++i) world.turn(seconds{1});
  ASSERT_EQ(world.host.opens.size(), 1u);
  world.live();
  for (int i = 0; i < 10; ++i) world.turn(seconds{1});
  EXPECT_EQ(world.host.opens.size(), 2u);
}

TEST(Drain, WhoeverAsksForAStartIsTold) {
  EngineWorld world;
  world.running("a");
  world.answers.clear();
  world.engine->drain();
  const RequestId fresh = world.run("b"), again = world.ask<RestartAsked>("a");
  world.turn();
  ASSERT_EQ(world.answers.size(), 2u);
  EXPECT_EQ(world.answers[0].request, fresh);
  EXPECT_EQ(world.answers[1].request, again);
  for (const auto& answer : world.answers) {
    ASSERT_FALSE(answer.done);
    EXPECT_EQ(answer.done.error().what, "the daemon is about to end and begins nothing new");
  }
  EXPECT_EQ(world.agent("b"), nullptr);
  EXPECT_TRUE(world.agent("a")->running());
}

TEST(Drain, AStopIsStillAStop) {
  EngineWorld world;
  const SessionId session = world.running();
  world.engine->drain();
  world.ask<StopAsked>();
  world.turn();
  EXPECT_FALSE(world.host.sessions.at(session).signals.empty());
}

}  // namespace
}  // namespace pawl::core
