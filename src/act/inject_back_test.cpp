// A text that was not taken is not left behind.

#include <gtest/gtest.h>

#include "act/inject_play.h"

namespace pawl::act {
namespace {

using namespace std::chrono_literals;
using model::State;

// Typed, Enter pressed, out of the box, and its hook told of it.
Play submitted() {
  Play play(order());
  play.box({"hello you"}).pass(300ms);
  EXPECT_EQ(play.enters(), 1u);
  play.view.prompt_hook = play.view.now;
  play.view.submitting = true;
  play.box({}).pass(1s);
  EXPECT_FALSE(play.outcome);
  return play;
}

TEST(InjectBack, APromptThatAHookRefusedIsNotConfirmed) {
  Play play = submitted();
  play.view.submitting = false;
  play.box({"hello you"}).pass(100ms);
  EXPECT_EQ(play.writes.back(), kErase) << "no second Enter";
  play.box({}).pass(1s);
  EXPECT_EQ(play.verdict(), Verdict::refused);
  EXPECT_FALSE(play.outcome->left);
  EXPECT_EQ(play.enters(), 1u);
  EXPECT_NE(play.outcome->witness.find("refused"), std::string::npos) << play.outcome->witness;
}

TEST(InjectBack, WhatItSaysOfARefusalIsToldWhereverTheTextIsThen) {
  for (const bool back : {true, false}) {
    Play play = submitted();
    play.view.no = "not here";
    play.view.submitting = false;
    if (back) play.box({"hello you"}).pass(100ms);
    play.box({}).pass(2s);
    EXPECT_EQ(play.verdict(), Verdict::refused) << back;
    EXPECT_NE(play.outcome->witness.find("refused the prompt: not here"), std::string::npos);
    EXPECT_EQ(play.enters(), 1u);
  }
}

TEST(InjectBack, AnOlderRefusalIsNotThisOnes) {
  Play play(order());
  play.view.no = "not here";
  play.box({"hello you"}).pass(300ms);
  play.view.prompt_hook = play.view.now;
  play.box({}).pass(1s);
  EXPECT_FALSE(play.outcome);
  play.view.no.reset();
  play.view.turning = true;
  play.pass(1s);
  EXPECT_EQ(play.verdict(), Verdict::confirmed);
}

TEST(InjectBack, SlowHooksAreWaitedForAndNotForEver) {
  Play taken = submitted();
  taken.pass(5s);
  EXPECT_FALSE(taken.outcome);
  taken.view.submitting = false;
  taken.view.turning = true;
  taken.look();
  EXPECT_EQ(taken.verdict(), Verdict::confirmed);
  Play slow = submitted();
  slow.pass(kHooksLong);
  EXPECT_EQ(slow.verdict(), Verdict::unverified);
}

TEST(InjectBack, WhatTheBoxDoesNotShowAsItWasSentIsTakenOut) {
  Play play(order());
  play.box({"hello"}).pass(kEchoLong + 100ms);
  ASSERT_EQ(play.writes, (Writes{kPaste, kErase}));
  play.box({}).pass(1s);
  EXPECT_EQ(play.verdict(), Verdict::stuck);
  EXPECT_FALSE(play.outcome->left);
  EXPECT_NE(play.outcome->witness.find("taken out"), std::string::npos);
}

TEST(InjectBack, APersonsWordsAreNotTouched) {
  Play play(order());
  play.box({"hello you and my own words"}).pass(10s);
  EXPECT_EQ(play.verdict(), Verdict::stuck);
  EXPECT_EQ(play.writes, Writes{kPaste});
  EXPECT_TRUE(play.outcome->left);
}

TEST(InjectBack, ADialogGetsNoneOfTheKeys) {
  Play play(order());
  play.box({"hello"}).pass(kEchoLong + 100ms);
  ASSERT_EQ(play.writes, (Writes{kPaste, kErase}));
  play.dialog().pass(5s);
  EXPECT_EQ(play.writes.size(), 2u);
  EXPECT_TRUE(play.outcome->left);
}

TEST(InjectBack, ThePopupThatChoseAFileLeavesNothing) {
  Order file = order();
  file.text = "look at @main.py";
  Play play(file);
  EXPECT_EQ(play.writes, Writes{"\x1b[200~look at @main.py \x1b[201~"}) << "a space closes it";
  play.box({"look at @main.py"}).pass(300ms).box({"look at main.py"}).pass(kTakenLong);
  EXPECT_EQ(play.enters(), 1u);
  EXPECT_EQ(play.writes.back().substr(0, 3), kErase.substr(0, 3));
  play.box({}).pass(1s);
  EXPECT_EQ(play.verdict(), Verdict::stuck);
  EXPECT_FALSE(play.outcome->left);
}

TEST(InjectBack, ADraftThatWasSavedComesBackAfterIt) {
  Play play(order(true));
  play.inject = Inject(order(true), play.view.now);
  play.view.draft = true;
  play.view.rows = {"half a thou"};
  play.look();
  play.box({}).pass(100ms).box({"hell you"}).pass(kEchoLong + 200ms);
  EXPECT_EQ(play.writes.back(), kErase);
  play.box({}).pass(400ms);
  EXPECT_EQ(play.writes.back(), "\x1b[200~half a thou\x1b[201~");
  play.box({"half a thou"}).pass(100ms);
  EXPECT_EQ(play.verdict(), Verdict::stuck);
  EXPECT_FALSE(play.outcome->draft_lost);
}

TEST(InjectBack, AtALimitThatIsOver) {
  Order late = order();
  Play held(late);
  held.inject = Inject(late, held.view.now);
  held.writes.clear();
  held.view.state = State::limited;
  held.pass(5s);
  EXPECT_EQ(held.verdict(), Verdict::withdrawn);
  late.limit_over = true;
  Play play(late);
  play.inject = Inject(late, play.view.now);
  play.writes.clear();
  play.view.state = State::limited;
  play.look();
  EXPECT_EQ(play.writes, Writes{kPaste});
}

// Typed and sent: what is above the box comes later.
Play commanded(std::vector<std::string> before = {}) {
  Order its = order();
  its.text = "/unheard of";
  Play play(its);
  play.view.unknown = std::move(before);
  play.box({"/unheard of"}).pass(300ms);
  EXPECT_EQ(play.enters(), 1u);
  return play;
}
const std::string kUnknown = "Unknown command: /unheard";

TEST(InjectBack, ACommandIsKnownWhenItWorksForAWhile) {
  Play play = commanded({"Unknown command: /another"});
  play.box({}).works().pass(500ms);
  EXPECT_FALSE(play.outcome);
  play.pass(1s);
  EXPECT_EQ(play.verdict(), Verdict::confirmed);
}

TEST(InjectBack, ACommandThatItDoesNotKnowIsNotConfirmed) {
  for (const bool flickers : {false, true}) {
    Play play = commanded();
    play.box({});
    if (flickers) play.works();
    play.pass(100ms);
    play.view.state = State::ready;
    play.view.unknown = {kUnknown};
    play.pass(1s);
    EXPECT_EQ(play.verdict(), Verdict::stuck);
    EXPECT_NE(play.outcome->witness.find(kUnknown), std::string::npos) << play.outcome->witness;
    EXPECT_FALSE(play.outcome->left);
    EXPECT_EQ(play.writes.size(), 2u) << "the text and Enter";
  }
}

TEST(InjectBack, ACommandThatWasPutBackIsTakenOutAtOnce) {
  Play play = commanded();
  play.view.unknown = {kUnknown};
  play.box({"/unheard of"}).pass(200ms);
  EXPECT_EQ(play.enters(), 1u) << "it would say so again";
  ASSERT_EQ(play.writes.back(), kErase);
  play.box({}).pass(1s);
  EXPECT_EQ(play.verdict(), Verdict::stuck);
  EXPECT_NE(play.outcome->witness.find("taken out"), std::string::npos);
}

TEST(InjectBack, ACommandThatWasUnknownBeforeIsNeverSurelyKnown) {
  Play play = commanded({kUnknown});
  play.box({}).works().pass(kTurnLong + 100ms);
  EXPECT_EQ(play.verdict(), Verdict::unverified);
}

TEST(InjectBack, WhatAnEarlierLifeTypedIsKnownAgain) {
  struct Case {
    const char* row;
    bool left;
  };
  for (const Case& one : {Case{"hello yo", true}, Case{"he", false}, Case{"my own words", false}}) {
    Play play = Play::resumed(order());
    play.box({one.row}).pass(kTurnLong + 100ms);
    EXPECT_EQ(play.verdict(), Verdict::unverified);
    EXPECT_EQ(play.outcome->left, one.left) << one.row;
    EXPECT_TRUE(play.writes.empty()) << "it may be a person's";
  }
}

TEST(InjectBack, WhatComesPieceByPieceIsWaitedForButNotForEver) {
  Order its = order();
  its.text = "one two three four five";
  Play play(its);
  for (const char* so_far : {"one", "one two", "one two three", "one two three four"})
    play.box({so_far}).pass(3s);
  EXPECT_FALSE(play.outcome);
  EXPECT_EQ(play.writes.size(), 1u);
  play.box({its.text}).pass(500ms);
  EXPECT_EQ(play.enters(), 1u);
  Play endless(its);
  for (int i = 0; i < 40 && !endless.outcome; ++i)
    endless.box({i % 2 == 0 ? "one" : "one two"}).pass(2s);
  EXPECT_EQ(endless.verdict(), Verdict::stuck);
  EXPECT_EQ(endless.enters(), 0u);
}

TEST(InjectBack, APromptThatItsBoxCouldNotShowIsSeenWholeAboveIt) {
  Order its = order();
  for (int i = 0; i < 12; ++i) its.text += "\nline " + std::to_string(i) + " of more than it shows";
  const std::vector<std::string> end = {
      "line 8 of more than it shows", "line 9 of more than it shows",
      "line 10 of more than it shows", "line 11 of more than it shows"};
  for (const bool whole : {false, true}) {
    Play play(its);
    play.box(end).pass(400ms);
    ASSERT_EQ(play.enters(), 1u);
    EXPECT_TRUE(play.inject.looks_above());
    play.view.above = {"an old answer", "› " + its.text.substr(0, whole ? its.text.size() : 40)};
    play.box({}).pass(100ms).works();
    play.pass(20s);
    EXPECT_EQ(play.verdict(), whole ? Verdict::confirmed : Verdict::unverified);
  }
}

// What is half drawn may look like one for a moment.
TEST(InjectBack, ADialogForAMomentIsNone) {
  Play play(order());
  play.pass(40ms).dialog().pass(100ms);
  EXPECT_FALSE(play.outcome);
  play.view.menu = false;
  play.box({"hello you"}).pass(300ms);
  EXPECT_EQ(play.enters(), 1u);
}

// Rows of our own text, in a box whose frame is that of a dialog.
TEST(InjectBack, OurOwnTextIsNoDialog) {
  Order rows = order();
  rows.text = "1. Yes\n2. No";
  Play play(rows);
  play.pass(40ms);
  play.view.options = {"1. Yes", "❯ 2. No"};
  play.dialog().pass(1s);
  EXPECT_FALSE(play.outcome);
  play.view.options = {"1. Yes", "❯ 2. No, never"};
  play.pass(1s);
  EXPECT_EQ(play.verdict(), Verdict::unverified);
  EXPECT_TRUE(play.outcome->left);
}

TEST(InjectBack, WhatWasLeftThereIsTakenOut) {
  Play play(Inject::taking_out(order(), MonoTime{100s}), {"hello you"});
  play.view.state = State::typing;
  play.pass(200ms);
  ASSERT_EQ(play.writes.size(), 1u);
  EXPECT_EQ(play.writes[0].substr(0, 3), "\x05\x15\x7f");
  play.box({}).pass(2s);
  EXPECT_EQ(play.verdict(), Verdict::confirmed);
  EXPECT_FALSE(play.outcome->left);
  EXPECT_EQ(play.enters(), 0u);
}

TEST(InjectBack, AndNothingElseIs) {
  const std::pair<const char*, void (*)(View&)> cases[] = {
      {"somebody wrote on", [](View& view) { view.rows = {"hello you and me"}; }},
      {"a person types", [](View& view) { view.human_waits = true; }},
      {"a dialog", [](View& view) { view.menu = true, view.box = false; }},
      {"a turn", [](View& view) { view.state = State::busy; }},
      {"another input", [](View& view) { view.mode = "shell mode"; }},
      {"no box", [](View& view) { view.box = false; }}};
  for (const auto& [name, change] : cases) {
    Play play(Inject::taking_out(order(), MonoTime{100s}), {"hello you"});
    play.view.state = State::typing;
    change(play.view);
    play.pass(30s);
    EXPECT_NE(play.verdict(), Verdict::confirmed) << name;
    EXPECT_TRUE(play.writes.empty()) << name;
  }
}

}  // namespace
}  // namespace pawl::act
