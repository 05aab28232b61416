#include <gtest/gtest.h>

#include "perceive/screen/sight.h"
#include "perceive/test_dialog.h"
#include "perceive/test_screen.h"
#include "term/terminal.h"

namespace pawl::perceive {
namespace {

struct Shown {
  explicit Shown(const std::string& bytes) : terminal({40, 4}) { terminal.feed(bytes); }
  std::string row(int column) const {
    const auto rows = box_rows(terminal.screen(), at(column));
    return rows.size() == 1 ? rows[0] : "?";
  }
  std::string blanks(int column) const { return blanks_after(terminal.screen(), at(column)); }
  static Box at(int column) {
    Box box;
    box.there = box.draft = true;
    box.column = column;
    return box;
  }
  term::Terminal terminal;
};

TEST(BoxText, ABarInTheTextIsText) {
  EXPECT_EQ(Shown("> ls | wc").row(2), "ls | wc");
  EXPECT_EQ(Shown("> ls |").row(2), "ls |");
  EXPECT_EQ(Shown("│ > ls | wc           │").row(4), "ls | wc");
  EXPECT_EQ(Shown("┃  ls | wc").row(3), "ls | wc");
}

TEST(BoxText, BlanksAtItsEndAreSeenByTheCursor) {
  EXPECT_EQ(Shown("> ls ").blanks(2), " ");
  EXPECT_EQ(Shown("> ls | ").blanks(2), " ");
  EXPECT_EQ(Shown("> ls").blanks(2), "");
  EXPECT_EQ(Shown("> ls\x1b[1;3H").blanks(2), "") << "the cursor is inside";
  EXPECT_EQ(Shown("│ > ls         │\x1b[1;9H").blanks(4), "  ");
  EXPECT_EQ(Shown("> ls  \x1b[7m \x1b[27m\x1b[?25l\x1b[3;1H").blanks(2), "  ") << "a drawn one";
  EXPECT_EQ(Shown("> ls\x1b[7m \x1b[27m\x1b[?25l\x1b[3;1H").blanks(2), "");
  EXPECT_EQ(Shown("> ls \x1b[?25l\x1b[1;30H").blanks(2), "") << "a hidden one is anywhere";
}

std::vector<std::string> in_box_of(const std::string& runtime, const std::string& before,
                                   const std::string& after) {
  std::string line;
  for (int i = 0; i < 40; ++i) line += "─";
  const auto terminal =
      test::screen_of("Done.\n\n" + line + "\n" + before + line + "\n" + after, {40, 12});
  Eye eye(*test::all_profiles().find(runtime));
  eye.look(terminal.screen());
  EXPECT_TRUE(eye.sight().box.there);
  return box_rows(terminal.screen(), eye.sight().box);
}

// A frame begins at the left edge and is as wide as the screen.
TEST(BoxText, ALineInTheTextDoesNotEndTheBox) {
  const std::vector<std::string> text{"above", "────────────", "below"};
  EXPECT_EQ(in_box_of("claude", "❯ above\n  ────────────\n  below\n", "  ? for shortcuts"), text);
  EXPECT_EQ(in_box_of("pi", "above\n────────────\nbelow\n", "~/project\x1b[6;6H"), text);
}

}  // namespace
}  // namespace pawl::perceive
