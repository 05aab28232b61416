#include "api/timeline.h"

#include <gtest/gtest.h>

#include "api/client_world.h"
#include "core/parts/deliveries.h"
#include "model/everything.h"

namespace pawl::api {
namespace {

using model::State;
using std::chrono::hours;
using std::chrono::seconds;

const WallTime kFirst = model::wall(1'000'000'000'000'000), kEnd = kFirst + seconds{100};

// Events of agents, one after the other.
struct Story {
  std::vector<model::Event> events;
  Story& at(int s, const std::string& agent, model::Fact fact) {
    events.push_back({Seq{events.size() + 1}, kFirst + seconds{s}, agent, std::move(fact)});
    return *this;
  }
  Story& state(int s, const std::string& agent, State from, State to) {
    model::StateChanged fact;
    fact.from = from;
    fact.to = to;
    return at(s, agent, fact);
  }
};

model::Agent agent_with(State state, int starts = 1) {
  model::Agent agent;
  agent.state = state;
  agent.starts = starts;
  return agent;
}

Json told(const Story& story, const model::Fleet& fleet) {
  TimelineFold fold(kFirst, kEnd);
  for (const auto& event : story.events) fold.take(event);
  return fold.finish(fleet);
}

// "0 ready, 10 busy": seconds and states.
std::string line_of(const Json& timeline, const std::string& name) {
  std::string out;
  for (const auto& one : timeline["agents"][name].items()) {
    WallTime at;
    EXPECT_TRUE(parse_rfc3339(one.items()[0].as_string(), at));
    out += (out.empty() ? "" : ", ") +
           std::to_string(std::chrono::duration_cast<seconds>(at - kFirst).count()) + " " +
           one.items()[1].as_string("null");
  }
  return out;
}

TEST(Timeline, BeginsWithTheStateAtItsBeginning) {
  model::Fleet fleet;
  fleet.agents["quiet"] = agent_with(State::ready);
  fleet.agents["worker"] = agent_with(State::ready);
  Story story;
  story.state(10, "worker", State::ready, State::busy)
      .state(40, "worker", State::busy, State::ready);
  const Json timeline = told(story, fleet);
  EXPECT_EQ(line_of(timeline, "quiet"), "0 ready") << "nothing changed: as it is now";
  EXPECT_EQ(line_of(timeline, "worker"), "0 ready, 10 busy, 40 ready");
  EXPECT_EQ(timeline["since"].as_string(), rfc3339(kFirst));
  EXPECT_EQ(timeline["until"].as_string(), rfc3339(kEnd));
}

TEST(Timeline, WhatCameAfterTheEndSaysWhatWasBefore) {
  model::Fleet fleet;
  fleet.agents["a"] = agent_with(State::crashed);
  Story story;
  story.state(150, "a", State::limited, State::crashed);
  EXPECT_EQ(line_of(told(story, fleet), "a"), "0 limited");
}

TEST(Timeline, ANewAgentWasNotThereAndARemovedOneIsNotAnyMore) {
  model::Fleet fleet;
  fleet.agents["new"] = agent_with(State::busy);
  fleet.agents["idle"] = agent_with(State::unknown, 0);
  fleet.agents["later"] = agent_with(State::busy);
  Story story;
  story.at(20, "new", model::Registered{})
      .state(20, "new", State::unknown, State::starting)
      .state(25, "new", State::starting, State::busy)
      .at(30, "idle", model::Registered{})
      .state(50, "old", State::ready, State::exited)
      .at(60, "old", model::Removed{})
      .at(80, "old", model::Registered{})
      .at(130, "later", model::Registered{})
      .state(130, "later", State::unknown, State::busy);
  const Json timeline = told(story, fleet);
  EXPECT_EQ(line_of(timeline, "new"), "0 null, 20 starting, 25 busy");
  EXPECT_EQ(line_of(timeline, "idle"), "0 null, 30 unknown") << "registered and never started";
  EXPECT_EQ(line_of(timeline, "old"), "0 ready, 50 exited, 60 null, 80 unknown");
  EXPECT_FALSE(timeline["agents"].has("later"));
}

TEST(Timeline, RegisteredAnewIsNoNewAgent) {
  model::Fleet fleet;
  fleet.agents["a"] = agent_with(State::busy);
  Story story;
  story.at(5, "a", model::Registered{}).state(9, "a", State::exited, State::busy);
  EXPECT_EQ(line_of(told(story, fleet), "a"), "0 exited, 9 busy");
}

TEST(Timeline, TooManyChangesAreThinnedAndItIsSaid) {
  model::Fleet fleet;
  fleet.agents["a"] = agent_with(State::busy);
  fleet.agents["b"] = agent_with(State::busy);
  TimelineFold fold(kFirst, kFirst + hours{2});
  // Blinks every other half second; once, early, it waits for ten minutes.
  WallTime at = kFirst;
  State state = State::ready;
  for (uint64_t i = 1; i <= 5000; ++i) {
    model::StateChanged fact;
    fact.from = state;
    fact.to = i == 100 ? State::waiting : state == State::busy ? State::ready : State::busy;
    state = fact.to;
    at += i == 101 ? Duration{seconds{600}} : Duration{500'000};
    fold.take({Seq{i}, at, "a", fact});
  }
  const Json timeline = fold.finish(fleet);
  const auto& changes = timeline["agents"]["a"].items();
  EXPECT_LE(changes.size(), kChangesKept + 1);
  EXPECT_GE(changes.size(), kChangesKept / 4) << "the newest are all there";
  EXPECT_EQ(changes.back().items()[0].as_string(), rfc3339(at));
  EXPECT_NE(timeline["agents"]["a"].dump().find("waiting"), std::string::npos)
      << "what lasted long stays";
  EXPECT_EQ(timeline["thinned"].dump(), R"(["a"])");
  for (size_t i = 1; i < changes.size(); ++i)
    EXPECT_LT(changes[i - 1].items()[0].as_string(), changes[i].items()[0].as_string()) << i;
}

TEST(History, IsOneAgentsNewestEvents) {
  HistoryFold fold("a", kFirst, kEnd);
  for (uint64_t i = 1; i <= kHistoryEvents + 7; ++i) {
    fold.take({Seq{2 * i}, kFirst + seconds{1}, "a", model::HumanSeen{}});
    fold.take({Seq{2 * i + 1}, kFirst + seconds{1}, "b", model::HumanSeen{}});
  }
  fold.take({Seq{99999}, kEnd + seconds{1}, "a", model::HumanSeen{}});
  const Json history = fold.finish({});
  EXPECT_EQ(history["name"].as_string(), "a");
  EXPECT_TRUE(history["cut"].as_bool());
  ASSERT_EQ(history["events"].items().size(), kHistoryEvents);
  EXPECT_EQ(history["events"].items().front()["seq"].as_int(), 16);
  EXPECT_EQ(history["events"].items().back()["seq"].as_int(), 2 * (kHistoryEvents + 7));
}

TEST(History, LargeEventsAreBoundedTogether) {
  HistoryFold fold("a", kFirst, kEnd);
  model::Alerted alert;
  alert.text = std::string(1u << 20, 'x');
  for (uint64_t i = 1; i <= 40; ++i) fold.take({Seq{i}, kFirst + seconds{1}, "a", alert});
  const Json history = fold.finish({});
  EXPECT_TRUE(history["cut"].as_bool());
  EXPECT_LE(history.dump().size(), kHistoryBytes + (1u << 20));
  EXPECT_EQ(history["events"].items().back()["seq"].as_int(), 40);
}

TEST(TimelineVerb, TellsOfAllOrOfOne) {
  ClientWorld world;
  const WallTime before = world.now.wall;
  world.now = {world.now.mono + seconds{60}, world.now.wall + seconds{60}};
  const SessionId session = world.running();
  world.host.ends(session, 3);
  world.turn();
  const auto all = world.ask("timeline", Json::object({{"since", rfc3339(before)}}));
  ASSERT_TRUE(all) << world.error_of(all);
  const auto& line = (*all)["agents"]["a"].items();
  ASSERT_GE(line.size(), 3u);
  EXPECT_TRUE(line.front().items()[1].is_null());
  EXPECT_EQ(line.back().items()[1].as_string(), "crashed");
  const auto one = world.ask("timeline", named("a"));
  ASSERT_TRUE(one);
  ASSERT_EQ((*one)["events"].items().size(), world.journal.events.size());
  EXPECT_EQ((*one)["events"].items()[0], model::to_json(world.journal.events[0]));
  EXPECT_FALSE((*one)["cut"].as_bool());
}

TEST(TimelineVerb, BadTimesAreUsage) {
  ClientWorld world;
  world.running();
  for (const auto& args :
       {Json::object({{"since", "yesterday"}}), Json::object({{"until", "soon"}}),
        Json::object({{"since", "1h"}, {"until", "2h"}}), Json::object({{"since", "-5m"}}),
        Json::object({{"since", "nan"}}), Json::object({{"since", "2999-01-01T00:00:00Z"}})}) {
    const auto reply = world.ask("timeline", args);
    ASSERT_FALSE(reply) << args.dump();
    EXPECT_EQ(reply.error().exit_code, 2) << args.dump();
    EXPECT_FALSE(reply.error().fix.empty());
  }
  EXPECT_TRUE(world.ask("timeline", Json::object({{"since", "36000d"}}))) << "all there is";
  EXPECT_EQ(world.error_of(world.ask("timeline", named("b"))),
            "no agent named 'b': did you mean 'a'?");
}

TEST(TimelineVerb, ALongJournalIsReadInPieces) {
  ClientWorld world;
  world.running("a");
  while (world.journal.events.size() < 5000) {
    ASSERT_TRUE(world.engine->type(world.now, "a", "k", "attach"));
    world.step(core::kHumanEvery * 2);
  }
  for (const char* verb : {"timeline", "alerts", "report"}) {
    world.send(verb, Json::object({{"since", "30d"}}));
    world.publish();
    EXPECT_TRUE(world.replies.empty()) << "5000 events are not read at once";
    ASSERT_TRUE(world.conversation.wake_at());
    EXPECT_LE(*world.conversation.wake_at(), world.now.mono);
    for (int i = 0; i < 10 && world.replies.empty(); ++i) world.publish();
    EXPECT_TRUE(world.reply()) << verb;
  }
}

TEST(AlertsVerb, AreNewestFirstAndNotTooMany) {
  ClientWorld world;
  world.running();
  for (int i = 0; i < 250; ++i) {
    const model::Event event{
        Seq{world.journal.events.size() + 1}, world.now.wall - seconds{250 - i},
        i % 2 == 0 ? "a" : "",
        model::Alerted{model::Severity::warning, "alert " + std::to_string(i), "matter"}};
    ASSERT_TRUE(world.journal.append({event}));
  }
  world.live();  // the fold knows of them
  Conversation again(*world.engine, world.server);
  again.receive(world.now, {Kind::json, R"({"verb":"alerts","args":{}})"});
  again.pump({world.now.mono, world.now.wall}, 1u << 20);
  FrameReader reader(kMaxReply);
  reader.feed(again.take_output());
  const auto reply = result_of(*Json::parse((**reader.next()).payload));
  ASSERT_TRUE(reply);
  const auto& alerts = (*reply)["alerts"].items();
  ASSERT_EQ(alerts.size(), kAlertsKept);
  EXPECT_TRUE((*reply)["cut"].as_bool());
  EXPECT_EQ(alerts[0]["text"].as_string(), "alert 249");
  EXPECT_TRUE(alerts[0]["agent"].is_null());
  EXPECT_EQ(alerts[1]["agent"].as_string(), "a");
  EXPECT_EQ(alerts[0]["matter"].as_string(), "matter");
  EXPECT_TRUE(alerts[0]["todo"].is_null());
}

}  // namespace
}  // namespace pawl::api
