#include "model/fleet.h"

#include <gtest/gtest.h>

#include "model/everything.h"

namespace pawl::model {
namespace {

// A fleet fed with facts; each gets the next number and a time of its own.
struct World {
  Fleet fleet;
  WallTime at(uint64_t seq) const { return wall(static_cast<int64_t>(seq) * 1'000'000); }
  Seq feed(const std::string& agent, Fact fact) {
    const Seq seq{fleet.last.value + 1};
    apply(fleet, Event{seq, at(seq.value), agent, std::move(fact)});
    return seq;
  }
  const Agent& a() const { return fleet.agents.at("a"); }
};

StateChanged to(State state, std::optional<Ending> ending = {}) {
  return {State::unknown, state, "k", Tier::osc, "b", 0.5, ending};
}

// Registered, decided, opening, running.
World running() {
  World world;
  world.feed("a", Registered{full_spec("a")});
  const Seq decision = world.feed("a", Decided{Action::start, "asked", 1});
  world.feed("a", to(State::starting));
  world.feed("a", Finished{Action::start, decision, Verdict::confirmed, "", 0, Process{9, 8}});
  world.feed("a", to(State::unknown));
  return world;
}

TEST(Fold, RegisteredMakesAnAgentThatNeverRan) {
  World world;
  world.feed("a", Registered{full_spec("a")});
  EXPECT_EQ(world.a().spec, full_spec("a"));
  EXPECT_EQ(world.a().since, world.at(1));
  EXPECT_TRUE(world.a().never_started());
  EXPECT_FALSE(world.a().running());
  EXPECT_EQ(world.fleet.last, Seq{1});
}

TEST(Fold, RegisteredAgainChangesTheSpecAndNothingElse) {
  World world = running();
  Agent before = world.a();
  AgentSpec other = full_spec("a");
  other.dir = "/elsewhere";
  world.feed("a", Registered{other});
  before.spec = other;
  EXPECT_EQ(world.a(), before);
}

TEST(Fold, DecidedOpensTheIntent) {
  World world;
  world.feed("a", Registered{});
  world.feed("a", Decided{Action::stop, "x", 1});
  EXPECT_EQ(world.a().intent, (Intent{Seq{2}, Action::stop, world.at(2)}));
}

TEST(Fold, StartingTakesTheSessionOfItsDecision) {
  World world;
  world.feed("a", Registered{});
  const Seq decision = world.feed("a", Decided{});
  world.feed("a", to(State::starting));
  EXPECT_EQ(world.a().session, SessionId{decision.value});
  EXPECT_EQ(world.a().starts, 1);
  EXPECT_EQ(world.a().restarts, 0);
  EXPECT_TRUE(world.a().running());
  EXPECT_EQ(world.a().last_alive, world.at(3));
}

TEST(Fold, StateChangedCopiesWhatItSays) {
  World world = running();
  world.feed("a", to(State::busy));
  EXPECT_EQ(world.a().state, State::busy);
  EXPECT_EQ(world.a().kind, "k");
  EXPECT_EQ(world.a().tier, Tier::osc);
  EXPECT_EQ(world.a().because, "b");
  EXPECT_EQ(world.a().confidence, 0.5);
  EXPECT_EQ(world.a().since, world.at(6));
  EXPECT_EQ(world.a().last_alive, world.at(6));
}

TEST(Fold, ItWasAliveUpToItsEnd) {
  World world = running();
  StateChanged end = to(State::crashed, Ending{3, 0, true});
  const Seq died = world.feed("a", end);
  EXPECT_EQ(world.a().ending, (Ending{3, 0, true}));
  EXPECT_EQ(world.a().last_alive, world.at(died.value));
  end.from = State::crashed;
  world.feed("a", end);
  EXPECT_EQ(world.a().last_alive, world.at(died.value)) << "and not after it";
  EXPECT_FALSE(world.a().running());
  EXPECT_FALSE(world.a().never_started());
}

TEST(Fold, RestartCountsAndForgetsTheLastLife) {
  World world = running();
  const SessionId before = world.a().session;
  const Seq decision = world.feed("a", Decided{Action::restart, "asked", 1});
  world.feed("a", to(State::exited, Ending{0, 0, true}));
  EXPECT_EQ(world.a().session, before);
  world.feed("a", to(State::starting));
  EXPECT_EQ(world.a().session, SessionId{decision.value});
  EXPECT_EQ(world.a().starts, 2);
  EXPECT_EQ(world.a().restarts, 1);
  EXPECT_FALSE(world.a().process);
  EXPECT_FALSE(world.a().ending);
}

TEST(Fold, FinishedClosesItsOwnIntentOnly) {
  World world = running();
  world.feed("a", Decided{Action::stop, "x", 1});
  world.feed("a", Finished{Action::stop, Seq{1}, Verdict::failed, "", 0, {}});
  EXPECT_TRUE(world.a().intent) << "the outcome of another decision";
  world.feed("a", Finished{Action::stop, Seq{6}, Verdict::failed, "", 0, {}});
  EXPECT_FALSE(world.a().intent);
  EXPECT_EQ(world.a().process, (Process{9, 8})) << "an outcome without a process keeps the old one";
}

TEST(Fold, FinishedBringsTheProcess) {
  const World world = running();
  EXPECT_EQ(world.a().process, (Process{9, 8}));
  EXPECT_FALSE(world.a().intent);
}

TEST(Fold, HumanSeenIsATime) {
  World world = running();
  world.feed("a", HumanSeen{});
  EXPECT_EQ(world.a().human_last_seen, world.at(6));
  world.feed("a", HumanSeen{"a file", world.at(3)});
  EXPECT_EQ(world.a().human_last_seen, world.at(3));
}

TEST(Fold, WhatWasLearntStaysAcrossRestarts) {
  World world = running();
  world.feed("a", Learned{"0f7c", "/x/0f7c.jsonl"});
  EXPECT_EQ(world.a().session_id, "0f7c");
  world.feed("a", Decided{Action::restart, "asked", 1});
  world.feed("a", to(State::starting));
  EXPECT_EQ(world.a().session_id, "0f7c") << "it is what a resume needs";
  EXPECT_EQ(world.a().transcript, "/x/0f7c.jsonl");
  world.feed("a", Learned{"1111", ""});
  EXPECT_EQ(world.a().session_id, "1111");
  EXPECT_EQ(world.a().transcript, "") << "of another conversation";
}

TEST(Fold, AnAlertChangesNothing) {
  World world = running();
  const Agent before = world.a();
  world.feed("a", Alerted{Severity::error, "x"});
  EXPECT_EQ(world.a(), before);
  EXPECT_EQ(world.fleet.last, Seq{6});
}

TEST(Fold, RemovedForgetsAndLateEventsDoNotBringItBack) {
  World world = running();
  world.feed("a", Removed{});
  EXPECT_TRUE(world.fleet.agents.empty());
  for (const Fact& late : {Fact{to(State::busy)}, Fact{Decided{}}, Fact{Finished{}},
                           Fact{HumanSeen{}}, Fact{Removed{}}})
    world.feed("a", late);
  EXPECT_TRUE(world.fleet.agents.empty());
  EXPECT_EQ(world.fleet.last, Seq{11});
}

TEST(Fold, AnEventOfTheFleetMovesOnlyTheNumber) {
  World world = running();
  const auto before = world.fleet.agents;
  world.feed("", Alerted{Severity::error, "disk"});
  EXPECT_EQ(world.fleet.agents, before);
  EXPECT_EQ(world.fleet.last, Seq{6});
}

TEST(Fleet, SnapshotKeepsEverything) {
  Fleet fleet;
  fleet.last = Seq{123456};
  fleet.agents["full"] = full_agent("full");
  fleet.agents["empty"] = Agent{};
  fleet.agents["signalled"] = full_agent("signalled");
  fleet.agents["signalled"].ending = Ending{-1, 9, true};
  fleet.agents["unseen"].ending = Ending{-1, 0, false};
  const auto json = Json::parse(to_json(fleet).dump());
  ASSERT_TRUE(json);
  const auto back = fleet_from(*json);
  ASSERT_TRUE(back) << text_of(back.error());
  EXPECT_EQ(*back, fleet);
}

TEST(Fleet, ADamagedSnapshotIsRefused) {
  for (const char* text : {"{}", "[]", R"({"agents": []})", R"({"agents": {"a": {}}})",
                           R"({"agents": {"a": {"state": "dancing", "spec": {}}}})",
                           R"({"agents": {"a": {"state": "busy"}}})"})
    EXPECT_FALSE(fleet_from(*Json::parse(text))) << text;
}

TEST(Fleet, FindsBySessionButNeverByNone) {
  Fleet fleet;
  fleet.agents["a"] = Agent{};
  fleet.agents["b"] = full_agent("b");
  EXPECT_EQ(fleet.by_session(SessionId{77}), &fleet.agents["b"]);
  EXPECT_EQ(fleet.by_session(SessionId{}), nullptr);
  EXPECT_EQ(fleet.by_session(SessionId{1}), nullptr);
  EXPECT_EQ(fleet.find("a"), &fleet.agents["a"]);
  EXPECT_EQ(fleet.find("c"), nullptr);
}

// Everything that a rule may compare with now, after a day that nobody saw or that never was.
World with_times() {
  World world = running();
  world.feed("a", TaskGiven{});
  Agent& a = world.fleet.agents.at("a");
  a.memory.rested = a.memory.matter.last = wall(100);
  a.memory.restarts = {wall(101)};
  a.memory.desk.given = Given{{"w", ""}, wall(102), true};
  a.memory.sessions.ended = wall(103);
  a.human_last_seen = a.memory.human = wall(104);
  a.limited_until = wall(105);
  a.task->report.until = wall(106);
  return world;
}

TEST(Fold, ATaskThatWaitedForItsLimitHasThatTimeLeft) {
  World world = with_times();
  Agent& a = world.fleet.agents.at("a");
  a.task->report.trouble = "limit";
  a.state = State::exited;
  a.since = world.at(1);
  StateChanged starts;
  starts.from = State::exited;
  starts.to = State::starting;
  world.feed("a", starts);
  EXPECT_EQ(world.a().memory.task_unseen, world.fleet.agents.at("a").since - world.at(1));
  EXPECT_GT(world.a().memory.task_unseen, Duration{0});
}

TEST(Fold, AGapIsNoTimeOfAnything) {
  World world = with_times();
  const Agent before = world.a();
  const Duration day = std::chrono::hours{24};
  world.feed("", Gap{day, "the machine slept"});
  const Agent& a = world.a();
  EXPECT_EQ(a.since, before.since + day);
  EXPECT_EQ(a.changed, before.changed) << "that is when it was";
  EXPECT_EQ(a.last_alive, *before.last_alive + day);
  EXPECT_EQ(a.memory.rested, wall(100) + day);
  EXPECT_EQ(a.memory.matter.last, wall(100) + day);
  EXPECT_EQ(a.memory.desk.given->at, wall(102) + day);
  EXPECT_EQ(a.memory.task_unseen, day);
  EXPECT_EQ(a.task->started, before.task->started);
  EXPECT_EQ(counted_end(a.memory.sessions), wall(103) + day);
  EXPECT_EQ(a.memory.sessions.ended, wall(103));
  EXPECT_EQ(a.memory.restarts, std::vector<WallTime>{wall(101) + day}) << "nothing cooled down";
  EXPECT_EQ(a.memory.human, wall(104) + day) << "the gate stays shut as long as ever";
  EXPECT_EQ(a.human_last_seen, before.human_last_seen) << "that is when it was";
  EXPECT_EQ(a.limited_until, before.limited_until);
}

TEST(Fold, AClockThatWasSetMovesEveryTimeButTheEndOfALimit) {
  for (const Duration by : {Duration{std::chrono::hours{24}}, Duration{-std::chrono::hours{24}}}) {
    World world = with_times();
    const Agent before = world.a();
    world.feed("", Gap{by, "the clock was set", by});
    const Agent& a = world.a();
    EXPECT_EQ(a.since, before.since + by);
    EXPECT_EQ(a.changed, before.changed + by);
    EXPECT_EQ(a.last_alive, *before.last_alive + by);
    EXPECT_EQ(a.memory.rested, wall(100) + by);
    EXPECT_EQ(a.memory.restarts, std::vector<WallTime>{wall(101) + by});
    EXPECT_EQ(a.memory.desk.given->at, wall(102) + by);
    EXPECT_EQ(counted_end(a.memory.sessions), wall(103) + by);
    EXPECT_EQ(a.human_last_seen, wall(104) + by);
    EXPECT_EQ(a.memory.human, wall(104) + by);
    EXPECT_EQ(a.task->started, before.task->started + by);
    EXPECT_EQ(a.memory.task_unseen, Duration{});
    EXPECT_EQ(a.limited_until, wall(105));
    EXPECT_EQ(a.task->report.until, wall(106));
  }
}

// What is tried against a trouble is counted on while turns end in it: a program that tries for a minute has not worked.
TEST(Fleet, ATurnThatEndsInTheTroubleItWasToEndIsNoWork) {
  for (const char* trouble : {"auth", "context"}) {
    Fleet fleet;
    uint64_t seq = 0;
    const auto go = [&](State to, int64_t s, std::vector<Notice> notices) {
      StateChanged fact;
      fact.from = fleet.agents["a"].state;
      fact.to = to;
      fact.notices = std::move(notices);
      apply(fleet, {Seq{++seq}, wall(s * 1'000'000), "a", fact});
    };
    const Matter matter{trouble, 2, wall(50'000'000), false};
    fleet.agents["a"].spec.name = "a";
    go(State::ready, 10, {});
    fleet.agents["a"].memory.matter = matter;
    go(State::busy, 100, {});
    go(State::ready, 160, {{trouble, "it did not work", {}}});
    EXPECT_EQ(fleet.find("a")->memory.matter, matter) << trouble;
    go(State::busy, 200, {});
    go(State::ready, 201 + 600, {{trouble, "again", {}}});
    EXPECT_EQ(fleet.find("a")->memory.matter, Matter{}) << "it had worked for ten minutes";
    fleet.agents["a"].memory.matter = matter;
    go(State::busy, 1000, {});
    go(State::ready, 1060, {});
    EXPECT_EQ(fleet.find("a")->memory.matter, Matter{}) << "it works";
  }
}

TEST(Fleet, ATimeInWhichNobodyCouldReadIsNoTimeSinceTheLastWord) {
  Fleet fleet;
  Forgotten word;
  word.upto = wall(5);
  apply(fleet, {Seq{1}, wall(10), "", word});
  apply(fleet, {Seq{2}, wall(90), "", Gap{Duration{70}, "it slept"}});
  EXPECT_EQ(fleet.last_word, (LastWord{wall(80), wall(5)}));
}

TEST(Fleet, WhatOtherMachinesSayOfAnAccountIsKeptUntilItIsOver) {
  Fleet fleet;
  fleet.agents["a"] = full_agent("a");
  fleet.agents["a"].spec.account = "work";
  const Agent& agent = fleet.agents["a"];
  EXPECT_EQ(fleet.limit_of(agent), nullptr);
  const WallTime later = wall(0) + std::chrono::hours{2};
  apply(fleet, {Seq{1}, wall(1), "", AccountSeen{"work", "gpu", later, {}}});
  apply(fleet, {Seq{2}, wall(2), "", AccountSeen{"home", "gpu", later, later}});
  EXPECT_EQ(*fleet.limit_of(agent), (AccountLimit{"gpu", later, {}}));
  EXPECT_EQ(*fleet_from(to_json(fleet)), fleet);
  apply(fleet, {Seq{3}, wall(3), "", AccountSeen{"home"}});
  EXPECT_FALSE(fleet.accounts.contains("home"));
  apply(fleet, {Seq{4}, later + kAccountKept + std::chrono::seconds{1}, "", AccountSeen{"home"}});
  EXPECT_EQ(fleet.limit_of(agent), nullptr) << "nobody said more, and it was over long ago";
}

TEST(Fleet, ATaskThatIsFiledLeavesAndComesBackAsItWas) {
  Fleet fleet;
  const Agent agent = full_agent("claude-t");
  const std::string record = to_json(agent).dump();
  apply(fleet, {Seq{1}, wall(1), "claude-t", TaskRecalled{record}});
  ASSERT_NE(fleet.find("claude-t"), nullptr);
  EXPECT_EQ(*fleet.find("claude-t"), agent);
  apply(fleet, {Seq{2}, wall(2), "claude-t", TaskFiled{}});
  EXPECT_EQ(fleet.find("claude-t"), nullptr);
  apply(fleet, {Seq{3}, wall(3), "claude-t", TaskRecalled{"no record"}});
  EXPECT_EQ(fleet.find("claude-t"), nullptr) << "what cannot be read is nobody";
}

}  // namespace
}  // namespace pawl::model
