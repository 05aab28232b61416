#include "act/gate.h"

#include <gtest/gtest.h>

namespace pawl::act {
namespace {

using namespace std::chrono_literals;
using model::Agent;
using model::Queued;
using model::State;

const WallTime kNow{std::chrono::hours{24 * 365 * 50}};

Agent agent(State state, const std::string& runtime = "claude") {
  Agent its;
  its.spec.name = "docs";
  its.spec.runtime = runtime;
  its.spec.human_quiet_s = 120;
  its.starts = 1;
  its.state = state;
  return its;
}

Queued text(bool now = false, model::Action action = model::Action::send) {
  Queued item;
  item.item = 1;
  item.now = now;
  item.action = action;
  return item;
}

struct GateCase {
  State state;
  bool patient, urgent, plain;  // may it be typed?
  bool person;                  // when a patient one may not: is it up to a person?
};

constexpr GateCase kCases[] = {
    {State::starting, false, false, false, false}, {State::ready, true, true, true, false},
    {State::typing, false, true, false, true},     {State::busy, false, true, false, false},
    {State::waiting, false, false, false, true},   {State::limited, false, false, false, false},
    {State::stuck, false, false, false, true},     {State::shell, false, false, true, true},
    {State::exited, false, false, false, true},    {State::crashed, false, false, false, true},
    {State::unknown, false, false, true, true},
};

TEST(Gate, EveryState) {
  EXPECT_EQ(std::size(kCases), model::state_words().size());
  for (const GateCase& one : kCases) {
    SCOPED_TRACE(model::word(one.state));
    const auto held = held_back(agent(one.state), text(), kNow);
    EXPECT_EQ(!held, one.patient);
    EXPECT_EQ(!held_back(agent(one.state), text(true), kNow), one.urgent);
    EXPECT_EQ(!held_back(agent(one.state), text(false, model::Action::wake), kNow), one.urgent)
        << "a wake-up cannot wait";
    EXPECT_EQ(!held_back(agent(one.state, "generic"), text(), kNow), one.plain);
    EXPECT_EQ(!held_back(agent(one.state, "shell"), text(), kNow), one.plain);
    if (!held) continue;
    EXPECT_EQ(held->person, one.person);
    EXPECT_NE(held->because.find("docs"), std::string::npos) << held->because;
    EXPECT_FALSE(held->until);
  }
}

TEST(Gate, ARecognisedProgramIsNotPlain) {
  Agent its = agent(State::unknown, "generic");
  EXPECT_TRUE(plain(its));
  its.recognised = "claude";
  EXPECT_FALSE(plain(its));
  EXPECT_TRUE(held_back(its, text(), kNow));
}

TEST(Gate, NobodyThereAndPaused) {
  Agent never = agent(State::unknown, "generic");
  never.starts = 0;
  EXPECT_TRUE(held_back(never, text(true), kNow));
  Agent paused = agent(State::ready);
  paused.paused = true;
  ASSERT_TRUE(held_back(paused, text(true), kNow));
  EXPECT_EQ(held_back(paused, text(true), kNow)->because, "docs is paused");
  EXPECT_TRUE(held_back(paused, text(true), kNow)->person);
}

TEST(Gate, ALimitTellsWhenItEnds) {
  Agent its = agent(State::limited);
  its.limited_until = kNow + 1h;
  ASSERT_TRUE(held_back(its, text(), kNow));
  EXPECT_EQ(held_back(its, text(), kNow)->until, kNow + 1h);
  EXPECT_FALSE(held_back(its, text(), kNow)->person);
}

TEST(Gate, ALimitThatIsOverHoldsNothing) {
  struct Limit {
    const char* what;
    Duration until, since;  // from now on
    std::optional<Duration> waits;
    bool open;
  };
  const Limit cases[] = {
      {"to come", 1s, -1h, 1s, false},
      {"its margin is to come", 0s, -1h, 60s, false},
      {"nearly over", -59s, -1h, 1s, false},
      {"over", -60s, -1h, std::nullopt, true},
      {"over for a day", -24h, -25h, std::nullopt, true},
      {"over, and limited again since", -2h, -1h, std::nullopt, false},
  };
  for (const Limit& one : cases) {
    SCOPED_TRACE(one.what);
    Agent its = agent(State::limited);
    its.limited_until = kNow + one.until;
    its.since = kNow + one.since;
    EXPECT_EQ(limit_over(its, kNow), one.open);
    for (const Queued& item : {text(), text(true), text(false, model::Action::wake)}) {
      const auto held = held_back(its, item, kNow);
      ASSERT_EQ(!held, one.open);
      if (!held) continue;
      EXPECT_EQ(held->until, one.waits ? std::optional(kNow + *one.waits) : std::nullopt)
          << "a time that has passed is nothing to wait for";
    }
  }
}

TEST(Gate, APersonIsLeftAlone) {
  struct Human {
    const char* what;
    Duration ago;
    std::optional<WallTime> until;
  };
  const Human cases[] = {
      {"just now", 0s, kNow + 120s},
      {"a minute ago", 60s, kNow + 60s},
      {"nearly long enough ago", 119s, kNow + 1s},
      {"long enough ago", 120s, std::nullopt},
      {"yesterday", 24h, std::nullopt},
      {"the clock was set back since", -1s, std::nullopt},
      {"… by far", -24h, std::nullopt},
  };
  for (const Human& one : cases) {
    SCOPED_TRACE(one.what);
    Agent its = agent(State::ready);
    its.memory.human = kNow - one.ago;
    EXPECT_EQ(human_until(its, kNow), one.until);
    const auto held = held_back(its, text(), kNow);
    ASSERT_EQ(held.has_value(), one.until.has_value());
    if (held) {
      EXPECT_EQ(held->until, one.until);
    }
    EXPECT_FALSE(held_back(its, text(true), kNow)) << "what cannot wait does not";
  }
  EXPECT_FALSE(human_until(agent(State::ready), kNow)) << "nobody was ever seen";
}

// Also where a limit's end would wake it.
TEST(Gate, JobsBehindThePromptEndFirstWhereThatIsWanted) {
  for (const State state : {State::ready, State::limited}) {
    Agent its = agent(state);
    its.since = kNow - 2h;
    its.limited_until = kNow - 1h;
    its.background = 1;
    EXPECT_FALSE(held_back(its, text(), kNow)) << "by default nobody waits for them";
    its.spec.background = "wait";
    EXPECT_TRUE(held_back(its, text(), kNow));
    EXPECT_FALSE(held_back(its, text(true), kNow)) << "what cannot wait does not";
    its.background = 0;
    EXPECT_FALSE(held_back(its, text(), kNow));
  }
}

TEST(Gate, AnOutboxHasLimits) {
  model::Agent agent;
  EXPECT_TRUE(has_room(agent, kTextBytes));
  agent.outbox.resize(kOutboxItems - 1);
  EXPECT_TRUE(has_room(agent, 1)) << "one more";
  agent.outbox.resize(kOutboxItems);
  EXPECT_FALSE(has_room(agent, 1)) << "too many";
  agent.outbox = {{1, model::Action::send, kOutboxBytes - 10, "", false}};
  EXPECT_TRUE(has_room(agent, 10));
  EXPECT_FALSE(has_room(agent, 11)) << "too large together";
}

}  // namespace
}  // namespace pawl::act
