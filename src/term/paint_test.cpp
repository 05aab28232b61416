#include "term/paint.h"

#include <gtest/gtest.h>

#include "term/strip.h"
#include "term/terminal.h"

namespace pawl::term {
namespace {

Terminal fed(const std::string& bytes, Size size = {10, 3}) {
  Terminal t(size);
  t.feed(bytes);
  return t;
}

TEST(Paint, RowsAreRunsThatEndPlain) {
  EXPECT_EQ(paint_row(fed("\x1b[1;31mab\x1b[0mc").screen(), 0), "\x1b[0;1;31mab\x1b[0mc");
  EXPECT_EQ(paint_row(fed("\x1b[4:3;58;5;3mx").screen(), 0), "\x1b[0;4:3;58;5;3mx\x1b[0m");
  EXPECT_EQ(paint_row(fed("plain").screen(), 0), "plain");
  EXPECT_EQ(ansi_text(fed("a\r\n\x1b[7mb").screen()), "a\n\x1b[0;7mb\x1b[0m\n");
}

TEST(Paint, FramesAreMinimal) {
  Terminal t = fed("one\r\ntwo");
  Painter painter;
  const std::string first = painter.frame(t.screen(), {10, 3});
  EXPECT_NE(first.find("\x1b[?1049h"), std::string::npos);
  t.feed("!");
  EXPECT_EQ(painter.frame(t.screen(), {10, 3}), "\x1b[?2026h\x1b[2Htwo!\x1b[K\x1b[2;5H\x1b[?2026l");
  EXPECT_EQ(painter.frame(t.screen(), {10, 3}), "");
}

TEST(Paint, CropsToTheViewport) {
  Terminal t = fed("0123\xe6\xbc\xa2\r\n\r\nlast");
  Painter painter;
  Terminal person({5, 2});
  person.feed(painter.frame(t.screen(), {5, 2}));
  EXPECT_EQ(person.screen().text(), "0123\n");
  EXPECT_FALSE(person.screen().cursor().visible) << "the cursor is outside";
}

TEST(Paint, LeavesThePersonsTerminalAsItWas) {
  Terminal t =
      fed("\x1b[?1;1000;1006;2004;1004h\x1b[>5u\x1b[>4;2m\x1b[?25l\x1b[4 q\x1b]2;t\a\x1b[1mx");
  Painter painter;
  Terminal person({10, 3});
  person.feed("before");
  const Modes modes = person.screen().modes();
  const Cursor cursor = person.screen().cursor();
  person.feed(painter.frame(t.screen(), {10, 3}));
  EXPECT_TRUE(person.screen().alternate());
  person.feed(painter.leave());
  EXPECT_EQ(person.screen().modes(), modes);
  EXPECT_EQ(person.screen().cursor(), cursor);
  EXPECT_EQ(person.screen().row_text(0), "before");
  EXPECT_EQ(person.screen().title(), "");
  EXPECT_EQ(painter.leave(), "");
}

TEST(Paint, NothingOfAProgramsOwnEscapesReachesThePerson) {
  Terminal t = fed(
      "\x1b]2;a\x1b\\\x1b]52;c;eA==\a\x1b]8;;http://evil\x1b\\x\x1b]9;hi\a\x1b[21t\x1bP1$r\x1b\\");
  const std::string frame = Painter().frame(t.screen(), {10, 3});
  EXPECT_EQ(frame.find("]52"), std::string::npos);
  EXPECT_EQ(frame.find("]8;"), std::string::npos);
  EXPECT_EQ(frame.find("]9;"), std::string::npos);
  EXPECT_EQ(frame.find("\x1bP"), std::string::npos);
}

TEST(Strip, LeavesPlainText) {
  Stripper s;
  EXPECT_EQ(s.feed("\x1b[31mred\x1b[0m\r\n\x1b]0;t\a\x1b(Bok\x1bPq\x1b\\\t\xe6"), "red\nok\t");
  EXPECT_EQ(s.feed("\xbc\xa2"), "\xe6\xbc\xa2");
}

TEST(Strip, AStringThatNobodyEndsHidesNoMoreThanItsLine) {
  for (const char* begin :
       {"\x1b]0;title", "\x1b]", "\x1bP", "\x1bP1;2q", "\x1bX", "\x1b^", "\x1b_G"}) {
    Stripper s;
    EXPECT_EQ(s.feed(std::string("a") + begin + "END\r\nnext\r\n"), "a\nnext\n") << begin + 1;
    EXPECT_EQ(s.feed(std::string("b") + begin), "b") << begin + 1;
    EXPECT_EQ(s.feed("\nnext\n"), "\nnext\n") << begin + 1;
  }
}

TEST(Scrollback, KeepsRunsAndForgetsTheOldest) {
  Terminal t({10, 2}, {true, 3});
  t.feed("a\x1b[31mb\x1b[0mc\r\n2\r\n3\r\n4\r\n5");
  EXPECT_EQ(t.screen().scrollback().size(), 3u);
  const ScrollbackLine first = t.screen().scrollback().line(0);
  EXPECT_EQ(first.text, "abc");
  EXPECT_EQ(paint_line(first), "\x1b[0ma\x1b[0;31mb\x1b[0mc\x1b[0m");
  t.feed("\r\n6");
  EXPECT_EQ(t.screen().scrollback().text(), "2\n3\n4");
  EXPECT_EQ(t.screen().scrollback().total(), 4u);
  t.feed("\x1b[3J");
  EXPECT_EQ(t.screen().scrollback().size(), 0u);
}

TEST(Scrollback, BytesAreBoundedToo) {
  Terminal t({1024, 2}, {true, kMaxScrollbackLines});
  std::string line;
  for (int i = 0; i < 1024; ++i) line += "\x1b[38;2;1;2;" + std::to_string(i % 256) + "mx";
  for (int i = 0; i < 600; ++i) t.feed(line + "\r\n");
  EXPECT_LE(t.screen().scrollback().bytes(), kScrollbackBytes + 32 * 1024);
  EXPECT_GT(t.screen().scrollback().size(), 10u);
}

TEST(Sizes, AreBounded) {
  EXPECT_EQ(Terminal({0, 0}).screen().size(), (Size{1, 1}));
  Terminal t({65535, 65535}, {true, 0});
  EXPECT_EQ(t.screen().size(), (Size{kMaxCols, kMaxRows}));
  t.resize({0, 7});
  EXPECT_EQ(t.screen().size(), (Size{1, 7}));
  t.feed("abc\xe6\xbc\xa2");
  EXPECT_EQ(t.screen().row_text(2), "c") << "a wide character has no room in one column";
}

}  // namespace
}  // namespace pawl::term
