// Another width: no text is lost, and what stands on it goes along.

#include <gtest/gtest.h>

#include <random>

#include "term/terminal.h"

namespace pawl::term {
namespace {

Terminal wrapped_in(std::string_view bytes, Size size, Options options = {}) {
  Terminal t(size, options);
  t.feed(bytes);
  return t;
}

// Scrollback and screen as lines of text, however they are wrapped.
std::string lines_of(const Terminal& t) {
  const Screen& s = t.screen();
  std::string out, line;
  const auto add = [&](const std::string& text, bool wrapped) {
    line += text;
    if (wrapped) return;
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
    line.clear();
  };
  for (const ScrollbackLine& one : s.scrollback().lines(0, s.scrollback().size()))
    add(one.text, one.wrapped);
  for (int r = 0; r < s.size().rows; ++r) {
    std::string row;
    for (int c = 0; c < s.size().cols; ++c) {
      const CellView cell = s.cell(r, c);
      if (cell.width > 0) row += cell.text.empty() && !s.row_wrapped(r) ? " " : cell.text;
    }
    add(row, s.row_wrapped(r) && r + 1 < s.size().rows);
  }
  out.erase(out.find_last_not_of('\n') + 1);
  return out;
}

TEST(WidthChange, NarrowAndWideAgainIsTheSamePicture) {
  std::string text;
  for (int i = 0; i < 24; ++i)
    text += std::to_string(i) + " " +
            std::string(static_cast<size_t>(40 + 3 * i), static_cast<char>('a' + i)) + "\r\n";
  Terminal t = wrapped_in(text + "$ ", {120, 24});
  const Screen before = t.screen();
  t.resize({60, 24});
  EXPECT_EQ(t.screen().row_text(23), "$");
  EXPECT_EQ(t.screen().cursor().row, 23);
  EXPECT_EQ(t.screen().cursor().col, 2);
  t.resize({120, 24});
  EXPECT_EQ(t.screen().text(), before.text());
  EXPECT_EQ(t.screen().cursor(), before.cursor());
  EXPECT_EQ(t.screen().scrollback().text(), before.scrollback().text());
}

TEST(WidthChange, LinesWrapAndJoin) {
  Terminal t = wrapped_in("abcdefgh\r\nxy", {8, 4});
  t.resize({3, 4});
  EXPECT_EQ(t.screen().text(), "abc\ndef\ngh\nxy");
  EXPECT_TRUE(t.screen().row_wrapped(0) && t.screen().row_wrapped(1));
  EXPECT_FALSE(t.screen().row_wrapped(2));
  t.resize({5, 4});
  EXPECT_EQ(t.screen().text(), "abcde\nfgh\nxy\n");
  t.resize({20, 4});
  EXPECT_EQ(t.screen().text(), "abcdefgh\nxy\n\n");
  EXPECT_EQ(t.screen().cursor().row, 1);
  EXPECT_EQ(t.screen().cursor().col, 2);
}

TEST(WidthChange, ALineThatBeganInTheScrollbackIsOneAgain) {
  Terminal t = wrapped_in("old\r\nabcdefghijklmnop", {4, 2});
  EXPECT_EQ(t.screen().scrollback().text(), "old\nabcd\nefgh");
  t.resize({16, 2});
  EXPECT_EQ(lines_of(t), "old\nabcdefghijklmnop");
  EXPECT_EQ(t.screen().text(), "old\nabcdefghijklmnop");
  EXPECT_TRUE(t.screen().cursor().pending_wrap);
  t.feed("q");
  EXPECT_EQ(lines_of(t), "old\nabcdefghijklmnopq");
}

TEST(WidthChange, TheScrollbackIsWrappedToo) {
  Terminal t = wrapped_in("\x1b[31mabcdefgh\x1b[mij\r\nk\r\nl\r\nm", {10, 2});
  t.resize({4, 2});
  const auto lines = t.screen().scrollback().lines(0, 9);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0].text + "/" + lines[1].text + "/" + lines[2].text, "abcd/efgh/ij");
  EXPECT_TRUE(lines[0].wrapped && lines[1].wrapped && !lines[2].wrapped);
  ASSERT_EQ(lines[1].runs.size(), 1u);
  EXPECT_EQ(lines[1].runs[0].style().fg, Colour::indexed(1));
  EXPECT_EQ(t.screen().scrollback().total(), 4u);
}

TEST(WidthChange, AWideCharacterAtTheEdge) {
  Terminal t = wrapped_in("ab漢c", {10, 3});
  t.resize({3, 3});
  EXPECT_EQ(t.screen().text(), "ab\n漢c\n");
  t.resize({10, 3});
  EXPECT_EQ(t.screen().text(), "ab漢c\n\n");
  t.resize({1, 3});
  EXPECT_EQ(t.screen().cell(0, 0).width, 1) << "there is no room for it";
}

TEST(WidthChange, ARowThatIsFullWithoutMoreEndsThere) {
  Terminal t = wrapped_in("abcd\r\nef", {4, 3});
  t.resize({8, 3});
  EXPECT_EQ(t.screen().text(), "abcd\nef\n");
}

TEST(WidthChange, TheCursorStaysOnItsCharacter) {
  Terminal t = wrapped_in("abcdefgh\x1b[1;6H", {8, 3});
  t.resize({4, 3});
  EXPECT_EQ(t.screen().cursor().row, 1);
  EXPECT_EQ(t.screen().cursor().col, 1);
  t.resize({8, 3});
  EXPECT_EQ(t.screen().cursor().row, 0);
  EXPECT_EQ(t.screen().cursor().col, 5);
}

