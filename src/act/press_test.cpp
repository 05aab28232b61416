#include "act/press.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pawl::act {
namespace {

using namespace std::chrono_literals;
using Rows = std::vector<std::string>;

const Rows kRows{"❯ 1. Yes", "2. Yes, and don't ask again", "3. No (esc)"};
const std::string kUp = "\x1b[A", kDown = "\x1b[B";

// A dialog that follows the arrow keys, unless it is told not to.
class Dialog {
 public:
  explicit Dialog(const std::string& wish) : press(wish, MonoTime{100s}) {
    view.now = MonoTime{100s};
    view.menu = true;
    view.options = kRows;
    view.chosen = 0;
  }
  Dialog& pass(Duration time) {
    for (const MonoTime end = view.now + time; view.now < end && !outcome; view.now += 50ms) {
      const Step step = press.look(view);
      outcome = step.outcome;
      if (step.write.empty()) continue;
      keys.push_back(step.write);
      if (follows && step.write == kDown) ++view.chosen;
      if (follows && step.write == kUp) --view.chosen;
      if (step.write == "\r" && swallows-- <= 0 && closes) view.menu = false, view.options.clear();
    }
    return *this;
  }
  Verdict verdict() const {
    EXPECT_TRUE(outcome) << "it goes on";
    return outcome ? outcome->verdict : Verdict::withdrawn;
  }

