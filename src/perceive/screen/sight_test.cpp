#include "perceive/screen/sight.h"

#include <gtest/gtest.h>

#include "perceive/test_screen.h"

namespace pawl::perceive {
namespace {

using test::kToyProfile;
using test::profile_from;
using test::rows_of;
using test::screen_of;

const std::string kSightRule = "────────────────────";

// One look at a still screen.
struct Still {
  explicit Still(const std::string& text, Size size = {40, 12},
                 const std::string& toml = kToyProfile)
      : profile(profile_from(toml)), eye(profile), terminal(screen_of(text, size)) {
    eye.look(terminal.screen());
  }
  const Sight& sight() const { return eye.sight(); }
  const Box& box() const { return sight().box; }
  Eye::Moved then(const std::string& bytes) {
    terminal.feed(bytes);
    return eye.look(terminal.screen());
  }
  Profile profile;
  Eye eye;
  term::Terminal terminal;
};

std::string boxed(const std::string& inside, const std::string& above = "text",
                  const std::string& below = "hints") {
  return above + "\n" + kSightRule + "\n" + inside + "\n" + kSightRule + "\n" + below;
}

std::string cursor_at(int row, int col) {
  return "\x1b[" + std::to_string(row) + ";" + std::to_string(col) + "H";
}

TEST(Sight, AnEmptyBoxInItsFrame) {
  const Still still(boxed("❯ ") + cursor_at(3, 3));
  EXPECT_TRUE(still.box().there);
  EXPECT_TRUE(still.box().framed);
  EXPECT_EQ(still.box().first, 2);
  EXPECT_EQ(still.box().last, 2);
  EXPECT_FALSE(still.box().draft);
  EXPECT_FALSE(still.sight().blank);
}

TEST(Sight, APointerAloneIsAnEmptyBox) {
  const Still still(boxed("❯"));
  EXPECT_TRUE(still.box().there);
  EXPECT_FALSE(still.box().draft);
}

TEST(Sight, NoBoxWithoutItsBorders) {
  EXPECT_FALSE(Still("❯ ").box().there);
  EXPECT_FALSE(Still(kSightRule + "\n❯ ").box().there);
  EXPECT_FALSE(Still("❯ \n" + kSightRule).box().there);
  EXPECT_FALSE(Still(boxed("> ")).box().there) << "another pointer";
  EXPECT_FALSE(Still("").box().there);
  EXPECT_TRUE(Still("").sight().blank);
}

TEST(Sight, TheLowestBoxCounts) {
  const Still still(boxed("❯ old", "text", "") + "\n" + boxed("❯ "), {40, 16});
  ASSERT_TRUE(still.box().there);
  EXPECT_EQ(still.box().first, 7);
  EXPECT_FALSE(still.box().draft);
}

TEST(Sight, AQuotedBoxHighUpIsNone) {
  EXPECT_FALSE(Still(boxed("❯ ", "x", "one\ntwo\nthree\nfour"), {40, 16}).box().there)
      << "more rows follow than a footer has";
  EXPECT_TRUE(Still(boxed("❯ ", "x", "one\ntwo\nthree"), {40, 16}).box().there);
}

TEST(Sight, ADraft) {
  const Still still(boxed("❯ fix") + cursor_at(3, 6));
  EXPECT_TRUE(still.box().draft);
  EXPECT_EQ(still.box().text, "fix");
}

TEST(Sight, ADraftOfSeveralRows) {
  const Still still(boxed("❯ one\n  two\n\n  three"));
  ASSERT_TRUE(still.box().there);
  EXPECT_EQ(still.box().first, 2);
  EXPECT_EQ(still.box().last, 5);
  EXPECT_TRUE(still.box().draft);
  const Still later(boxed("❯\n  only below"));
  EXPECT_TRUE(later.box().draft) << "its first row is empty";
}

TEST(Sight, ADraftOfSeveralParagraphsWithoutABorderGoesOnToTheCursor) {
  const std::string rules = "name='x'\n[[box]]\nprompt='^› '\ncursor='visible'\nfooter_rows=2\n";
  const std::string draft = "said\n\n› one\n\n  two\n\n  three\n\n  footer";
  const Still still(draft + cursor_at(7, 8), {80, 12}, rules.c_str());
  ASSERT_TRUE(still.box().there);
  EXPECT_EQ(still.box().first, 2);
  EXPECT_EQ(still.box().last, 6);
  EXPECT_FALSE(
      Still("said\n\n› one\n\nnot set in\n\n  three" + cursor_at(7, 8), {80, 12}, rules.c_str())
          .box()
          .there)
      << "what is said below an old prompt is no draft";
}

TEST(Sight, ALongDraftIsCut) {
  const Still still(boxed("❯ " + std::string(300, 'x')), {400, 12});
  EXPECT_TRUE(still.box().draft);
  EXPECT_LE(still.box().text.size(), 84u);
}

TEST(Sight, ADimSuggestionIsNoDraft) {
  for (const char* faint :
       {"\x1b[2m", "\x1b[38;5;8m", "\x1b[90m", "\x1b[38;5;244m", "\x1b[38;2;136;136;136m"}) {
    const Still still(boxed("❯ " + std::string(faint) + "try a test\x1b[0m") + cursor_at(3, 3));
    EXPECT_TRUE(still.box().there);
    EXPECT_FALSE(still.box().draft) << faint + 1;
  }
}

TEST(Sight, WhatAPersonTypedInAnyColourIsADraft) {
  for (const char* bright :
       {"\x1b[0m", "\x1b[1m", "\x1b[31m", "\x1b[38;5;231m", "\x1b[38;2;255;255;255m"}) {
    const Still still(boxed("❯ " + std::string(bright) + "try a test\x1b[0m"));
    EXPECT_TRUE(still.box().draft) << bright + 1;
  }
}

TEST(Sight, ADraftThatIsCompletedInDimTextIsStillADraft) {
  const Still still(boxed("❯ /hel\x1b[2mp\x1b[0m") + cursor_at(3, 7));
  EXPECT_TRUE(still.box().draft);
}

TEST(Sight, DimTextWithTheCursorBehindItIsADraft) {
  const Still still(boxed("❯ \x1b[2mabc\x1b[0m") + cursor_at(3, 6));
  EXPECT_TRUE(still.box().draft) << "somebody is typing it";
}

TEST(Sight, APlaceholderIsNoDraft) {
  EXPECT_FALSE(Still(boxed("❯ Ask me anything") + cursor_at(3, 3)).box().draft);
  EXPECT_TRUE(Still(boxed("❯ Ask me anything") + cursor_at(3, 18)).box().draft) << "it was typed";
}

TEST(Sight, TheBlockUnderAHiddenCursorIsNoText) {
  const Still still(boxed("❯ \x1b[7mT\x1b[0;2mry this\x1b[0m") + cursor_at(3, 3) + "\x1b[?25l");
  EXPECT_FALSE(still.box().draft);
}

TEST(Sight, ColoursAloneTurnASuggestionIntoADraft) {
  Still still(boxed("❯ \x1b[2mabc\x1b[0m") + cursor_at(3, 3));
  ASSERT_FALSE(still.box().draft);
  const auto moved = still.then(cursor_at(3, 3) + "abc" + cursor_at(3, 3));
  EXPECT_FALSE(moved.any()) << "the text is the same";
  EXPECT_TRUE(still.box().draft);
}

TEST(Sight, WideCharactersInTheBox) {
  const Still typed(boxed("❯ 漢字かな") + cursor_at(3, 11));
  EXPECT_TRUE(typed.box().draft);
  EXPECT_EQ(typed.box().text, "漢字かな");
  EXPECT_FALSE(Still(boxed("❯ \x1b[2m漢字\x1b[0m") + cursor_at(3, 3)).box().draft);
  EXPECT_TRUE(Still(boxed("❯ 👩‍👩‍👧 e\xcc\x81")).box().draft);
}

TEST(Sight, ANoBreakSpaceIsASpace) {
  const Still still(boxed("❯\xC2\xA0"));
  EXPECT_TRUE(still.box().there);
  EXPECT_FALSE(still.box().draft);
}

TEST(Sight, SmallAndLargeScreens) {
  const Still small("x\n────\n❯ \n────", {20, 5});
  EXPECT_TRUE(small.box().there);
  std::string text;
  for (int i = 0; i < 490; ++i) text += "line\n";
  const Still large(text + boxed("❯ hello"), {500, 500});
  ASSERT_TRUE(large.box().there);
  EXPECT_EQ(large.box().first, 492);
  EXPECT_TRUE(large.box().draft);
  for (const Size size : {Size{1, 1}, Size{2, 2}, Size{1024, 1}, Size{1, 1024}})
    EXPECT_FALSE(Still(boxed("❯ "), size).box().draft);
}

constexpr const char* kPlainBox =
    "name='x'\n[[box]]\nprompt='^>(?: |$)'\ncursor='visible'\nfooter_rows=2\n";

TEST(Sight, ABoxWithoutBordersNeedsTheCursor) {
  EXPECT_TRUE(Still("text\n\n> ", {40, 12}, kPlainBox).box().there);
  EXPECT_FALSE(Still("text\n\n> \x1b[?25l", {40, 12}, kPlainBox).box().there) << "hidden";
  EXPECT_FALSE(Still("text\n\n> " + cursor_at(1, 1), {40, 12}, kPlainBox).box().there)
      << "elsewhere";
  const Still still("text\n> one\n  two\n\n  hints" + cursor_at(3, 6), {40, 12}, kPlainBox);
  ASSERT_TRUE(still.box().there);
  EXPECT_FALSE(still.box().framed);
  EXPECT_EQ(still.box().last, 2) << "up to an empty row";
}

TEST(Sight, ABoxOfSidesOnly) {
  const char* sides =
      "name='x'\n[[box]]\nabove='^╭─+'\nprompt='^│ > '\nbelow='^╰─+'\ncursor='any'\n";
  const Still empty("╭──────╮\n│ >    │\n╰──────╯", {40, 12}, sides);
  EXPECT_TRUE(empty.box().there);
  EXPECT_FALSE(empty.box().draft) << "its right border is no text";
  EXPECT_TRUE(Still("╭──────╮\n│ > ab │\n│   cd │\n╰──────╯", {40, 12}, sides).box().draft);
}

TEST(Sight, ABoxWithoutAPointer) {
  const char* rules = "name='x'\n[[box]]\nabove='^─{4,}'\nbelow='^─{4,}'\ncursor='inside'\n";
  const Still empty("text\n─────\n\n─────\nhints" + cursor_at(3, 1), {40, 12}, rules);
  EXPECT_TRUE(empty.box().there);
  EXPECT_FALSE(empty.box().draft);
  EXPECT_TRUE(Still("text\n─────\nabc\n─────" + cursor_at(3, 4), {40, 12}, rules).box().draft);
  EXPECT_FALSE(Still("text\n─────\n\n─────" + cursor_at(1, 1), {40, 12}, rules).box().there);
}

TEST(Sight, SignsCountInTheirRegion) {
  EXPECT_TRUE(Still(boxed("❯ ", "* Thinking…")).sight().busy);
  EXPECT_FALSE(Still(boxed("❯ ", "text", "* Thinking…")).sight().busy) << "below";
  EXPECT_FALSE(Still(boxed("❯ ", "says: * Thinking…")).sight().busy)
      << "not at the start of the row";
  EXPECT_TRUE(Still(boxed("❯ ", "text", "2 jobs behind")).sight().background);
  EXPECT_FALSE(Still(boxed("❯ ", "2 jobs behind")).sight().background);
  EXPECT_EQ(Still(boxed("❯ ", "text", "12 shells")).sight().behind, 12);
  EXPECT_FALSE(Still(boxed("❯ ", "text", "12 shells")).sight().background);
  EXPECT_EQ(Still(boxed("❯ ", "text", "99999999999999999999 shells")).sight().behind, 999);
  EXPECT_EQ(Still(boxed("❯ ", "12 shells")).sight().behind, 0) << "above";
  EXPECT_TRUE(Still("Loading").sight().start);
  std::string far = "* Thinking…\n";
  for (int i = 0; i < kAboveRows + 1; ++i) far += "text\n";
  EXPECT_FALSE(Still(far + boxed("❯ "), {40, 50}).sight().busy) << "history";
}

TEST(Sight, ADialogStandsWhereTheBoxWas) {
  const Still still("text\nDo you want to run ls?");
  ASSERT_TRUE(still.sight().menu);
  EXPECT_TRUE(still.sight().menu->known);
  EXPECT_EQ(still.sight().menu->kind, "permission");
  EXPECT_EQ(still.sight().menu->question, "Do you want to run ls?");
  EXPECT_FALSE(Still(boxed("❯ ", "Do you want to run ls?")).sight().menu) << "quoted above a box";
}

const std::string kMenus = std::string(kToyProfile) +
                           "[menu]\nchosen=['^> \\d[.] ']\noptions=['^\\s*\\d[.] ']\n"
                           "pointer=['^> \\S']\nhints=['Enter to confirm']\n";

TEST(Sight, AMenuNobodyDescribed) {
  const auto menu = [](const std::string& text) {
    return Still(text, {40, 12}, kMenus).sight().menu;
  };
  const auto numbered = menu("Which?\n> 1. one\n  2. two");
  ASSERT_TRUE(numbered);
  EXPECT_FALSE(numbered->known);
  EXPECT_EQ(numbered->rows, (std::vector<std::string>{"> 1. one", "2. two"}));
  const auto pointed = menu("Which?\n> one\n  two\nEnter to confirm");
  ASSERT_TRUE(pointed);
  EXPECT_EQ(pointed->rows, (std::vector<std::string>{"> one", "two"}));
  EXPECT_EQ(pointed->chosen, 0);
  const auto below_a_list =
      menu("1. a tip\n2. another\n\n\n\nWhich?\n  1. one\n  because\n> 2. two");
  ASSERT_TRUE(below_a_list);
  EXPECT_EQ(below_a_list->rows, (std::vector<std::string>{"1. one", "> 2. two"}));
  EXPECT_EQ(below_a_list->chosen, 1);
  EXPECT_FALSE(menu("Which?\n> one\n  two")) << "no numbers, no hint";
  EXPECT_FALSE(menu("Steps:\n1. one\n2. two\nEnter to confirm")) << "nothing is chosen";
  EXPECT_FALSE(menu("> 1. one")) << "nothing else to choose";
  EXPECT_FALSE(menu("Enter to confirm"));
  EXPECT_FALSE(menu("> 1. one\n  2. two\n" + boxed("❯ "))) << "quoted above a box";
}

TEST(Sight, AShellsPromptIsLeftOfTheCursor) {
  const std::string toml = std::string("shells=['^\\w+@\\w+\\$ $']\n") + kToyProfile;
  EXPECT_EQ(Still("ls\nme@host$ ", {40, 12}, toml).sight().shell, "me@host$ ");
  EXPECT_EQ(Still("me@host$ ls", {40, 12}, toml).sight().shell, "") << "not up to the cursor";
  EXPECT_EQ(Still(boxed("❯ me@host$ "), {40, 12}, toml).sight().shell, "") << "in the box";
}

TEST(Sight, NoticesKeepWhatTheyGoOnWith) {
  const Still still(boxed("❯ ", "You have hit your limit\nresets at 5pm\n"));
  ASSERT_EQ(still.sight().notices.size(), 1u);
  EXPECT_EQ(still.sight().notices[0].kind, NoticeKind::limit);
  EXPECT_NE(still.sight().notices[0].text.find("resets at 5pm"), std::string::npos);
  EXPECT_TRUE(Still(boxed("❯ ", "It said: You have hit your limit")).sight().notices.empty());
}

TEST(Sight, SaysWhereTextMoved) {
  Still still(boxed("❯ "));
  EXPECT_FALSE(still.eye.look(still.terminal.screen()).any());
  auto moved = still.then(cursor_at(1, 1) + "TEXT");
  EXPECT_TRUE(moved.above && !moved.box && !moved.below && !moved.cleared);
  moved = still.then(cursor_at(3, 3) + "a");
  EXPECT_TRUE(!moved.above && moved.box && !moved.below);
  moved = still.then(cursor_at(5, 1) + "HINTS");
  EXPECT_TRUE(!moved.above && !moved.box && moved.below);
  moved = still.then(cursor_at(5, 1) + "\x1b[31mHINTS\x1b[0m");
  EXPECT_FALSE(moved.any()) << "a colour";
  moved = still.then(cursor_at(3, 4));
  EXPECT_FALSE(moved.any()) << "the cursor";
}

TEST(Sight, SaysThatTheScreenWasCleared) {
  Still still(boxed("❯ "));
  EXPECT_TRUE(still.then("\x1b[2J").cleared);
  EXPECT_FALSE(still.then("\x1b[2J").cleared) << "it was empty before";
  still.then("text");
  EXPECT_TRUE(still.then("\x1b[?1049h").cleared) << "another screen";
  EXPECT_TRUE(still.then("\x1b[?1049l").cleared);
  still.terminal.resize({30, 10});
  EXPECT_TRUE(still.eye.look(still.terminal.screen()).cleared);
}

// As pi draws it: two rules, and the cursor in the list of commands while one is open.
constexpr const char* kListing = R"toml(
name = "listing"
[[box]]
above = '^─{4,}'
below = '^─{4,}'
cursor = "inside"
footer_rows = 2
)toml";

TEST(Sight, ACommandIsADraftThoughTheListHasTheCursor) {
  const std::string list = "→ model  Select model\n  mcp\n  more\n";
  const Still slash(boxed("/m", "text", list) + cursor_at(6, 3), {40, 12}, kListing);
  EXPECT_TRUE(slash.box().there);
  EXPECT_TRUE(slash.box().draft);
  const Still faint(boxed("\x1b[2m/help for help\x1b[m", "text", list) + cursor_at(6, 3), {40, 12},
                    kListing);
  EXPECT_TRUE(faint.box().draft) << "never an empty box while the cursor is elsewhere";
  EXPECT_FALSE(
      Still(boxed("words", "text", list) + cursor_at(6, 3), {40, 12}, kListing).box().there);
}

// As Claude Code does for screen readers: no frame, and what is announced stands under it.
constexpr const char* kSpoken = R"toml(
name = "spoken"
placeholders = ['Type your message']
[[box]]
above = '^manual mode on'
prompt = '^\$(?:\s|$)'
apart = '^\[.+\]$'
cursor = "any"
[[box]]
prompt = '^\$ {1,2}([/@])'
typed = true
cursor = "inside"
)toml";

