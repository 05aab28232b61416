#include "model/memory.h"

#include <gtest/gtest.h>

#include "model/everything.h"

namespace pawl::model {
namespace {

using namespace std::chrono_literals;

WallTime at(int64_t seconds) {
  return wall(seconds * 1'000'000);
}

// An agent at its prompt since 100.
struct Idle {
  Memory memory;
  AgentSpec spec;
  State state = State::starting;
  Idle() { go(State::ready, 100); }
  void go(State to, int64_t when) {
    remember(memory, spec, state, to, at(when));
    state = to;
  }
  void nudge(int64_t when) { memory.nudged = memory.rested = at(when); }
};

TEST(Memory, IdleIsMeasuredOnThePrompt) {
  Idle agent;
  EXPECT_EQ(agent.memory.rested, at(100));
  agent.go(State::typing, 110);
  agent.go(State::ready, 120);
  EXPECT_EQ(agent.memory.rested, at(100)) << "a draft that comes and goes is no work";
  agent.go(State::busy, 130);
  agent.go(State::ready, 131);
  EXPECT_EQ(agent.memory.rested, at(100)) << "a flicker is none either";
  agent.go(State::busy, 140);
  agent.go(State::waiting, 141);
  agent.go(State::busy, 150);
  agent.go(State::ready, 160);
  EXPECT_EQ(agent.memory.rested, at(160));
}

TEST(Memory, TheAnswerToANudgeIsWorkWhenItLasts) {
  Idle agent;
  agent.nudge(400);
  agent.go(State::busy, 405);
  agent.go(State::ready, 412);
  EXPECT_TRUE(agent.memory.nudged);
  EXPECT_EQ(agent.memory.rested, at(400)) << "counted from the nudge";
  agent.go(State::busy, 500);
  agent.go(State::ready, 510);
  EXPECT_FALSE(agent.memory.nudged) << "somebody else gave it something to do";
  EXPECT_EQ(agent.memory.rested, at(510));
  agent.nudge(900);
  agent.go(State::busy, 901);
  agent.go(State::ready, 925);
  EXPECT_FALSE(agent.memory.nudged);
  EXPECT_EQ(agent.memory.rested, at(925));
}

TEST(Memory, ItsInterfaceIsSeenOrNot) {
  Idle agent;
  EXPECT_TRUE(agent.memory.seen);
  agent.go(State::starting, 200);
  EXPECT_FALSE(agent.memory.seen);
  agent.go(State::shell, 210);
  EXPECT_FALSE(agent.memory.seen) << "it never started";
}

TEST(Memory, AGapCountsAsNothing) {
  Idle agent;
  agent.nudge(400);
  agent.memory.matter.last = at(401);
  forget_gap(agent.memory, 1h);
  EXPECT_EQ(agent.memory.rested, at(4000));
  EXPECT_EQ(agent.memory.nudged, at(4000));
  EXPECT_EQ(agent.memory.matter.last, at(4001));
  EXPECT_FALSE(agent.memory.working);
}

TEST(Memory, AStaleItemWakesNobodyTwice) {
  Memory memory;
  EXPECT_TRUE(take_in(memory.desk, {"t1", "alice"}, "1:10"));
  EXPECT_FALSE(take_in(memory.desk, {"t1", "alice"}, "1:10"));
  EXPECT_EQ(memory.desk.waiting.size(), 1u);
  EXPECT_TRUE(take_in(memory.desk, {"t1", "alice"}, "2:10")) << "a rewritten one does";
  EXPECT_EQ(memory.desk.waiting.size(), 1u) << "told of once";
  memory.desk.waiting.clear();
  EXPECT_TRUE(take_in(memory.desk, {"t1", "alice"}, "3:10"));
  EXPECT_EQ(memory.desk.waiting.size(), 1u);
}

TEST(Memory, ADialogThatIsGoneIsNoMatterAnyMore) {
  Idle agent;
  agent.go(State::waiting, 200);
  agent.memory.matter = {"dialog May I?", 1, at(201), true};
  agent.go(State::busy, 210);
  EXPECT_EQ(agent.memory.matter, Matter{});
}

}  // namespace
}  // namespace pawl::model
