// Leaving a mode: one key, only into that mode, and the prompt has to be back.

#include "act/leave.h"

#include <gtest/gtest.h>

namespace pawl::act {
namespace {

using namespace std::chrono_literals;

struct LeavePlay {
  View view;
  Leave leave{MonoTime{1h}};
  std::string written;
  std::optional<Outcome> outcome;

  LeavePlay() {
    view.now = MonoTime{1h};
    view.box = true;
    view.mode = "its box is in shell mode";
    view.leave = "Escape";
  }
  LeavePlay& pass(Duration time) {
    for (const MonoTime end = view.now + time; view.now < end && !outcome; view.now += 50ms) {
      const Step step = leave.look(view);
      written += step.write;
      outcome = step.outcome;
    }
    return *this;
  }
  std::string ends() const { return outcome ? outcome->witness : "-"; }
};

TEST(Leave, OneKeyAndThePromptIsBack) {
  LeavePlay play;
  play.pass(400ms);
  EXPECT_EQ(play.written, "") << "it may be about to change";
  play.pass(400ms);
  EXPECT_EQ(play.written, "\x1b");
  play.view.mode.clear();
  play.pass(400ms);
  EXPECT_FALSE(play.outcome) << "a row may be late";
  play.pass(1s);
  EXPECT_EQ(play.outcome->verdict, Verdict::confirmed);
  EXPECT_EQ(play.written, "\x1b");
}

TEST(Leave, AKeyThatDoesNothingIsNotRepeated) {
  LeavePlay play;
  play.pass(10s);
  EXPECT_EQ(play.written, "\x1b");
  EXPECT_EQ(play.outcome->verdict, Verdict::stuck);
  EXPECT_EQ(play.ends(), "its box is in shell mode");
}

TEST(Leave, NoKeyIntoAnythingElse) {
  const auto unpressed = [](auto change) {
    LeavePlay play;
    play.pass(200ms);
    change(play.view);
    play.pass(10s);
    EXPECT_EQ(play.written, "") << play.ends();
    return play.outcome->verdict;
  };
  EXPECT_EQ(unpressed([](View& view) { view.mode.clear(); }), Verdict::confirmed);
  EXPECT_EQ(unpressed([](View& view) { view.menu = true; }), Verdict::withdrawn);
  EXPECT_EQ(unpressed([](View& view) { view.draft = true; }), Verdict::withdrawn);
  EXPECT_EQ(unpressed([](View& view) { view.human_waits = true; }), Verdict::withdrawn);
  EXPECT_EQ(unpressed([](View& view) { view.turning = true; }), Verdict::withdrawn);
  EXPECT_EQ(unpressed([](View& view) { view.state = model::State::busy; }), Verdict::withdrawn);
  EXPECT_EQ(unpressed([](View& view) { view.leave.clear(); }), Verdict::withdrawn);
}

TEST(Leave, ADialogThatComesUpIsNotItsPrompt) {
  LeavePlay play;
  play.pass(1s);
  play.view.mode.clear();
  play.view.menu = true;
  play.pass(1s);
  EXPECT_EQ(play.outcome->verdict, Verdict::unverified);
}

}  // namespace
}  // namespace pawl::act