TEST(Sight, ASpokenBoxIsNoShell) {
  const Still empty("manual mode on\n$ ", {40, 12}, kSpoken);
  EXPECT_TRUE(empty.box().there);
  EXPECT_FALSE(empty.box().draft);
  EXPECT_EQ(empty.sight().shell, "");
  const Still told("manual mode on\n$\n[manual mode on]", {40, 12}, kSpoken);
  EXPECT_FALSE(told.box().draft) << told.box().text;
  EXPECT_FALSE(Still("some text\n$ ", {40, 12}, kSpoken).box().there);
}

TEST(Sight, WhatIsDrawnOnlyWhileTypedIsNeverAnEmptyBox) {
  const Still slash("/add-dir  Add\n$  /", {40, 12}, kSpoken);
  EXPECT_TRUE(slash.box().there);
  EXPECT_TRUE(slash.box().draft);
  EXPECT_EQ(slash.box().text, "/");
}

TEST(Sight, AHiddenCursorThatIsDrawnAtTheStartLeavesASuggestionOne) {
  const std::string row = "manual mode on\n$  \x1b[7m \x1b[27m\x1b[2m Type your message\x1b[m";
  EXPECT_FALSE(Still(row + "\x1b[?25l", {40, 12}, kSpoken).box().draft);
}

