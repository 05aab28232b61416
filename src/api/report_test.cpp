#include "api/report.h"

#include <gtest/gtest.h>

#include "api/client_world.h"
#include "model/everything.h"

namespace pawl::api {
namespace {

using model::Action;
using model::State;
using model::Verdict;
using std::chrono::milliseconds;
using std::chrono::seconds;

const WallTime kSince = model::wall(1'000'000'000'000'000), kUntil = kSince + seconds{1000};

model::Agent agent_in(State state, model::Restart restart = model::Restart::resume) {
  model::Agent agent;
  agent.state = state;
  agent.starts = 1;
  agent.spec.restart = restart;
  return agent;
}

// A night of the agent "a", and what the report says of it.
struct Night {
  model::Fleet fleet;
  std::vector<model::Event> events;

  explicit Night(model::Agent now) { fleet.agents["a"] = std::move(now); }
  Seq at(int s, model::Fact fact, const std::string& agent = "a") {
    events.push_back({Seq{events.size() + 1}, kSince + seconds{s}, agent, std::move(fact)});
    return events.back().seq;
  }
  void state(int s, State from, State to) {
    model::StateChanged fact;
    fact.from = from;
    fact.to = to;
    at(s, fact);
  }
  Seq decide(int s, Action action, const std::string& rule, bool dry = false) {
    model::Decided fact;
    fact.action = action;
    fact.rule = rule;
    fact.because = "why";
    fact.dry = dry;
    return at(s, fact);
  }
  void finish(int s, Action action, Seq decision, Verdict verdict) {
    model::Finished fact;
    fact.action = action;
    fact.decision = decision;
    fact.verdict = verdict;
    fact.witness = "seen";
    fact.took_ms = 12;
    at(s, fact);
  }
  Json report() const {
    ReportFold fold(kSince, kUntil, fleet);
    for (const auto& event : events) fold.take(event);
    return fold.finish(fleet);
  }
  Json agent() const { return report()["agents"].items().at(0); }
};

double lost(const Json& agent, const char* why) {
  return agent["lost"][why].as_double();
}

TEST(Report, TimeIsByState) {
  Night night(agent_in(State::ready));
  night.state(100, State::ready, State::busy);
  night.state(400, State::busy, State::ready);
  night.state(500, State::ready, State::busy);
  night.state(600, State::busy, State::waiting);
  night.state(650, State::waiting, State::busy);
  night.state(700, State::busy, State::limited);
  night.state(900, State::limited, State::ready);
  const Json report = night.report();
  const Json& agent = report["agents"].items()[0];
  EXPECT_EQ(agent["time"].dump(), R"({"busy":450.0,"limited":200.0,"ready":300.0,"waiting":50.0})");
  EXPECT_EQ(agent["lost"].dump(),
            R"({"limited":200.0,"crashed":0.0,"waiting":50.0,"stuck":0.0,"idle":300.0})");
  EXPECT_EQ(agent["turns"].as_int(), 1);
  EXPECT_TRUE(agent["tokens"].is_null());
  EXPECT_EQ(report["totals"]["time"], agent["time"]);
}

TEST(Report, NothingChangedIsHowItIsNow) {
  Night night(agent_in(State::stuck));
  EXPECT_EQ(lost(night.agent(), "stuck"), 1000);
  Night later(agent_in(State::ready));
  later.state(1500, State::limited, State::ready);  // after the end
  EXPECT_EQ(lost(later.agent(), "limited"), 1000);
  EXPECT_EQ(lost(later.agent(), "idle"), 0);
}

TEST(Report, DownIsLostUntilItRunsAgainWhenItShouldRun) {
  const auto crash = [](model::Restart restart) {
    Night night(agent_in(State::busy, restart));
    night.state(100, State::busy, State::crashed);
    night.decide(400, Action::restart, restart == model::Restart::never ? "" : "restart");
    night.state(400, State::crashed, State::starting);
    night.state(410, State::starting, State::busy);
    return lost(night.agent(), "crashed");
  };
  EXPECT_EQ(crash(model::Restart::resume), 300);
  EXPECT_EQ(crash(model::Restart::never), 0) << "nobody wanted it to run on";
}

TEST(Report, ACrashThatOnlyAPersonEndedIsLostAsWell) {
  Night night(agent_in(State::busy));
  night.state(100, State::busy, State::crashed);
  night.decide(700, Action::restart, "");  // in the morning
  night.state(700, State::crashed, State::starting);
  EXPECT_EQ(lost(night.agent(), "crashed"), 600);
}

TEST(Report, WhatAPersonStoppedOrPausedIsNotLost) {
  Night stopped(agent_in(State::exited));
  stopped.decide(200, Action::stop, "");
  stopped.state(201, State::busy, State::exited);
  EXPECT_EQ(lost(stopped.agent(), "crashed"), 0);

  Night before(agent_in(State::exited));
  before.fleet.agents["a"].memory.dismissed = true;
  EXPECT_EQ(lost(before.agent(), "crashed"), 0);
  before.fleet.agents["a"].memory.dismissed = false;
  EXPECT_EQ(lost(before.agent(), "crashed"), 1000);

  Night paused(agent_in(State::ready));
  paused.at(300, model::Paused{true, "me"});
  paused.at(800, model::Paused{false, "me"});
  EXPECT_EQ(lost(paused.agent(), "idle"), 500);
}

TEST(Report, AGapCountsAsNothing) {
  Night night(agent_in(State::ready));
  night.at(600, model::Gap{seconds{400}, "suspended"}, "");
  const Json agent = night.agent();
  EXPECT_EQ(lost(agent, "idle"), 600);
  EXPECT_EQ(agent["time"]["unwatched"].as_double(), 400);
  night.at(700, model::Registered{}, "b");  // was not there
  night.fleet.agents["b"].spec.name = "b";
  EXPECT_EQ(night.report()["agents"].items().at(1)["time"].dump(), R"({"unknown":300.0})");
}

TEST(Report, ANewAgentsTimeBeginsWithIt) {
  Night night(agent_in(State::ready));
  night.at(900, model::Requested{});  // by whom
  night.at(900, model::Registered{});
  night.state(900, State::unknown, State::starting);
  night.state(910, State::starting, State::ready);
  EXPECT_EQ(night.agent()["time"].dump(), R"({"ready":90.0,"starting":10.0})");
}

TEST(Report, ARemovedAgentKeepsItsTime) {
  Night night(agent_in(State::ready));
  night.at(300, model::StateChanged{State::busy, State::exited, "", {}, "", 1, {}}, "gone");
  night.at(310, model::Removed{}, "gone");
  const Json report = night.report();
  ASSERT_EQ(report["agents"].items().size(), 2u);
  const Json& gone = report["agents"].items()[1];
  EXPECT_TRUE(gone["state"].is_null());
  EXPECT_EQ(gone["time"].dump(), R"({"busy":300.0,"exited":10.0})");
}

TEST(Report, InterventionsAreJoinedWithTheirOutcomes) {
  Night night(agent_in(State::ready));
  night.finish(10, Action::nudge, Seq{9999}, Verdict::confirmed);  // decided before
  const Seq nudge = night.decide(20, Action::nudge, "nudge");
  night.finish(21, Action::nudge, nudge, Verdict::confirmed);
  const Seq restart = night.decide(30, Action::restart, "restart");
  night.finish(31, Action::restart, restart, Verdict::failed);
  const Seq asked = night.decide(40, Action::restart, "");
  night.finish(41, Action::restart, asked, Verdict::confirmed);
  const Seq dry = night.decide(50, Action::nudge, "nudge", true);
  night.finish(50, Action::nudge, dry, Verdict::unverified);
  night.decide(60, Action::answer, "dialog");
  const Json report = night.report();
  const auto& list = report["interventions"].items();
  ASSERT_EQ(list.size(), 4u);
  EXPECT_EQ(list[0]["action"].as_string(), "answer") << "the newest first";
  EXPECT_TRUE(list[0]["result"].is_null()) << "under way";
  EXPECT_TRUE(list[1]["dry_run"].as_bool());
  EXPECT_EQ(list[2]["result"].as_string(), "failed");
  EXPECT_EQ(list[3].dump(), R"({"machine":null,"seq":2,"at":")" + rfc3339(kSince + seconds{20}) +
                                R"(","agent":"a","action":"nudge","because":"why","rule":"nudge",)"
                                R"("result":"confirmed","witness":"seen","took_ms":12})");
  EXPECT_EQ(report["totals"]["interventions"].dump(),
            R"({"confirmed":1,"failed":1,"unverified":0,"refused":0})");
  EXPECT_EQ(report["totals"]["nudges"].as_int(), 2) << "a dry one is none";
  EXPECT_EQ(report["totals"]["restarts"].as_int(), 1) << "a failed one is none";
}

TEST(Report, ManyInterventionsAreCountedAndTheNewestKept) {
  Night night(agent_in(State::ready));
  for (int i = 0; i < 600; ++i) {
    const Seq one = night.decide(i, Action::nudge, "nudge");
    night.finish(i, Action::nudge, one, Verdict::unverified);
  }
  const Json report = night.report();
  EXPECT_EQ(report["interventions"].items().size(), kInterventionsKept);
  EXPECT_EQ(report["totals"]["interventions"]["unverified"].as_int(), 600);
}

TEST(Report, WorkAndWhatItCost) {
  Night night(agent_in(State::busy));
  night.at(10, model::WorkSettled{"w1", true, false, ""});
  night.at(20, model::WorkSettled{"w2", false, false, ""});
  night.at(30, model::Spent{"2001-09-09", 1000, 0.25});
  night.at(40, model::Spent{"2001-09-09", 500, std::nullopt});
  model::TaskTold told;
  told.report.tokens = 700;
  night.at(50, told);  // a run that began before: only what comes now counts
  told.report.tokens = 900;
  night.at(60, told);
  night.at(2000, model::Spent{"2001-09-09", 9, 9.0});
  const Json agent = night.agent();
  EXPECT_EQ(agent["work_done"].as_int(), 1);
  EXPECT_EQ(agent["tokens"].as_int(), 1700);
  EXPECT_EQ(agent["cost_usd"].as_double(), 0.25);
}

TEST(Report, QuestionsAreThoseOfNow) {
  model::Agent asker = agent_in(State::waiting);
  asker.kind = "permission";
  asker.since = asker.changed = kSince;
  asker.dialog = model::Dialog{"May I?", {{"Yes", model::Cost::allow}, {"No", model::Cost::deny}}};
  Night night(asker);
  night.fleet.agents["b"] = agent_in(State::waiting);
  night.fleet.agents["b"].because = "it asks something";
  const Json report = night.report();
  const Json& list = report["questions"];
  ASSERT_EQ(list.items().size(), 2u);
  EXPECT_EQ(list.items()[0]["text"].as_string(), "May I?");
  EXPECT_EQ(list.items()[0]["rows"].items()[1]["text"].as_string(), "No");
  EXPECT_EQ(list.items()[1]["text"].as_string(), "it asks something");
  EXPECT_TRUE(list.items()[1]["rows"].items().empty());
}

// Whatever happens, the times of an agent that was there add up to the whole.
TEST(Report, TimesAddUp) {
  uint64_t seed = 7;
  const auto next = [&](uint64_t below) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (seed >> 33) % below;
  };
  for (int round = 0; round < 200; ++round) {
    State state = static_cast<State>(next(11));
    const State first = state;
    Night night(agent_in(first));
    int at = 0;
    while ((at += static_cast<int>(next(80))) < 1200) {
      switch (next(5)) {
        case 0:
          night.at(at, model::Paused{next(2) == 0, "me"});
          break;
        case 1:
          night.at(at, model::Gap{seconds{next(50)}, ""}, "");
          break;
        case 2:
          night.decide(at, next(2) == 0 ? Action::stop : Action::restart, "rule");
          break;
        default: {
          const State to = static_cast<State>(next(11));
          night.state(at, state, to);
          state = to;
        }
      }
    }
    night.fleet.agents["a"].state = state;
    const Json agent = night.agent();
    double time = 0, gone = 0;
    for (const auto& [what, spent] : agent["time"].members()) time += spent.as_double();
    for (const auto& [what, spent] : agent["lost"].members()) gone += spent.as_double();
    EXPECT_NEAR(time, 1000, 0.1) << "round " << round;
    EXPECT_LE(gone, time) << "round " << round;
  }
}

TEST(ReportVerb, IsAboutTheFleet) {
  ClientWorld world;
  const SessionId session = world.running();
  world.step(seconds{60});
  world.host.ends(session, 3);
  world.step();
  world.step(seconds{30});
  const auto report = world.ask("report", Json::object({{"since", "1h"}}));
  ASSERT_TRUE(report) << world.error_of(report);
  ASSERT_EQ((*report)["agents"].items().size(), 1u);
  const Json& agent = (*report)["agents"].items()[0];
  EXPECT_EQ(agent["name"].as_string(), "a");
  EXPECT_EQ(agent["state"].as_string(), "crashed");
  EXPECT_NEAR(agent["time"]["crashed"].as_double(), 30, 0.1);
  EXPECT_FALSE(world.ask("report", Json::object({{"since", "then"}})));
}

}  // namespace
}  // namespace pawl::api
