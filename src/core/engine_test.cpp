#include <gtest/gtest.h>

#include <csignal>

#include "base/test_full_disk.h"
#include "core/engine_world.h"
#include "core/face.h"
#include "core/parts/ground.h"
#include "os/file.h"

namespace pawl::core {
namespace {

TEST(Engine, AProgramRunsIsSeenAndEnds) {
  EngineWorld world;
  const RequestId request = world.run();
  world.turn();
  ASSERT_EQ(world.host.opens.size(), 1u);
  const SessionId session = world.session();
  EXPECT_TRUE(world.answers.empty());
  world.host.runs(session);
  world.turn();
  ASSERT_EQ(world.answers.size(), 1u);
  EXPECT_EQ(world.answers[0].request, request);
  EXPECT_TRUE(world.answers[0].done);

  world.host.prints(session, "hello \x1b[1mworld");
  world.turn();
  EXPECT_EQ(world.screen().substr(0, 11), "hello world");
  EXPECT_EQ(world.host.sessions.at(session).acknowledged, 0u) << "not on disk yet";
  EXPECT_EQ(world.engine->wake_at(), world.now.mono + kFlushEvery);
  world.turn_and_flush();
  EXPECT_EQ(world.host.sessions.at(session).acknowledged, 15u);
  EXPECT_EQ(world.recorded(session), "hello \x1b[1mworld");
  EXPECT_FALSE(world.engine->wake_at()) << "nothing to do, nothing to wake for";

  world.host.prints(session, " bye");
  world.host.ends(session, 3);
  world.turn();
  EXPECT_EQ(world.host.closes, std::vector<SessionId>{session});
  EXPECT_FALSE(world.host.lost_bytes);
  EXPECT_EQ(world.recorded(session), "hello \x1b[1mworld bye");
  EXPECT_EQ(world.agent()->state, model::State::crashed);
  EXPECT_EQ(world.screen().substr(0, 15), "hello world bye") << "still to be looked at";
  world.check_outcomes();
}

TEST(Engine, ATerminalIsClosedOnlyWhenItsLastByteIsSafe) {
  EngineWorld world;
  const SessionId session = world.running();
  world.host.prints(session, std::string(5000, 'x'));
  world.host.ends(session, 0);
  {
    FullDisk full(1000);
    world.turn();
    EXPECT_TRUE(world.host.closes.empty());
    EXPECT_TRUE(world.engine->trouble());
    ASSERT_TRUE(world.engine->wake_at());
    world.turn(kRetryEvery);
    EXPECT_TRUE(world.host.closes.empty());
  }
  world.turn(kRetryEvery);
  EXPECT_EQ(world.host.closes, std::vector<SessionId>{session});
  EXPECT_FALSE(world.host.lost_bytes);
  EXPECT_EQ(world.recorded(session), std::string(5000, 'x'));
  EXPECT_FALSE(world.engine->trouble()) << "all is well again";
}

// More than the recording's buffer takes: the rest stays with the holder and is asked for again.
TEST(Engine, WhatAFullDiskRefusedIsAskedForAgain) {
  EngineWorld world;
  const SessionId session = world.running();
  {
    FullDisk full(1000);
    for (const char c : {'a', 'b', 'c', 'd'}) {
      world.host.prints(session, std::string(600'000, c));
      world.turn(kRetryEvery);
    }
  }
  EXPECT_LT(world.host.sessions.at(session).acknowledged, 2'400'000u);
  for (int i = 0; i < 5; ++i) world.turn(kRetryEvery);
  EXPECT_EQ(world.recorded(session), world.host.history[session]);
  EXPECT_EQ(world.host.sessions.at(session).acknowledged, 2'400'000u);
  EXPECT_EQ(world.screen().substr(0, 5), "ddddd");
}

TEST(Engine, ARestartDuringAFullDiskLosesNothingOfTheOldTerminal) {
  EngineWorld world;
  const SessionId old = world.running();
  world.ask<RestartAsked>();
  world.turn();
  world.host.prints(old, std::string(5000, 'x'));
  world.host.ends(old, 0);
  {
    FullDisk full(1000);
    world.turn();
    ASSERT_NE(world.session(), old);
    EXPECT_TRUE(world.host.closes.empty());
  }
  for (int i = 0; i < 3; ++i) world.turn(kRetryEvery);
  EXPECT_EQ(world.host.closes, std::vector<SessionId>{old});
  EXPECT_FALSE(world.host.lost_bytes);
  EXPECT_EQ(world.recorded(old), std::string(5000, 'x'));
}

TEST(Engine, TheProgramGetsTheEnvironmentOfWhoAskedAndItsEnvFile) {
  EngineWorld world;
  ASSERT_TRUE(os::write_atomically(world.home / ".env", "B=over\nC=3\n"));
  RunAsked ask;
  ask.spec.name = "a";
  ask.spec.command = {"prog", "x"};
  ask.spec.dir = world.home.path();
  ask.spec.env_file = ".env";
  ask.spec.size = {90, 33};
  ask.environment = {"A=1", "B=2"};
  world.engine->submit(ask);
  world.turn();
  const auto& launch = world.host.sessions.at(world.session()).launch;
  EXPECT_EQ(launch.argv, (std::vector<std::string>{"prog", "x"}));
  EXPECT_EQ(launch.environment, (std::vector<std::string>{"A=1", "B=over", "C=3", "PAWL_AGENT=a",
                                                          "PAWL_HOME=" + world.home.path()}));
  EXPECT_EQ(launch.dir, world.home.path());
  EXPECT_EQ(launch.size, (Size{90, 33}));
}

TEST(Engine, AMissingEnvFileIsAReasonAndNothingIsOpened) {
  EngineWorld world;
  RunAsked ask;
  ask.request = world.engine->next_request();
  ask.spec.name = "a";
  ask.spec.command = {"prog"};
  ask.spec.dir = world.home.path();
  ask.spec.env_file = "no.env";
  world.engine->submit(ask);
  world.turn();
  ASSERT_EQ(world.answers.size(), 1u);
  ASSERT_FALSE(world.answers[0].done);
  EXPECT_EQ(
      world.answers[0].done.error().what,
      "the env file of 'a': cannot open " + world.home / "no.env" + ": No such file or directory");
  EXPECT_TRUE(world.host.opens.empty());
  EXPECT_FALSE(world.agent());
  world.check_outcomes();
}

TEST(Engine, ARestartedAgentKeepsItsEnvironmentInAnotherLife) {
  EngineWorld world;
  const SessionId session = world.running();
  world.host.ends(session, 0);
  world.turn();
  world.live();
  world.ask<RestartAsked>();
  world.turn();
  EXPECT_EQ(
      world.host.sessions.at(world.session()).launch.environment,
      (std::vector<std::string>{"A=1", "B=2", "PAWL_AGENT=a", "PAWL_HOME=" + world.home.path()}));
  for (const auto& event : world.journal.events)
    EXPECT_EQ(model::to_json(event).dump().find("B=2"), std::string::npos)
        << "never in the journal";
}

TEST(Engine, QuestionsOfTheProgramAreAnswered) {
  EngineWorld world;
  const SessionId session = world.running();
  world.host.prints(session, "\x1b[6n");
  world.turn();
  EXPECT_EQ(world.host.sessions.at(session).written, "\x1b[1;1R");
}

TEST(Engine, APersonIsSeenAtMostOnceASecond) {
  EngineWorld world;
  const SessionId session = world.running();
  EXPECT_FALSE(world.engine->type(world.now, "nobody", "x", "attach"));
  for (int i = 0; i < 15; ++i) {
    ASSERT_TRUE(world.engine->type(world.now, "a", "x", "attach"));
    world.turn(std::chrono::milliseconds{100});
  }
  EXPECT_EQ(world.host.sessions.at(session).written, std::string(15, 'x'));
  size_t seen = 0;
  for (const auto& event : world.journal.events)
    seen += std::holds_alternative<model::HumanSeen>(event.fact) ? 1 : 0;
  EXPECT_EQ(seen, 2u);
}

TEST(Engine, AResizeReachesProgramScreenAndRecording) {
  EngineWorld world;
  const SessionId session = world.running();
  ASSERT_TRUE(world.engine->resize(world.now, "a", {77, 22}));
  EXPECT_EQ(world.host.sessions.at(session).size, (Size{77, 22}));
  EXPECT_EQ(world.engine->terminal("a")->terminal().screen().size(), (Size{77, 22}));
  world.turn_and_flush();
  const auto text = os::read_file(
      store::parts_in(world.engine->files().disk(), world.engine->files().recordings("a"))
          .back()
          .path);
  EXPECT_NE(text->find("\"r\", \"77x22\""), std::string::npos);
  EXPECT_FALSE(world.engine->resize(world.now, "nobody", {77, 22}));
  world.host.ends(session, 0);
  world.turn();
  EXPECT_FALSE(world.engine->resize(world.now, "a", {78, 22}))
      << "an ended one has no size to change";
}

TEST(Engine, AStopBecomesAKillAtItsTime) {
  EngineWorld world;
  const SessionId session = world.running();
  world.ask<StopAsked>();
  world.turn();
  EXPECT_EQ(world.host.sessions.at(session).signals, (std::vector<int>{SIGTERM, SIGCONT}));
  const auto due = world.engine->wake_at();
  ASSERT_EQ(due, world.now.mono + std::chrono::seconds{10});
  world.turn(std::chrono::seconds{10});
  EXPECT_EQ(world.host.sessions.at(session).signals, (std::vector<int>{SIGTERM, SIGCONT, SIGKILL}));
  world.turn(std::chrono::seconds{10});
  EXPECT_EQ(world.host.sessions.at(session).signals.size(), 3u) << "once";
}

TEST(Engine, WhatAStoppedProgramLeftGetsTermAndThenKill) {
  EngineWorld world;
  world.host.leftovers = 2;
  const SessionId session = world.running();
  world.ask<StopAsked>();
  world.turn();
  world.host.ends(session, 0);
  world.turn();
  ASSERT_EQ(world.host.sweeps.size(), 1u);
  EXPECT_EQ(world.host.sweeps[0], (std::pair{std::vector<SessionId>{session}, SIGTERM}));
  EXPECT_EQ(world.engine->wake_at(), world.now.mono + kLeftoverGrace);
  world.turn(kLeftoverGrace);
  ASSERT_EQ(world.host.sweeps.size(), 2u);
  EXPECT_EQ(world.host.sweeps[1].second, SIGKILL);
  EXPECT_FALSE(world.engine->wake_at());
}

TEST(Engine, AProgramThatEndsByItselfMayLeaveOthersRunning) {
  EngineWorld world;
  const SessionId session = world.running();
  world.host.ends(session, 0);
  world.turn();
  EXPECT_TRUE(world.host.sweeps.empty());
}

TEST(Engine, RemovingTakesFilesAndTerminal) {
  EngineWorld world;
  const SessionId session = world.running();
  ASSERT_TRUE(os::exists(world.engine->files().dir("a")));
  RemoveAsked ask;
  ask.agent = "a";
  ask.force = true;
  world.engine->submit(ask);
  world.turn();
  world.host.prints(session, "last words");
  world.host.ends(session, 0);
  world.turn();
  EXPECT_FALSE(os::exists(world.engine->files().dir("a")));
  EXPECT_TRUE(world.host.sessions.empty());
  EXPECT_FALSE(world.engine->terminal("a"));
  EXPECT_FALSE(world.agent());
  world.check_outcomes();
}

TEST(Engine, ARefusedWriteIsTold) {
  EngineWorld world;
  world.host.refuses(world.running());
  world.turn();
  const auto* alert = std::get_if<model::Alerted>(&world.journal.events.back().fact);
  ASSERT_TRUE(alert);
  EXPECT_EQ(alert->text, "what was sent did not arrive: full");
}

TEST(Engine, AFailedStartHangsUpNobody) {
  EngineWorld world;
  world.run();
  world.turn();
  const SessionId session = world.session();
  world.host.fails(session, {"terminal 2 is still held for an agent of another journal"});
  world.turn();
  ASSERT_EQ(world.answers.size(), 1u);
  EXPECT_FALSE(world.answers[0].done);
  EXPECT_FALSE(world.agent()) << "a first start that fails leaves nothing behind";
  EXPECT_TRUE(world.host.closes.empty()) << "the number may be another's";
}

}  // namespace
}  // namespace pawl::core
