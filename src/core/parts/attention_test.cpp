#include "core/parts/attention.h"

#include <gtest/gtest.h>

namespace pawl::core {
namespace {

using namespace std::chrono_literals;
using model::Action;
using model::State;

// One agent, told by hand: what is written goes to the fold and to the part.
class Watched {
 public:
  Watched() {
    model::AgentSpec spec;
    spec.name = "a";
    spec.mode = "active";
    spec.restart = model::Restart::resume;
    write(model::Registered{spec});
    const Seq start = write(model::Decided{Action::start, "it begins"});
    state(State::starting);
    write(model::Finished{Action::start, start, model::Verdict::confirmed, "it runs", 0, {}});
    state(State::ready);
  }
  Seq write(model::Fact fact) {
    model::Event event{Seq{fleet.last.value + 1}, now.wall, "a", std::move(fact)};
    apply(fleet, event);
    attention.written(now, fleet, {event});
    return event.seq;
  }
  void state(State to) {
    model::StateChanged fact;
    fact.from = fleet.find("a")->state;
    fact.to = to;
    fact.because = "as told";
    write(fact);
  }
  // With a limit's notice on its screen.
  void limited(State to, Duration ends_in) {
    model::StateChanged fact;
    fact.from = fleet.find("a")->state;
    fact.to = to;
    fact.notices = {{"limit", "resets later", now.wall + ends_in}};
    write(fact);
  }
  // What people are told after so long; empty: nothing.
  std::string after(Duration time) {
    now = {now.mono + time, now.wall + time};
    Inputs out;
    attention.turn(now, fleet, out);
    return out.empty() ? "" : std::get<Noted>(out.front()).alert.text;
  }
  model::Agent& agent() { return fleet.agents.at("a"); }

  Clock now{MonoTime{1h}, WallTime{1000h}};
  model::Fleet fleet;
  Attention attention;
};

TEST(Attention, AStateThatDoesNotPassIsToldOnce) {
  for (const State state :
       {State::unknown, State::starting, State::typing, State::waiting, State::stuck}) {
    Watched watched;
    watched.state(state);
    EXPECT_EQ(watched.after(44min), "") << word(state);
    EXPECT_EQ(watched.after(1min), std::string("it is ") + std::string(word(state)) +
                                       " for 45 min, and nothing is ahead: as told");
    EXPECT_EQ(watched.after(10h), "") << "once";
    watched.state(State::ready);
    watched.state(state);
    EXPECT_NE(watched.after(45min), "") << "another time";
  }
}

TEST(Attention, NobodyIsToldTwice) {
  Watched watched;
  watched.state(State::waiting);
  watched.write(model::Alerted{model::Severity::warning, "it asks"});
  EXPECT_FALSE(watched.attention.wake_at());
  EXPECT_EQ(watched.after(10h), "");
}

TEST(Attention, WhatIsDoneBeginsTheWaitAnew) {
  Watched watched;
  watched.state(State::stuck);
  EXPECT_EQ(watched.after(40min), "");
  const Seq decision = watched.write(model::Decided{Action::interrupt, "it is stuck"});
  watched.write(
      model::Finished{Action::interrupt, decision, model::Verdict::unverified, "Escape", 0, {}});
  EXPECT_EQ(watched.after(44min), "");
  EXPECT_NE(watched.after(1min), "");
}

TEST(Attention, OneThatIsHaltedIsInSomebodysHands) {
  Watched watched;
  watched.state(State::unknown);
  watched.write(model::Paused{true, "a person"});
  EXPECT_EQ(watched.after(10h), "");
  watched.write(model::Paused{false, "a person"});
  EXPECT_NE(watched.after(45min), "");
}

TEST(Attention, ALimitThatEndsLaterIsADeadline) {
  Watched watched;
  watched.limited(State::limited, 5h);
  EXPECT_EQ(watched.after(4h), "");
  EXPECT_EQ(watched.after(1h), "") << "it was over a moment ago";
  EXPECT_NE(watched.after(20min), "");
}

TEST(Attention, ALimitBehindADraftIsADeadlineToo) {
  Watched watched;
  watched.limited(State::typing, 5h);
  EXPECT_EQ(watched.after(5h), "");
  EXPECT_NE(watched.after(20min), "");
}

TEST(Attention, AnotherInputIsAnotherStretch) {
  Watched watched;
  watched.state(State::typing);
  EXPECT_EQ(watched.after(kStateBound - 1min), "");
  model::StateChanged opened;
  opened.from = opened.to = State::typing;
  opened.input = "view";
  watched.write(opened);
  EXPECT_EQ(watched.after(kStateBound - 1min), "");
  EXPECT_NE(watched.after(1min), "");
}

TEST(Attention, WhoseAccountIsTriedOneAfterTheOtherWaitsForItsTurn) {
  Watched watched;
  model::StateChanged limited;
  limited.from = State::ready;
  limited.to = State::limited;
  watched.write(limited);
  model::Agent& other = watched.fleet.agents["b"];
  other.spec = watched.agent().spec;
  other.spec.name = "b";
  other.spec.account = watched.agent().spec.account = "shared";
  other.memory.woken = watched.now.wall + 40min;
  EXPECT_EQ(watched.after(45min), "") << "b was tried five minutes ago";
  EXPECT_NE(watched.after(15min), "") << "nobody was since";
}

TEST(Attention, ATextThatWaitsIsTold) {
  Watched watched;
  watched.agent().spec.mode = "paused";
  watched.state(State::busy);
  model::Queued text;
  text.item = 1;
  watched.write(text);
  EXPECT_EQ(watched.after(74min), "");
  EXPECT_NE(watched.after(1min), "");
}

TEST(Attention, OneAtRestThatNothingIsWantedFromIsFine) {
  Watched watched;
  watched.agent().spec.mode = "paused";
  watched.state(State::busy);
  watched.state(State::ready);
  EXPECT_FALSE(watched.attention.wake_at());
}

}  // namespace
}  // namespace pawl::core
