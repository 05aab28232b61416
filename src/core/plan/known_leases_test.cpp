#include "core/plan/known_leases.h"

#include <gtest/gtest.h>

namespace pawl::core {
namespace {

using namespace std::chrono_literals;

model::Agent agent_with_lease() {
  model::Agent agent;
  agent.spec.name = "a";
  agent.task.emplace();
  agent.task->order.lease = {"u", "n", 1};
  return agent;
}

struct LeaseTable {
  KnownLeases leases;
  Clock now{MonoTime{100s}, WallTime{}, BootTime{1000s}};
  void pass(Duration time) { now = {now.mono + time, now.wall + time, now.boot + time}; }
  void note(Duration left, LeaseStage stage = LeaseStage::confirmed) {
    leases.note(now, {"a", now.boot + left, stage});
  }
};

TEST(KnownLeases, OneWithoutALeaseHasNoGap) {
  model::Agent plain = agent_with_lease();
  plain.task->order.lease = {};
  EXPECT_EQ(KnownLeases{}.gap(plain, {}), "");
  EXPECT_EQ(KnownLeases{}.gap(model::Agent{}, {}), "");
  EXPECT_EQ(KnownLeases{}.gap(agent_with_lease(), {}), "its lease is over");
}

TEST(KnownLeases, WhatIsBegunNeedsMoreThanItsMargin) {
  LeaseTable known;
  known.note(model::kLeaseToBegin + 1s);
  EXPECT_EQ(known.leases.gap(agent_with_lease(), known.now.boot), "");
  known.pass(1s);
  EXPECT_EQ(known.leases.gap(agent_with_lease(), known.now.boot),
            "its lease ends in 10s, unless it is renewed");
  known.note(1h, LeaseStage::unheard);
  EXPECT_EQ(known.leases.gap(agent_with_lease(), known.now.boot),
            "its lease was not confirmed since the daemon was started");
}

TEST(KnownLeases, EachStepIsDueByWhicheverClockComesFirst) {
  LeaseTable known;
  known.note(30s);
  EXPECT_EQ(known.leases.wake_at(), known.now.mono + 25s);
  EXPECT_TRUE(known.leases.due(known.now).empty());
  Clock slept = known.now;
  slept.boot += 25s;
  EXPECT_EQ(known.leases.due(slept).size(), 1u) << "the machine was suspended";
  Clock odd = known.now;
  odd.mono += 25s;
  EXPECT_EQ(known.leases.due(odd).size(), 1u) << "who was woken for it does it";
  known.note(30s, LeaseStage::stopping);
  EXPECT_EQ(known.leases.wake_at(), known.now.mono + 27s);
  known.note(30s, LeaseStage::over);
  EXPECT_EQ(known.leases.wake_at(), std::nullopt);
  known.leases.forget("a");
  EXPECT_EQ(known.leases.find("a"), nullptr);
}

}  // namespace
}  // namespace pawl::core