TEST(WidthChange, ACursorAboveTheTextStaysOnTheScreen) {
  Terminal t = wrapped_in("abcdefgh\r\nijklmnop\r\nqrstuvwx\x1b[H", {8, 3});
  t.resize({4, 3});
  EXPECT_EQ(t.screen().cursor().row, 0);
  EXPECT_EQ(t.screen().row_text(0), "abcd");
}

TEST(WidthChange, BlankRowsAreUsedBeforeAnythingLeaves) {
  Terminal t = wrapped_in("abcdefgh\r\n$ ", {8, 4});
  t.resize({4, 4});
  EXPECT_EQ(t.screen().text(), "abcd\nefgh\n$\n");
  EXPECT_EQ(t.screen().scrollback().size(), 0u);
}

TEST(WidthChange, ALowerAndNarrowerScreenKeepsTheEnd) {
  Terminal t = wrapped_in("abcdefgh\r\nijklmnop\r\n$ ", {8, 4});
  t.resize({4, 2});
  EXPECT_EQ(t.screen().text(), "mnop\n$");
  EXPECT_EQ(lines_of(t), "abcdefgh\nijklmnop\n$");
}

TEST(WidthChange, MarksAndTheSavedCursorGoAlong) {
  Terminal t = wrapped_in(
      "abcdefgh\r\n\x1b]133;A\a$ \x1b"
      "7ls",
      {8, 4});
  EXPECT_EQ(t.screen().shell_mark().row, 1);
  t.resize({4, 4});
  EXPECT_EQ(t.screen().shell_mark().row, 2);
  EXPECT_EQ(t.screen().shell_mark().col, 0);
  t.feed(
      "\x1b"
      "8X");
  EXPECT_EQ(t.screen().row_text(2), "$ Xs");
}

TEST(WidthChange, TheAlternateScreenIsCutAndTheMainOneBehindItWrapped) {
  Terminal t = wrapped_in("abcdefgh\x1b[?1049h\x1b[Hfull", {8, 3});
  t.resize({3, 3});
  EXPECT_EQ(t.screen().row_text(0), "ful");
  EXPECT_EQ(t.screen().row_text(1), "");
  t.feed("\x1b[?1049l");
  EXPECT_EQ(t.screen().text(), "abc\ndef\ngh");
  EXPECT_EQ(t.screen().cursor().row, 2);
  EXPECT_EQ(t.screen().cursor().col, 2);
}

TEST(WidthChange, StylesAndClustersComeBackFromTheScrollback) {
  Terminal t = wrapped_in("\x1b[1;32me\u0301\u6f22\x1b[mxyz\r\n1\r\n2", {6, 2});
  t.resize({3, 2});
  t.resize({6, 2});
  t.resize({3, 2}), t.resize({12, 3});
  EXPECT_EQ(lines_of(t), "e\u0301\u6f22xyz\n1\n2");
}

TEST(WidthChange, WithoutAScrollbackTheTopIsLost) {
  Terminal t = wrapped_in("abcdefgh\r\nij", {8, 2}, {.answers = true, .scrollback_lines = 0});
  t.resize({4, 2});
  EXPECT_EQ(t.screen().text(), "efgh\nij");
  t.resize({8, 2});
  EXPECT_EQ(t.screen().text(), "efgh\nij");
}

TEST(WidthChange, AnotherHeightKeepsAPendingWrap) {
  Terminal t = wrapped_in("abcd", {4, 3});
  t.resize({4, 5});
  t.feed("e");
  EXPECT_EQ(lines_of(t), "abcde") << "it would overwrite the d";
}

TEST(WidthChange, AHugeLineIsNoTrouble) {
  Terminal t =
      wrapped_in(std::string(90000, 'x'), {80, 24}, {.answers = true, .scrollback_lines = 100000});
  for (const int cols : {1, 1024, 79, 80}) {
    t.resize({static_cast<uint16_t>(cols), 24});
    EXPECT_TRUE(Terminal::restore(t.serialise()));
  }
  EXPECT_EQ(lines_of(t).size(), 90000u);
}

// Plain text with wide and joined characters through any widths: every character is there, in order.
TEST(WidthChange, NoTextIsLostAtAnyWidth) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    std::mt19937 dice(seed);
    Terminal t({20, 6}, {.answers = true, .scrollback_lines = 10000});
    const char* kPieces[] = {"a",        "bcdefgh", "\u6f22", "\u5b57\u5b57\u5b57",
                             "e\u0301",  "\r\n",    " ",      "\U0001f44d\U0001f3fd",
                             "\x1b[31m", "\x1b[m"};
    std::string sent;
    for (int i = 0; i < 300; ++i) {
      const std::string piece = kPieces[dice() % std::size(kPieces)];
      t.feed(piece);
      if (piece[0] != '\x1b' && piece != "\r\n" && piece != " ") sent += piece;
      if (dice() % 30 == 0)
        t.resize({static_cast<uint16_t>(2 + dice() % 40), static_cast<uint16_t>(1 + dice() % 12)});
      const auto restored = dice() % 50 ? Result<Terminal>(t) : Terminal::restore(t.serialise());
      ASSERT_TRUE(restored && *restored == t) << seed;
    }
    std::string shown = lines_of(t);
    std::erase_if(shown, [](char c) { return c == ' ' || c == '\n'; });
    EXPECT_EQ(shown, sent) << seed;
  }
}

}  // namespace
}  // namespace pawl::term
