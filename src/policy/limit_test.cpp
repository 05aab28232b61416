#include <gtest/gtest.h>

#include "policy/decide.h"
#include "policy/rules.h"
#include "policy/test_clock.h"

namespace pawl::policy {
namespace {

// Two agents of one account whose limit ended at 0.
struct LimitTest : testing::Test {
  model::Fleet fleet;

  void SetUp() override {
    for (const char* name : {"a", "b"}) {
      Agent& agent = fleet.agents[name];
      agent.spec.name = name;
      agent.spec.account = "shared";
      agent.spec.limit.margin_s = 0;
      agent.starts = 1;
      agent.state = State::limited;
      agent.since = agent.changed = at(-100);
      agent.limited_until = at(0);
      agent.memory.matter = {"limit " + rfc3339(at(0)), 0, at(-100), false};
    }
  }
  void tried(const char* name, double s) {
    fleet.agents[name].memory.matter.tries += 1;
    fleet.agents[name].memory.matter.last = fleet.agents[name].memory.woken = at(s);
  }
  bool wakes(const char* name, double s) const {
    const auto claim =
        limit({.now = at(s), .agent = fleet.agents.at(name), .fleet = fleet, .auto_continue = {}});
    return claim && claim->action == Action::wake;
  }
};

TEST_F(LimitTest, OneThatIsTriedAgainIsNotWokenTogetherWithAnother) {
  tried("a", 1);
  EXPECT_FALSE(wakes("a", 900));
  EXPECT_TRUE(wakes("a", 902));
  tried("b", 898);
  EXPECT_FALSE(wakes("a", 902)) << "b was woken a moment ago";
  EXPECT_TRUE(wakes("a", 908));
  fleet.agents["b"].memory.matter = {"dialog May I?", 1, at(899), false};
  EXPECT_FALSE(wakes("a", 902)) << "… and asks something by now";
}

// So long that nobody takes it for forgotten.
TEST_F(LimitTest, TriesThatWereNotHeardAreHalfAnHourApartAtMost) {
  for (int tries = 0; tries < 4; ++tries) tried("a", 1);
  EXPECT_FALSE(wakes("a", 1800));
  EXPECT_TRUE(wakes("a", 1802));
}

// Another machine of the fleet uses the account, too, and ran into its limit.
TEST_F(LimitTest, WhatAnotherMachineSaysHoldsHere) {
  Agent& agent = fleet.agents["a"];
  agent.state = State::ready;
  agent.limited_until.reset();
  fleet.agents.erase("b");
  agent.spec.limit.margin_s = 60;
  const auto held = [&](double s) {
    return account({.now = at(s), .agent = agent, .fleet = fleet, .auto_continue = {}});
  };
  EXPECT_FALSE(held(10));
  fleet.accounts["other"] = {"gpu", at(500), {}};
  EXPECT_FALSE(held(10));
  fleet.accounts["shared"] = {"gpu", at(500), {}};
  ASSERT_TRUE(held(10));
  EXPECT_EQ(held(10)->until, at(560)) << "with the margin of its own";
  EXPECT_NE(held(10)->because.find("account shared has reached its limit, as gpu says"),
            std::string::npos)
      << held(10)->because;
  EXPECT_FALSE(held(561));
}

TEST_F(LimitTest, TheMachinesOfAnAccountGoOnOneAfterTheOther) {
  fleet.agents.erase("b");
  EXPECT_TRUE(wakes("a", 1));
  fleet.accounts["shared"] = {"", {}, at(30)};
  EXPECT_FALSE(wakes("a", 29));
  EXPECT_TRUE(wakes("a", 31));
  fleet.accounts["shared"] = {"gpu", at(900), at(930)};
  EXPECT_FALSE(wakes("a", 901)) << "its screen says less than another machine's";
  EXPECT_TRUE(wakes("a", 931));
}

TEST_F(LimitTest, WorkIsNotGivenToOneWhoseDraftHidesItsLimit) {
  Agent& agent = fleet.agents["a"];
  agent.state = State::typing;
  agent.notices = {{"limit", "resets later", at(500)}};
  agent.memory.desk.waiting = {{"t1", "alice"}};
  const auto asks = [&](double s) {
    return work({.now = at(s), .agent = agent, .fleet = fleet, .auto_continue = {}});
  };
  ASSERT_TRUE(asks(10));
  EXPECT_FALSE(asks(10)->action);
  EXPECT_EQ(asks(10)->until, at(500));
  EXPECT_EQ(asks(501)->action, Action::wake);
}

TEST_F(LimitTest, WhoIsAtALimitIsFoundInTheListAsWellAsInTheFleet) {
  fleet.agents["b"].state = State::ready;
  fleet.agents["a"].limited_until = at(500);
  const Situation all{
      .now = at(10), .agent = fleet.agents["b"], .fleet = fleet, .auto_continue = {}};
  ASSERT_TRUE(account(all));
  EXPECT_EQ(account(all)->until, at(500));
  Situation listed = all;
  const std::set<std::string> limited{"a"}, nobody;
  listed.limited = &limited;
  ASSERT_TRUE(account(listed));
  EXPECT_EQ(account(listed)->until, at(500));
  listed.limited = &nobody;
  EXPECT_FALSE(account(listed));
}

}  // namespace
}  // namespace pawl::policy
