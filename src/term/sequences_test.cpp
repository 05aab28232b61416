// What each control sequence does, as a table: bytes in, rows and cursor out, on 10x4 unless a case
// says otherwise.

#include <gtest/gtest.h>

#include <algorithm>

#include "term/terminal.h"

namespace pawl::term {
namespace {

struct Case {
  const char* name;
  std::string bytes;
  std::string text;  // rows joined by '/', empty rows at the end left out
  int row, col;
};

std::string rows(const Screen& s) {
  std::string out = s.text();
  out.erase(out.find_last_not_of('\n') + 1);
  std::replace(out.begin(), out.end(), '\n', '/');
  return out;
}

const std::string kFour = "aaa\r\nbbb\r\nccc\r\nddd";

const std::vector<Case> kCases = {
    {"CUP", "\x1b[2;3Hx", "/  x", 1, 3},
    {"CUP beyond the screen", "\x1b[99;99Hx", "///         x", 3, 9},
    {"CUU stops at the margin", "\x1b[2;4r\x1b[3;1H\x1b[9A", "", 1, 0},
    {"CUD stops at the margin", "\x1b[1;2r\x1b[9B", "", 1, 0},
    {"CNL CPL", "x\x1b[2Ey\x1b[1Fz", "x/z/y", 1, 1},
    {"CHA HPA VPA", "\x1b[5Ga\x1b[2`b\x1b[3dc", " b  a//  c", 2, 3},
    {"HPR VPR", "a\x1b[2ab\x1b[1ec", "a  b/    c", 1, 5},
    {"ED below", kFour + "\x1b[2;2H\x1b[J", "aaa/b", 1, 1},
    {"ED above", kFour + "\x1b[3;2H\x1b[1J", "//  c/ddd", 2, 1},
    {"ED all", kFour + "\x1b[2J", "", 3, 3},
    {"EL right, left, all", "abcdef\x1b[1;3H\x1b[K\r\nabc\x1b[1;2H", "ab/abc", 0, 1},
    {"EL left", "abcdef\x1b[1;3H\x1b[1K", "   def", 0, 2},
    {"DECSED DECSEL", "abc\x1b[?2K\r\nx\x1b[?1J", "", 1, 1},
    {"ECH", "abcdef\x1b[1;2H\x1b[3X", "a   ef", 0, 1},
    {"ICH", "abcdef\x1b[1;2H\x1b[2@", "a  bcdef", 0, 1},
    {"ICH pushes out", "0123456789\x1b[1;2H\x1b[3@", "0   123456", 0, 1},
    {"DCH", "abcdef\x1b[1;2H\x1b[2P", "adef", 0, 1},
    {"IL", kFour + "\x1b[2;2H\x1b[L", "aaa//bbb/ccc", 1, 0},
    {"DL", kFour + "\x1b[2;2H\x1b[2M", "aaa/ddd", 1, 0},
    {"IL outside the margins does nothing", kFour + "\x1b[1;2r\x1b[4;1H\x1b[L", "aaa/bbb/ccc/ddd",
     3, 0},
    {"SU", kFour + "\x1b[S", "bbb/ccc/ddd", 3, 3},
    {"SD", kFour + "\x1b[T", "/aaa/bbb/ccc", 3, 3},
    {"SU inside margins", kFour + "\x1b[2;3r\x1b[S", "aaa/ccc//ddd", 0, 0},
    {"RI at the top scrolls down", "x\x1b[1;1H\x1bM", "/x", 0, 0},
    {"IND NEL",
     "a\x1b"
     "Db\x1b"
     "Ec",
     "a/ b/c", 2, 1},
    {"origin mode", "\x1b[2;3r\x1b[?6hx\x1b[9;1Hy", "/x/y", 2, 1},
    {"insert mode", "abc\x1b[1;1H\x1b[4hX\x1b[4lY", "XYbc", 0, 2},
    {"no autowrap", "\x1b[?7l0123456789abc", "012345678c", 0, 9},
    {"REP", "ab\x1b[3b", "abbbb", 0, 5},
    {"REP only right after a character", "a\r\n\x1b[3b", "a", 1, 0},
    {"DECALN", "\x1b#8", "EEEEEEEEEE/EEEEEEEEEE/EEEEEEEEEE/EEEEEEEEEE", 0, 0},
    {"tabs", "\tx", "        x", 0, 9},
    {"HTS TBC", "\x1b[3g   \x1bH\r\tx\x1b[Z\x1b[Zy", "y  x", 0, 1},
    {"CHT stops at the border", "\x1b[5I", "", 0, 9},
    {"DECSC DECRC",
     "ab\x1b"
     "7\x1b[3;3Hx\x1b"
     "8y",
     "aby//  x", 0, 3},
    {"SCOSC SCORC", "ab\x1b[s\x1b[3;3Hx\x1b[uy", "aby//  x", 0, 3},
    {"DECSC keeps the pending wrap",
     "0123456789\x1b"
     "7\x1b[H\x1b"
     "8x",
     "0123456789/x", 1, 1},
    {"backspace leaves the pending wrap", "0123456789\bx", "01234567x9", 0, 9},
    {"line drawing", "\x1b(0lqk\x1b(Blqk", "\xe2\x94\x8c\xe2\x94\x80\xe2\x94\x90lqk", 0, 6},
    {"SO SI", "\x1b)0\x0eq\x0fq", "\xe2\x94\x80q", 0, 2},
    {"SS2", "\x1b*0\x1bNqq", "\xe2\x94\x80q", 0, 2},
    {"DECSTR keeps the text", "\x1b[2;3r\x1b[4hx\x1b[!py", "xy", 0, 2},
    {"RIS",
     "x\x1b[2;3r\x1b"
     "cy",
     "y", 0, 1},
    {"47 keeps the cursor", "ab\x1b[?47hc\x1b[?47l", "ab", 0, 3},
    {"1047 clears on leaving", "\x1b[?1047hx\x1b[?1047l\x1b[?47h", "", 0, 1},
    {"1048", "ab\x1b[?1048h\x1b[3;3H\x1b[?1048l", "ab", 0, 2},
    {"controls inside a sequence act", "a\x1b[2\r;2Hb", "a/ b", 1, 2},
    {"CAN ends a sequence", "a\x1b[2;2\x18Hb", "aHb", 0, 3},
    {"unknown sequences vanish", "a\x1b[?99;1$wb\x1b%Gc\x1b[1;2;3zd", "abcd", 0, 4},
    {"LNM", "\x1b[20hab\nc", "ab/c", 1, 1},
    {"DEL is nothing",
     "a\x7f"
     "b",
     "ab", 0, 2},
    {"C1 in UTF-8 is nothing",
     "a\xc2\x9b"
     "b",
     "ab", 0, 2},
};

TEST(Sequences, DoWhatTheTableSays) {
  for (const Case& c : kCases) {
    Terminal t({10, 4});
    t.feed(c.bytes);
    EXPECT_EQ(rows(t.screen()), c.text) << c.name;
    EXPECT_EQ(t.screen().cursor().row, c.row) << c.name;
    EXPECT_EQ(t.screen().cursor().col, c.col) << c.name;
  }
}

Style style_after(const std::string& sgr) {
  Terminal t({10, 2});
  t.feed(sgr + "x");
  return t.screen().style(0, 0);
}

TEST(Sgr, AttributesAreKeptPerCell) {
  const Style s = style_after("\x1b[1;2;3;5;7;8;9;53m");
  EXPECT_TRUE(s.bold && s.dim && s.italic && s.blink && s.reverse && s.hidden && s.strike &&
              s.overline);
  EXPECT_EQ(style_after("\x1b[1;2;3;5;7;8;9;53m\x1b[22;23;25;27;28;29;55m"), Style{});
  EXPECT_EQ(style_after("\x1b[1;31;4:3m\x1b[m"), Style{});
}

TEST(Sgr, ColoursInAllForms) {
  EXPECT_EQ(style_after("\x1b[31m").fg, Colour::indexed(1));
  EXPECT_EQ(style_after("\x1b[97m").fg, Colour::indexed(15));
  EXPECT_EQ(style_after("\x1b[104m").bg, Colour::indexed(12));
  EXPECT_EQ(style_after("\x1b[38;5;200m").fg, Colour::indexed(200));
  EXPECT_EQ(style_after("\x1b[38:5:200m").fg, Colour::indexed(200));
  EXPECT_EQ(style_after("\x1b[48;2;1;2;3m").bg, Colour::rgb(0x010203));
  EXPECT_EQ(style_after("\x1b[48:2:1:2:3m").bg, Colour::rgb(0x010203));
  EXPECT_EQ(style_after("\x1b[48:2::1:2:3m").bg, Colour::rgb(0x010203));
  EXPECT_EQ(style_after("\x1b[58;5;3m").underline_colour, Colour::indexed(3));
  EXPECT_EQ(style_after("\x1b[58;5;3m\x1b[59m").underline_colour, Colour{});
  EXPECT_EQ(style_after("\x1b[38;2;1;2m"), Style{}) << "malformed: nothing";
  EXPECT_TRUE(style_after("\x1b[38;2;1;2;3;1m").bold);
}

TEST(Sgr, UnderlineStyles) {
  EXPECT_EQ(style_after("\x1b[4m").underline, Underline::single);
  EXPECT_EQ(style_after("\x1b[4:3m").underline, Underline::curly);
  EXPECT_EQ(style_after("\x1b[21m").underline, Underline::twice);
  EXPECT_EQ(style_after("\x1b[4:5m\x1b[4:0m").underline, Underline::none);
  EXPECT_EQ(style_after("\x1b[4:9m").underline, Underline::none);
}

TEST(Sgr, ErasedCellsKeepOnlyTheBackground) {
  Terminal t({10, 2});
  t.feed("\x1b[1;41mx\x1b[K");
  EXPECT_EQ(t.screen().style(0, 5).bg, Colour::indexed(1));
  EXPECT_FALSE(t.screen().style(0, 5).bold);
}

TEST(Modes, AreKept) {
  Terminal t({10, 2});
  t.feed("\x1b[?1;1004;1006;1002;2004;2026h\x1b=\x1b[?25l\x1b[6 q\x1b[>4;2m");
  const Modes& m = t.screen().modes();
  EXPECT_TRUE(m.app_cursor_keys && m.focus_events && m.bracketed_paste && m.synchronized &&
              m.app_keypad);
  EXPECT_EQ(m.mouse, MouseTracking::button);
  EXPECT_EQ(m.mouse_encoding, MouseEncoding::sgr);
  EXPECT_EQ(m.modify_other_keys, 2);
  EXPECT_FALSE(t.screen().cursor().visible);
  EXPECT_EQ(t.screen().cursor().style, CursorStyle::bar);
}

TEST(Modes, KittyKeyboardStackIsBoundedAndPerScreen) {
  Terminal t({10, 2});
  for (int i = 0; i < 1000; ++i) t.feed("\x1b[>5u");
  EXPECT_EQ(t.screen().modes().kitty_keyboard, 5);
  t.feed("\x1b[?1049h");
  EXPECT_EQ(t.screen().modes().kitty_keyboard, 0);
  t.feed("\x1b[>1u\x1b[=2;2u");
  EXPECT_EQ(t.screen().modes().kitty_keyboard, 3);
  t.feed("\x1b[=1;3u\x1b[?u");
  EXPECT_EQ(t.take_answers(), "\x1b[?2u");
  t.feed("\x1b[?1049l\x1b[<99u");
  EXPECT_EQ(t.screen().modes().kitty_keyboard, 0);
}

}  // namespace
}  // namespace pawl::term
