// Typing to a program that nobody knows: a line, its echo, Enter.

#include <gtest/gtest.h>

#include "act/inject_play.h"

namespace pawl::act {
namespace {

using namespace std::chrono_literals;

// A program without an interface: the line is echoed, and taken.
TEST(Inject, PlainPrograms) {
  Order line = order();
  line.plain = true;
  Play play(line);
  EXPECT_EQ(play.writes, Writes{kPaste});
  play.view.line = "$ hello you";
  play.pass(20ms);
  EXPECT_EQ(play.writes.size(), 2u);
  play.view.line = "$ ";
  play.view.cursor_row = 3;
  play.view.line_editor = true;
  play.pass(20ms);
  EXPECT_EQ(play.verdict(), Verdict::confirmed);
  Play silent(line);
  silent.pass(kPlainEcho + 20ms);
  EXPECT_EQ(silent.enters(), 1u) << "a password prompt shows nothing";
  silent.pass(2s);
  EXPECT_EQ(silent.verdict(), Verdict::unverified);
}

// Its echo did not come, and Enter was pressed into what it asked meanwhile.
TEST(Inject, EnterIsNotPressedIntoADialogOfAProgramNobodyKnows) {
  Order line = order();
  line.plain = true;
  Play play(line);
  play.view.menu = true;
  play.view.options = {"(y/n)"};
  play.pass(kPlainEcho + kAsksFor + 20ms);
  EXPECT_EQ(play.enters(), 0u);
  EXPECT_EQ(play.verdict(), Verdict::unverified);
}

// Before it reads, the terminal echoes what is typed as if it had been taken.
TEST(Inject, AProgramNobodyKnowsIsGivenTimeToComeUp) {
  Order line = order();
  line.plain = true;
  Inject inject(line, MonoTime{100s});
  View view;
  view.now = view.launched = MonoTime{100s};
  EXPECT_EQ(inject.look(view).write, "");
  EXPECT_EQ(inject.look(view).again, MonoTime{100s} + kPlainYoung);
  view.now += kPlainYoung;
  EXPECT_NE(inject.look(view).write, "");
}

// Its box was there, and words may be in it: a picture that is broken does not make a line editor of it.
TEST(Inject, ABoxThatCannotBeSeenIsNotTypedIntoBlindly) {
  Order line = order();
  line.plain = true;
  Inject inject(line, MonoTime{100s});
  View view;
  view.now = MonoTime{100s};
  view.interface = true;
  EXPECT_EQ(inject.look(view).write, "");
  view.now += kSettleLong;
  const Step step = inject.look(view);
  EXPECT_EQ(step.write, "");
  ASSERT_TRUE(step.outcome);
  EXPECT_EQ(step.outcome->verdict, Verdict::withdrawn);
}

// Nobody knows whose box it is; what lies in it is somebody's all the same.
TEST(Inject, ABoxNobodyKnowsIsNotTypedOver) {
  Order line = order();
  line.plain = true;
  Play play(line);
  EXPECT_EQ(play.writes, Writes{kPaste}) << "an empty one is typed into";
  play.view.line = "> hello you";
  play.pass(20ms);
  ASSERT_EQ(play.enters(), 1u);
  play.view.line_editor = true;
  play.box({"hello you"}).pass(kPlainEcho + 20ms);
  EXPECT_EQ(play.verdict(), Verdict::stuck) << "Enter was lost: the text is still there";
  line.now = true;
  Inject full(line, MonoTime{100s});
  View drafted = play.view;
  drafted.now = MonoTime{101s};
  drafted.rows = {"a draft"};
  const Step step = full.look(drafted);
  EXPECT_EQ(step.write, "");
  ASSERT_TRUE(step.outcome);
  EXPECT_EQ(step.outcome->verdict, Verdict::stuck);
  Play gone(line);
  gone.view.line = "> hello you";
  gone.pass(20ms);
  gone.view.line_editor = true;
  gone.view.line.clear();
  gone.view.box = false;
  gone.pass(kTurnLong + 20ms);
  EXPECT_EQ(gone.verdict(), Verdict::unverified) << "an emptied screen is no sign";
  Play asks(line);
  asks.view.line = "> hello you";
  asks.pass(20ms);
  asks.view.line_editor = true;
  asks.dialog().pass(20ms);
  EXPECT_EQ(asks.verdict(), Verdict::unverified);
}

}  // namespace
}  // namespace pawl::act