TEST(Sight, SuggestionsAndInvisibleCharactersAreNotTyped) {
  const Still still(boxed("❯ /\x1b[2mmodel and more\x1b[m \xe2\x80\x8b") + cursor_at(3, 4));
  EXPECT_TRUE(still.box().draft);
  EXPECT_EQ(still.box().typed, 1U);
}

TEST(Sight, ARowThatWrapsOverFourLinesDoesNotHideTheNext) {
  const std::string toml = std::string(kToyProfile) + R"toml(
[menu]
chosen = ['^❯ \d+\.']
options = ['^\s*\d+\.']
)toml";
  const Still still(
      "Do you want to run it?\n❯ 1. Yes, and\nalways allow\nthis for all\nof it\n  2. No\n",
      {40, 12}, toml);
  ASSERT_TRUE(still.sight().menu);
  EXPECT_EQ(still.sight().menu->rows, (std::vector<std::string>{"❯ 1. Yes, and", "2. No"}));
  const Still apart("1. a list\nof text\n\nmore\nand more\n❯ 2. Yes\n  3. No\nenter to select",
                    {40, 12}, toml);
  ASSERT_TRUE(apart.sight().menu);
  EXPECT_EQ(apart.sight().menu->rows.size(), 2U) << "an empty row is between them";
}

}  // namespace
}  // namespace pawl::perceive
