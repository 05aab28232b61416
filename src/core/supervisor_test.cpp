#include "core/supervisor.h"

#include <gtest/gtest.h>

#include <set>

#include "core/supervisor_world.h"

namespace pawl::core {
namespace {

using model::Decided;
using model::Finished;

TEST(Supervisor, ARunIsAnsweredWhenTheProgramRuns) {
  World world;
  world.feed(World::run(5));
  EXPECT_TRUE(world.answers.empty()) << "not before it is known";
  const SessionId session = world.session();
  EXPECT_EQ(session.value, world.agent()->intent->seq.value) << "named after its decision";
  world.pass(std::chrono::milliseconds{120});
  world.feed(world.opened());
  ASSERT_EQ(world.answers.size(), 1u);
  EXPECT_EQ(world.answers[0].request, RequestId{5});
  EXPECT_TRUE(world.answers[0].done);
  EXPECT_EQ(world.agent()->process, (model::Process{42, 4242}));
  const auto& outcome = std::get<Finished>(world.journal.at(3).fact);
  EXPECT_EQ(outcome.took_ms, 120);
  EXPECT_EQ(outcome.decision, Seq{2});
}

TEST(Supervisor, AFailedRunIsAnsweredWithTheReasonAndLeavesNothing) {
  World world;
  world.feed(World::run(5));
  world.feed(TerminalFailed{world.session(), {"no such command: prog", "install it", 127}});
  ASSERT_EQ(world.answers.size(), 1u);
  EXPECT_EQ(world.answers[0].done.error(), (Error{"no such command: prog", "install it", 127}));
  EXPECT_FALSE(world.agent());
}

TEST(Supervisor, ALaterFailureKeepsTheAgent) {
  World world;
  world.bring(Condition::exited);
  world.feed(RestartAsked{RequestId{1}, "a", "x"});
  world.feed(TerminalFailed{world.session(), {"gone", "", 1}});
  ASSERT_TRUE(world.agent());
  EXPECT_EQ(world.agent()->state, model::State::crashed);
  EXPECT_EQ(world.agent()->because, "it could not be started: gone");
}

TEST(Supervisor, AStopGetsItsKillOnceAtTheEndOfTheGrace) {
  World world;
  world.bring(Condition::running);
  EXPECT_FALSE(world.supervisor.wake_at());
  world.feed(StopAsked{RequestId{1}, "a", "x"});
  EXPECT_EQ(world.supervisor.wake_at(), world.now.mono + kGrace);
  world.pass(kGrace);
  EXPECT_EQ(Told::of(world.feed(Tick{})), "| KILL | escalated");
  EXPECT_FALSE(world.supervisor.wake_at());
  EXPECT_EQ(Told::of(world.feed(Tick{})), "-");
  EXPECT_EQ(Told::of(world.feed(world.ended(-1, SIGKILL))),
            "S:exited F:stop:confirmed | close+sweep | ok");
}

TEST(Supervisor, TheGraceIsTheAgentsOwn) {
  World world;
  RunAsked run = World::run();
  run.spec.stop_grace_s = 0.5;
  world.feed(run);
  world.feed(world.opened());
  world.feed(StopAsked{{}, "a", "x"});
  EXPECT_EQ(world.supervisor.wake_at(), world.now.mono + std::chrono::milliseconds{500});
}

// The time of the old program is not held against the new one.
TEST(Supervisor, ARestartThatIsOpeningIsNeverKilled) {
  World world;
  world.bring(Condition::restarting);
  world.pass(kGrace - Duration{1});
  world.feed(world.ended(0));
  ASSERT_EQ(world.agent()->state, model::State::starting);
  world.pass(kGrace);
  EXPECT_FALSE(world.supervisor.wake_at());
  EXPECT_EQ(Told::of(world.feed(Tick{})), "-");
}

TEST(Supervisor, EverybodyWhoAskedForTheSameStopIsAnswered) {
  World world;
  world.bring(Condition::running);
  world.feed(StopAsked{RequestId{1}, "a", "x"});
  world.feed(StopAsked{RequestId{2}, "a", "x"});
  EXPECT_TRUE(world.answers.empty());
  world.feed(world.ended(0));
  ASSERT_EQ(world.answers.size(), 2u);
  EXPECT_EQ(world.answers[0].request, RequestId{1});
  EXPECT_EQ(world.answers[1].request, RequestId{2});
}

// "stopped" must be true when it is said.
TEST(Supervisor, AStopDuringARestartStops) {
  for (const auto condition : {Condition::restarting, Condition::reopening}) {
    World world;
    world.bring(condition);
    world.feed(StopAsked{RequestId{2}, "a", "x"});
    world.feed(world.opened());
    world.feed(world.ended(0));
    ASSERT_EQ(world.answers.size(), 2u);
    EXPECT_EQ(world.answers.back().request, RequestId{2});
    EXPECT_TRUE(world.answers.back().done);
    EXPECT_FALSE(world.agent()->running());
    EXPECT_FALSE(world.agent()->intent);
  }
}

TEST(Supervisor, AStopOfAStartThatFailsIsOver) {
  World world;
  world.bring(Condition::starting);
  world.feed(StopAsked{RequestId{2}, "a", "x"});
  world.feed(TerminalFailed{world.session(), {"no", "", 1}});
  EXPECT_FALSE(world.agent()->intent);
  EXPECT_FALSE(world.agent()->running());
  EXPECT_EQ(world.answers.back().request, RequestId{2});
}

TEST(Supervisor, WhatIsSentIsNeverInTheJournal) {
  World world;
  world.bring(Condition::running);
  world.feed(WriteAsked{{}, "a", model::Action::send, "my password", "asked to send 11 bytes"});
  for (const auto& event : world.journal)
    EXPECT_EQ(model::to_json(event).dump().find("password"), std::string::npos);
  EXPECT_EQ(std::get<WriteTerminal>(world.effects.at(0)).bytes, "my password");
}

// How long until the first text is typed, from now on.
Duration waits(World& world) {
  std::optional<MonoTime> later;
  if (!world.supervisor.due(world.now, later).empty()) return Duration{0};
  return later ? *later - world.now.mono : Duration::max();
}

// It was tried every four seconds for the rest of the night, with two lines of the journal each time.
TEST(Supervisor, ATextThatIsWithdrawnAgainAndAgainWaitsLongerEachTime) {
  World world;
  world.bring(Condition::running);
  const auto seen = [&](model::State state) {
    Perceived sight;
    sight.session = world.session();
    sight.state = state;
    world.feed(sight);
  };
  seen(model::State::ready);
  SendAsked ask{RequestId{7}, "a", {}, false};
  ask.item.item = 1;
  world.feed(ask);
  const auto withdrawn = [&] {
    world.pass(waits(world));
    if (!world.agent()->intent) world.feed(DeliveryDue{"a"});
    world.feed(Delivered{world.agent()->intent->seq,
                         {act::Verdict::withdrawn, "its box is not on the screen"}});
    return waits(world) / kTryAgain;
  };
  EXPECT_EQ(withdrawn(), 1);
  EXPECT_EQ(withdrawn(), 2);
  EXPECT_EQ(withdrawn(), 4);
  for (int i = 0; i < 10; ++i) withdrawn();
  EXPECT_EQ(waits(world), kTryAgainMost);
  seen(model::State::busy);
  seen(model::State::ready);
  EXPECT_EQ(waits(world), kTryAgain) << "something changed";
  EXPECT_EQ(withdrawn(), 1);
}

TEST(Supervisor, AnOldSessionMovesNothing) {
  World world;
  world.bring(Condition::reopening);
  const SessionId old{2};
  ASSERT_NE(world.session(), old);
  for (const Input& input :
       {Input{TerminalOpened{old, {1, 1}}}, Input{TerminalFailed{old, {"x", "", 1}}},
        Input{ProgramEnded{old, {0, 0, true}}}, Input{WriteLost{old, "x"}}})
    EXPECT_EQ(Told::of(world.supervisor.plan(world.now, input)), "-");
}

// The next life of the daemon, after the journal.
World reborn(const World& before) {
  World world(before.folded());
  world.journal = before.journal;
  world.now = clock_at(5);  // another boot: the old monotonic time means nothing
  return world;
}

TEST(Supervisor, RecoveredLooksAtEveryOpenIntentOnce) {
  struct Row {
    Condition condition;
    const char* found;
    const char* gone;
  };
  const std::vector<Row> rows{
      {Condition::starting, "F:start:confirmed S:unknown | |", "F:start:failed S:crashed | |"},
      {Condition::running, "-", "S:crashed | |"},
      {Condition::stopping, "| TERM CONT |", "F:stop:confirmed S:crashed | |"},
      {Condition::restarting, "| TERM CONT |", "F:restart:failed S:crashed | |"},
      {Condition::reopening, "F:restart:confirmed S:unknown | |", "F:restart:failed S:crashed | |"},
      {Condition::removing, "| TERM CONT |", "F:remove:confirmed S:crashed removed | rm |"},
      {Condition::exited, "-", "-"},
      {Condition::crashed, "-", "-"}};
  for (const auto& row : rows) {
    World before;
    before.bring(row.condition);
    World found = reborn(before), gone = reborn(before);
    EXPECT_EQ(Told::of(found.feed(Recovered{{{before.session(), {42, 4242}}}})), row.found);
    EXPECT_EQ(Told::of(gone.feed(Recovered{})), row.gone);
    EXPECT_EQ(Told::of(gone.feed(Recovered{})), "-") << "once";
  }
}

TEST(Supervisor, AStopOfAnEarlierLifeGetsItsGraceAndKillInThisOne) {
  World before;
  before.bring(Condition::stopping);
  World world = reborn(before);
  EXPECT_FALSE(world.supervisor.wake_at());
  world.feed(Recovered{{{before.session(), {42, 4242}}}});
  EXPECT_EQ(world.supervisor.wake_at(), world.now.mono + kGrace);
  world.pass(kGrace);
  EXPECT_EQ(Told::of(world.feed(Tick{})), "| KILL | escalated");
  EXPECT_EQ(Told::of(world.feed(world.ended(-1, SIGKILL))),
            "S:exited F:stop:confirmed | close+sweep |");
}

TEST(Supervisor, RequestOfKnowsEveryWish) {
  const RequestId id{3};
  for (const Input& wish :
       {Input{RunAsked{id, {}, {}, ""}}, Input{StartAsked{id, "", ""}},
        Input{StopAsked{id, "", ""}}, Input{RestartAsked{id, "", ""}},
        Input{RemoveAsked{id, "", false}}, Input{WriteAsked{id, "", model::Action::send, "", ""}}})
    EXPECT_EQ(request_of(wish), id);
  for (const Input& happening :
       {Input{Tick{}}, Input{HumanTyped{}}, Input{Recovered{}}, Input{TerminalOpened{}}})
    EXPECT_EQ(request_of(happening), RequestId{});
}

}  // namespace
}  // namespace pawl::core
