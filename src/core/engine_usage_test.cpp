// What an agent has used is read from its conversation's file as that grows, and nothing counts twice.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "core/engine_world.h"
#include "core/parts/ground.h"
#include "core/parts/usage_looks.h"
#include "policy/decide.h"

namespace pawl::core {
namespace {

using namespace std::chrono_literals;
using model::State;

class UsageWorld : public EngineWorld {
 public:
  UsageWorld() : transcript(home.path() + "/conv.jsonl") {
    RunAsked ask;
    ask.spec.name = "a";
    ask.spec.command = {"prog"};
    ask.spec.dir = "/";
    ask.spec.mode = "active";
    ask.spec.budget.tokens_per_day = 5000;
    engine->submit(ask);
    turn();
    host.runs(session());
    turn();
    engine->submit(ConversationTold{session(), "conv", transcript});
    turn();
  }
  void becomes(State state) {
    Perceived seen;
    seen.session = session();
    seen.state = state;
    seen.tier = model::Tier::screen;
    seen.because = "the test says so";
    engine->submit(seen);
    turn();
  }
  // A message of so many tokens.
  void says(int64_t tokens, const std::string& id, const std::string& file = {}) {
    std::ofstream(file.empty() ? transcript : file, std::ios::app)
        << R"({"type":"assistant","timestamp":")" << rfc3339(now.wall) << R"(","message":{"id":")"
        << id << R"(","model":"m","usage":{"input_tokens":)" << tokens << "}}}\n";
  }
  int64_t used() const { return model::today(agent()->memory.spending, now.wall).tokens; }
  size_t facts() const {
    return static_cast<size_t>(std::count_if(
        journal.events.begin(), journal.events.end(),
        [](const auto& event) { return std::holds_alternative<model::Spent>(event.fact); }));
  }

  std::string transcript;
};

TEST(EngineUsage, IsReadWhenATurnEnds) {
  UsageWorld world;
  world.becomes(State::busy);
  world.says(1000, "m1");
  world.turn(1s);
  EXPECT_EQ(world.facts(), 0u) << "not with every line";
  world.becomes(State::ready);
  EXPECT_EQ(world.used(), 1000);
  world.says(30, "m2");
  world.turn(kUsageLookAgain);
  EXPECT_EQ(world.used(), 1030) << "what was written a moment later";
  EXPECT_EQ(world.facts(), 2u);
  ASSERT_TRUE(world.engine->wake_at());
  EXPECT_GT(*world.engine->wake_at(), world.now.mono + 2 * kUsageLookEvery)
      << "at rest only the next nudge is waited for";
}

TEST(EngineUsage, IsReadOnceAMinuteWhileItWorks) {
  UsageWorld world;
  world.becomes(State::busy);
  for (int second = 0; second < 300; ++second) {
    world.says(1, "m" + std::to_string(second));
    world.turn(1s);
  }
  EXPECT_EQ(world.facts(), 5u);
  EXPECT_GE(world.used(), 240) << "a minute behind at most";
}

TEST(EngineUsage, IsReadWhenItEnds) {
  UsageWorld world;
  world.becomes(State::busy);
  world.says(1000, "m1");
  world.host.ends(world.session(), 0);
  world.turn();
  EXPECT_EQ(world.used(), 1000);
}

TEST(EngineUsage, SubAgentsCountAsWell) {
  UsageWorld world;
  std::filesystem::create_directories(world.home.path() + "/conv/subagents");
  world.becomes(State::busy);
  world.says(1000, "m1");
  world.says(70, "m2", world.home.path() + "/conv/subagents/agent-1.jsonl");
  world.says(5, "m3", world.home.path() + "/conv/subagents/notes.txt");
  world.becomes(State::ready);
  EXPECT_EQ(world.used(), 1070);
}

TEST(EngineUsage, WhatIsOlderThanTheAgentIsNotItsOwn) {
  UsageWorld world;
  world.now.wall -= 1h;
  world.says(4000, "old");
  world.now.wall += 1h;
  world.becomes(State::busy);
  world.says(10, "new");
  world.becomes(State::ready);
  EXPECT_EQ(world.used(), 10);
}

TEST(EngineUsage, OfALargeFileOnlyTheEndIsRead) {
  UsageWorld world;
  world.says(4000, "first");
  std::ofstream(world.transcript, std::ios::app) << std::string(6u << 20, 'x') << "\n";
  world.says(10, "last");
  world.becomes(State::busy);
  world.becomes(State::ready);
  EXPECT_EQ(world.used(), 10);
}

TEST(EngineUsage, AFileThatShrankIsReadFromItsEnd) {
  UsageWorld world;
  world.becomes(State::busy);
  world.says(1000, "m1");
  world.says(1000, "m2");
  world.becomes(State::ready);
  std::filesystem::remove(world.transcript);
  world.becomes(State::busy);
  world.says(1000, "m1");
  world.becomes(State::ready);
  EXPECT_EQ(world.used(), 2000) << "that may have been counted";
  world.becomes(State::busy);
  world.says(7, "m9");
  world.becomes(State::ready);
  EXPECT_EQ(world.used(), 2007);
}

TEST(EngineUsage, APipeIsNotOpened) {
  UsageWorld world;
  ASSERT_EQ(mkfifo(world.transcript.c_str(), 0600), 0);
  world.becomes(State::busy);
  world.becomes(State::ready);
  EXPECT_EQ(world.facts(), 0u);
}

// The daemon may be killed after every event; parts of one message may be on both sides of that.
TEST(EngineUsage, NothingCountsTwiceWhenTheDaemonIsKilled) {
  UsageWorld world;
  world.becomes(State::busy);
  world.says(1000, "m1");
  world.journal.deadly = world.journal.events.size() + 2;
  EXPECT_THROW(world.becomes(State::ready), Killed);
  world.live();
  world.turn();
  EXPECT_EQ(world.used(), 1000);
  world.says(1000, "m1");
  world.live();
  world.turn();
  EXPECT_EQ(world.used(), 1000) << "the same message once more";
  world.says(50, "m2");
  world.live();
  world.turn();
  EXPECT_EQ(world.used(), 1050) << "what was used while nobody was there";
  world.check_outcomes();
}

TEST(EngineUsage, AJournalThatRefusesLosesNothing) {
  UsageWorld world;
  world.becomes(State::busy);
  world.says(1000, "m1");
  world.journal.broken = true;
  world.becomes(State::ready);
  world.turn(kRetryEvery);
  EXPECT_EQ(world.used(), 0);
  world.journal.broken = false;
  world.turn(kRetryEvery);
  world.turn(kRetryEvery);
  EXPECT_EQ(world.used(), 1000);
  EXPECT_EQ(world.facts(), 1u);
}

TEST(EngineUsage, ABudgetHoldsTheNextNudgeBeforeItIsTyped) {
  UsageWorld world;
  world.becomes(State::busy);
  world.says(5000, "m1");
  world.becomes(State::ready);
  EXPECT_EQ(world.engine->opinion(world.now, "a").rule, "budget");
  world.turn(1h);
  EXPECT_EQ(world.agent()->nudges, 0);
  EXPECT_TRUE(world.host.sessions.at(world.session()).written.empty());
}

}  // namespace
}  // namespace pawl::core