  Press press;
  View view;
  bool follows = true, closes = true;
  int swallows = 0;  // that many times Enter
  Rows keys;
  std::optional<Outcome> outcome;
};

TEST(Press, TheRowThatIsMeant) {
  struct Case {
    const char* wish;
    int row;
  };
  const Case cases[] = {
      {"1", 0},        {"3", 2},  {"0", -1},   {"4", -1},  {"-1", -1},
      {"no", 2},       {"No", 2}, {"yes", 0},  {"ye", -1}, {"yes,", 1},
      {"Yes, and", 1}, {"", -1},  {"esc", -1}, {"1x", -1}, {"99999999999999999999", -1}};
  for (const Case& one : cases) EXPECT_EQ(row_of(kRows, one.wish), one.row) << one.wish;
  EXPECT_EQ(said("❯ 1. Yes "), "Yes");
  EXPECT_EQ(said("  2) Allow once"), "Allow once");
  EXPECT_EQ(said("3."), "");
}

TEST(Press, GoesToTheRowAndSeesTheDialogGone) {
  Dialog first("1");
  first.pass(10s);
  EXPECT_EQ(first.verdict(), Verdict::confirmed);
  EXPECT_EQ(first.keys, Rows{"\r"});
  Dialog third("no");
  third.pass(10s);
  EXPECT_EQ(third.verdict(), Verdict::confirmed);
  EXPECT_EQ(third.keys, (Rows{kDown, kDown, "\r"}));
  Dialog up("1");
  up.view.chosen = 2;
  up.pass(10s);
  EXPECT_EQ(up.keys, (Rows{kUp, kUp, "\r"}));
}

TEST(Press, WaitsUntilItIsDrawn) {
  Dialog late("1");
  late.view.menu = false;
  late.view.options.clear();
  late.pass(1s);
  EXPECT_FALSE(late.outcome);
  late.view.menu = true;
  late.view.options = kRows;
  late.pass(100ms);
  EXPECT_TRUE(late.keys.empty()) << "rows that may still change";
  late.pass(5s);
  EXPECT_EQ(late.verdict(), Verdict::confirmed);
  Dialog never("1");
  never.view.menu = false;
  never.view.options.clear();
  never.pass(10s);
  EXPECT_EQ(never.verdict(), Verdict::withdrawn);
  EXPECT_TRUE(never.keys.empty());
}

TEST(Press, NoKeyForARowThatIsNotThere) {
  Dialog none("maybe");
  none.pass(10s);
  EXPECT_EQ(none.verdict(), Verdict::withdrawn);
  EXPECT_NE(none.outcome->witness.find("Yes, and don't ask again"), std::string::npos)
      << "these there are";
  EXPECT_TRUE(none.keys.empty());
  Dialog blind("2");
  blind.view.chosen = -1;
  blind.pass(10s);
  EXPECT_EQ(blind.verdict(), Verdict::withdrawn);
  EXPECT_TRUE(blind.keys.empty());
}

TEST(Press, NeverAKeyIntoAnotherDialog) {
  Dialog before("3");
  before.pass(150ms).view.options = {"❯ 1. Delete everything", "2. Leave"};
  before.keys.clear();
  before.follows = before.closes = false;
  before.pass(10s);
  EXPECT_TRUE(before.outcome);
  EXPECT_EQ(std::count(before.keys.begin(), before.keys.end(), "\r"), 0);
  Dialog moving("3");
  moving.pass(250ms);
  ASSERT_FALSE(moving.keys.empty());
  const size_t pressed = moving.keys.size();
  moving.view.options = {"❯ 1. Delete everything", "2. Leave", "3. Keep"};
  moving.view.chosen = 2;
  moving.pass(10s);
  EXPECT_EQ(moving.verdict(), Verdict::unverified);
  EXPECT_EQ(moving.keys.size(), pressed);
}

TEST(Press, AnotherDialogAfterEnterIsAnAnswerToo) {
  Dialog next("1");
  next.closes = false;
  next.pass(300ms);
  ASSERT_EQ(next.keys, Rows{"\r"});
  next.view.options = {"❯ 1. Really", "2. Not"};
  next.pass(5s);
  EXPECT_EQ(next.verdict(), Verdict::confirmed);
  EXPECT_EQ(next.keys, Rows{"\r"});
}

TEST(Press, OneThatIsDrawnAnewForAMomentIsNotGone) {
  Dialog flicker("1");
  flicker.closes = false;
  flicker.pass(300ms);
  flicker.view.menu = false;
  flicker.pass(100ms);
  flicker.view.menu = true;
  flicker.pass(1s);
  EXPECT_FALSE(flicker.outcome);
  flicker.pass(5s);
  EXPECT_EQ(flicker.verdict(), Verdict::stuck);
  EXPECT_EQ(flicker.keys, Rows{"\r"}) << "one Enter";
}

TEST(Press, StuckWhenNothingMoves) {
  Dialog deaf("3");
  deaf.follows = false;
  deaf.pass(10s);
  EXPECT_EQ(deaf.verdict(), Verdict::stuck);
  EXPECT_EQ(deaf.keys, Rows{kDown});
  Dialog stays("1");
  stays.closes = stays.follows = false;
  stays.pass(10s);
  EXPECT_EQ(stays.verdict(), Verdict::stuck);
  EXPECT_EQ(stays.keys, (Rows{"\r", kDown}));
}

TEST(Press, AnEnterThatWasNotHeardIsPressedAgain) {
  Dialog first("1");
  first.swallows = 1;
  first.pass(20s);
  EXPECT_EQ(first.verdict(), Verdict::confirmed);
  EXPECT_EQ(first.keys, (Rows{"\r", kDown, kUp, "\r"}));
  Dialog third("3");
  third.swallows = 1;
  third.pass(20s);
  EXPECT_EQ(third.verdict(), Verdict::confirmed);
  EXPECT_EQ(third.keys, (Rows{kDown, kDown, "\r", kUp, kDown, "\r"}));
  Dialog deaf("1");
  deaf.swallows = 9;
  deaf.pass(20s);
  EXPECT_EQ(deaf.verdict(), Verdict::stuck);
  EXPECT_EQ(deaf.keys, (Rows{"\r", kDown, kUp, "\r"})) << "no more than once";
}

// The next question may have the same rows.
TEST(Press, AnotherDialogWithTheSameRowsIsLeftAlone) {
  Dialog dialog("1");
  dialog.closes = false;
  dialog.view.around = "run make?";
  dialog.pass(400ms);
  EXPECT_EQ(dialog.keys, Rows{"\r"});
  dialog.view.around = "run make? yes\nrun rm?";
  dialog.pass(20s);
  EXPECT_EQ(dialog.keys, Rows{"\r"});
  EXPECT_EQ(dialog.verdict(), Verdict::stuck);
}

// Nobody but Enter was there: a pointer that is elsewhere is another dialog's, word for word the same.
TEST(Press, TheSameQuestionOnceMoreIsNotAnsweredToo) {
  Dialog dialog("3");
  dialog.closes = false;
  dialog.pass(600ms);
  ASSERT_EQ(dialog.keys, (Rows{kDown, kDown, "\r"}));
  dialog.view.chosen = 0;
  dialog.pass(20s);
  EXPECT_EQ(dialog.keys.size(), 3u);
  EXPECT_EQ(dialog.verdict(), Verdict::confirmed);
}

TEST(Press, NorOneThatTheProgramSpokeBefore) {
  for (MonoTime View::*spoke : {&View::hook, &View::reported}) {
    Dialog dialog("1");
    dialog.closes = false;
    dialog.pass(400ms);
    ASSERT_EQ(dialog.keys, Rows{"\r"});
    dialog.view.*spoke = dialog.view.now;
    dialog.pass(20s);
    EXPECT_EQ(dialog.keys, Rows{"\r"});
    EXPECT_EQ(dialog.verdict(), Verdict::stuck);
  }
}

TEST(Press, AKeyThatWasNotWrittenMayComeLater) {
  Dialog first("1");
  first.closes = false;
  first.pass(400ms);
  ASSERT_EQ(first.keys, Rows{"\r"});
  first.view.refused = "a person is there";
  first.pass(20ms);
  EXPECT_EQ(first.verdict(), Verdict::withdrawn);
}

// It was only slow: the arrow came after Enter.
TEST(Press, ADialogThatGoesWhileItIsProbedHadItsEnter) {
  Dialog dialog("1");
  dialog.closes = dialog.follows = false;
  dialog.pass(2s);
  EXPECT_EQ(dialog.keys, (Rows{"\r", kDown}));
  dialog.view.menu = false;
  dialog.view.options.clear();
  dialog.pass(2s);
  EXPECT_EQ(dialog.verdict(), Verdict::confirmed);
}

}  // namespace
}  // namespace pawl::act
