// The procedure alone: what it writes at which sight. With a whole engine and a program: core/deliver_test.cpp.

#include <gtest/gtest.h>

#include "act/inject_play.h"

namespace pawl::act {
namespace {

using namespace std::chrono_literals;
using model::State;

TEST(Inject, PasteThenSightThenEnterThenWitness) {
  Play play(order());
  EXPECT_EQ(play.writes, Writes{kPaste});
  play.box({"hello you"}).pass(60ms);
  EXPECT_EQ(play.enters(), 0u) << "the box must be still, and the program done with the paste";
  play.pass(150ms);
  EXPECT_EQ(play.enters(), 0u);
  play.pass(100ms);
  EXPECT_EQ(play.writes, (Writes{kPaste, "\r"}));
  play.box({}).pass(100ms);
  EXPECT_FALSE(play.outcome) << "an empty box alone proves nothing";
  play.works();
  EXPECT_EQ(play.verdict(), Verdict::confirmed);
  EXPECT_EQ(play.writes.size(), 2u);
}

TEST(Inject, WithoutMarksLineEndsAreNoEnter) {
  Order two = order();
  two.text = "one\ntwo\\";
  Play play(two);
  EXPECT_EQ(play.writes, Writes{"\x1b[200~one\rtwo\\ \x1b[201~"})
      << "and a backslash is no line's end";
  Inject bare(two, MonoTime{100s});
  View view = play.view;
  view.modes.bracketed_paste = false;
  EXPECT_EQ(bare.look(view).write, "one\ntwo\\ ");
}

TEST(Inject, WaitsForKeysOnTheirWayAndForABoxThatIsStill) {
  Play play(Inject(order(), MonoTime{100s}));
  EXPECT_EQ(play.writes.size(), 1u);
  Inject later(order(), MonoTime{100s});
  View view = play.view;
  view.human = view.now - 100ms;
  Step step = later.look(view);
  EXPECT_TRUE(step.write.empty());
  EXPECT_EQ(step.again, view.human + kKeysSettle);
  view.now = *step.again;
  view.box_moved = view.now - 10ms;
  step = later.look(view);
  EXPECT_TRUE(step.write.empty());
  view.now += kBoxStable;
  EXPECT_EQ(later.look(view).write, kPaste);
}

TEST(Inject, WithdrawnBeforeAByteIsWritten) {
  struct Case {
    const char* what;
    void (*change)(View&);
  };
  const Case cases[] = {
      {"a dialog", [](View& v) { v.menu = true, v.box = false; }},
      {"a person typed", [](View& v) { v.human_waits = true; }},
      {"a draft", [](View& v) { v.draft = true, v.rows = {"mine"}; }},
      {"no box", [](View& v) { v.box = false; }},
      {"busy again", [](View& v) { v.state = State::busy; }},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.what);
    Inject inject(order(), MonoTime{100s});
    View view;
    view.now = MonoTime{100s};
    view.state = State::ready;
    view.box = true;
    one.change(view);
    Step step = inject.look(view);
    for (int i = 0; i < 100 && !step.outcome; ++i) {
      EXPECT_TRUE(step.write.empty());
      view.now = *step.again;
      step = inject.look(view);
    }
    ASSERT_TRUE(step.outcome);
    EXPECT_EQ(step.outcome->verdict, Verdict::withdrawn);
    EXPECT_TRUE(step.write.empty());
    EXPECT_LE(view.now - MonoTime{100s}, kSettleLong);
  }
}

TEST(Inject, WhatDoesNotAppearIsStuckAndNeverPastedAgain) {
  Play eaten(order());
  eaten.pass(10s);
  EXPECT_EQ(eaten.verdict(), Verdict::stuck);
  EXPECT_EQ(eaten.writes, (Writes{kPaste, kErase})) << "it may be read later: so is this";
  EXPECT_FALSE(eaten.outcome->left);
  Play part(order());
  part.box({"hello"}).pass(10s);
  EXPECT_EQ(part.verdict(), Verdict::stuck);
  EXPECT_EQ(part.writes, (Writes{kPaste, kErase, kErase})) << "no Enter for a part";
  EXPECT_TRUE(part.outcome->left) << "nobody may take it for a person's";
}

TEST(Inject, WhatWasNotWrittenIsWithdrawn) {
  Play play(order());
  ASSERT_EQ(play.writes, Writes{kPaste});
  play.view.refused = "a person is there";
  play.look();
  EXPECT_EQ(play.verdict(), Verdict::withdrawn);
  EXPECT_EQ(play.outcome->witness, "a person is there");
}

TEST(Inject, ALongTextHasLonger) {
  Order big = order();
  big.text = std::string(256u << 10, 'x');
  Play play(big);
  play.pass(11s);
  EXPECT_FALSE(play.outcome);
  play.pass(2s);
  EXPECT_EQ(play.verdict(), Verdict::stuck);
}

TEST(Inject, ADialogNeverGetsAnEnter) {
  Play echo(order());
  echo.pass(40ms).dialog().pass(1s);
  EXPECT_EQ(echo.verdict(), Verdict::unverified);
  EXPECT_EQ(echo.enters(), 0u);
  Play burst(order());
  burst.box({"hello you"}).pass(100ms).dialog().pass(1s);
  EXPECT_EQ(burst.verdict(), Verdict::unverified);
  EXPECT_EQ(burst.enters(), 0u);
  Play after(order());
  after.box({"hello you"}).pass(300ms).dialog().pass(5s);
  EXPECT_EQ(after.verdict(), Verdict::unverified);
  EXPECT_EQ(after.enters(), 1u) << "the one before it came up";
}

TEST(Inject, EnterAgainOnlyWhileTheTextIsThere) {
  Play play(order());
  play.box({"hello you"}).pass(300ms);
  ASSERT_EQ(play.enters(), 1u);
  play.pass(600ms);
  EXPECT_EQ(play.enters(), 1u);
  play.pass(200ms);
  EXPECT_EQ(play.enters(), 2u);
  play.box({}).pass(2s);
  EXPECT_EQ(play.enters(), 2u);
  play.works();
  EXPECT_EQ(play.verdict(), Verdict::confirmed);
}

TEST(Inject, NoEnterIntoAnotherText) {
  Play play(order());
  play.box({"hello you"}).pass(300ms).box({"something else"}).pass(20s);
  EXPECT_EQ(play.enters(), 1u);
  EXPECT_EQ(play.verdict(), Verdict::unverified);
}

TEST(Inject, StuckWhenNoEnterHelps) {
  Play play(order());
  play.box({"hello you"}).pass(20s);
  EXPECT_EQ(play.verdict(), Verdict::stuck);
  EXPECT_EQ(play.enters(), static_cast<size_t>(kEnters));
  EXPECT_EQ(play.writes.front(), kPaste);
  EXPECT_EQ(play.writes.size(), 1u + kEnters + kSweeps) << "one paste";
  EXPECT_TRUE(play.outcome->left);
}

TEST(Inject, ABoxEmptyForAMomentIsNotEmptied) {
  Play play(order());
  play.box({"hello you"}).pass(300ms);
  play.box({}).pass(20ms).box({"hello you"}).works().pass(20ms);
  EXPECT_FALSE(play.outcome) << "it was only drawn anew, and works at something else";
  play.pass(800ms);
  EXPECT_EQ(play.enters(), 2u);
}

TEST(Inject, UnverifiedWithoutAWitness) {
  Play no_turn(order());
  no_turn.box({"hello you"}).pass(300ms).box({}).pass(10s);
  EXPECT_EQ(no_turn.verdict(), Verdict::unverified);
  Play gone(order());
  gone.box({"hello you"}).pass(300ms);
  gone.view.box = gone.view.draft = false;
  gone.pass(20s);
  EXPECT_EQ(gone.verdict(), Verdict::unverified);
  Play busy(order(true));
  Inject inject(order(true), MonoTime{100s});
  busy.inject = inject;
  busy.view.state = State::busy;
  busy.look();
  busy.box({"hello you"}).pass(300ms).box({}).works().pass(10s);
  EXPECT_EQ(busy.verdict(), Verdict::unverified) << "a turn that goes on proves nothing";
}

TEST(Inject, ADialogOfItsTurnIsAWitnessUnlessTheTextIsUnderIt) {
  Play play(order());
  play.box({"hello you"}).pass(300ms);
  play.view.box = play.view.draft = false;
  play.pass(20ms).works().pass(20ms).dialog();
  EXPECT_EQ(play.verdict(), Verdict::confirmed);
  Play own(order());
  own.box({"hello you"}).pass(300ms).works().pass(20ms).dialog().pass(1s);
  EXPECT_EQ(own.verdict(), Verdict::unverified) << "it works at something else";
  Play hook(order());
  hook.box({"hello you"}).pass(300ms);
  hook.view.box = hook.view.draft = false;
  hook.view.hook = hook.view.now + 20ms;
  hook.pass(20ms).works().pass(20ms).dialog().pass(1s);
  EXPECT_EQ(hook.verdict(), Verdict::unverified) << "its hooks tell of a tool, and not of a prompt";
}

TEST(Inject, ToldFromInside) {
  Play hook(order());
  hook.box({"hello you"}).pass(300ms);
  hook.view.prompt_hook = hook.view.now;
  hook.box({}).pass(200ms);
  EXPECT_FALSE(hook.outcome) << "another hook may refuse it";
  hook.view.turning = true;
  hook.look();
  EXPECT_EQ(hook.verdict(), Verdict::confirmed);
  Play quiet(order());
  quiet.box({"hello you"}).pass(300ms);
  quiet.view.prompt_hook = quiet.view.now;
  quiet.box({}).pass(kTurnLong);
  EXPECT_EQ(quiet.verdict(), Verdict::confirmed) << "nobody gave it back";
  Play transcript(order());
  transcript.box({"hello you"}).pass(300ms);
  transcript.view.transcript_user = transcript.view.now;
  transcript.box({}).pass(200ms);
  EXPECT_FALSE(transcript.outcome)
      << "the turn that is still to come would be taken for the next's";
  transcript.view.turning = true;
  transcript.look();
  EXPECT_EQ(transcript.verdict(), Verdict::confirmed);
  Play still(order());
  still.box({"hello you"}).pass(300ms);
  still.view.transcript_user = still.view.now;
  still.box({}).pass(kTurnLong);
  EXPECT_EQ(still.verdict(), Verdict::confirmed) << "no turn is seen to come";
}

TEST(Inject, WhatIsToldWhileTheTextIsThereIsAboutAnother) {
  Play play(order());
  play.box({"hello you"}).pass(300ms);
  play.view.prompt_hook = play.view.transcript_user = play.view.now;
  play.pass(kTurnLong - 100ms);
  EXPECT_FALSE(play.outcome);
  EXPECT_EQ(play.enters(), 1u) << "or the picture is late";
  play.pass(20s);
  EXPECT_EQ(play.verdict(), Verdict::stuck);
  Play old(order());
  old.view.prompt_hook = old.view.transcript_user = old.view.now;
  old.box({"hello you"}).pass(300ms).box({}).pass(20s);
  EXPECT_EQ(old.verdict(), Verdict::unverified) << "before our Enter";
}

TEST(Inject, OnlyItsEndWasSeen) {
  Order tall = order();
  for (int i = 0; i < 9; ++i) tall.text += "\nand line number " + std::to_string(i);
  const std::vector<std::string> end{"and line number 5", "and line number 6", "and line number 7",
                                     "and line number 8"};
  Play play(tall);
  play.box(end).pass(300ms).box({}).works().pass(10s);
  EXPECT_EQ(play.enters(), 1u);
  EXPECT_EQ(play.verdict(), Verdict::unverified) << "its head may be lost";
  Play told(tall);
  told.box(end).pass(300ms).view.prompt_hook = told.view.now;
  told.view.turning = true;
  told.box({});
  EXPECT_EQ(told.verdict(), Verdict::confirmed);
}

TEST(Inject, ResumedTypesNothingButEnter) {
  Play there = Play::resumed(order());
  there.box({"hello you"}).pass(300ms);
  EXPECT_EQ(there.writes, Writes{"\r"});
  there.box({}).pass(100ms).works();
  EXPECT_EQ(there.verdict(), Verdict::confirmed);
  Play gone = Play::resumed(order());
  gone.pass(20s);
  EXPECT_EQ(gone.verdict(), Verdict::unverified);
  EXPECT_TRUE(gone.writes.empty());
  Play part = Play::resumed(order());
  part.box({"hello"}).pass(20s);
  EXPECT_EQ(part.verdict(), Verdict::unverified);
  EXPECT_TRUE(part.writes.empty());
  Play dialog = Play::resumed(order());
  dialog.dialog().pass(20s);
  EXPECT_EQ(dialog.verdict(), Verdict::unverified);
  EXPECT_TRUE(dialog.writes.empty());
}

TEST(Inject, ResumedWhileItWorksProvesNothing) {
  Play play = Play::resumed(order(true));
  play.works().box({"hello you"}).pass(300ms);
  EXPECT_EQ(play.enters(), 1u);
  play.box({}).works().pass(10s);
  EXPECT_EQ(play.verdict(), Verdict::unverified);
}

// What the program's own hook says it got is compared with what was sent.
TEST(Inject, AHookThatTellsOfAnotherTextIsNoWitness) {
  const auto told = [](const std::string& text, Order its) {
    Play play(std::move(its));
    play.box({"hello you"}).pass(300ms);
    EXPECT_EQ(play.enters(), 1u);
    play.view.prompt_hook = play.view.now;
    play.view.prompt_text = text;
    play.box({}).works().pass(20s);
    return play.verdict();
  };
  EXPECT_EQ(told("hello you", order()), Verdict::confirmed);
  EXPECT_EQ(told("  hello  you\n", order()), Verdict::confirmed)
      << "blanks are drawn and cut freely";
  EXPECT_EQ(told("", order()), Verdict::confirmed) << "it does not say";
  EXPECT_EQ(told("hello", order()), Verdict::unverified) << "cut";
  EXPECT_EQ(told("do something else", order()), Verdict::unverified);
}

}  // namespace
}  // namespace pawl::act
