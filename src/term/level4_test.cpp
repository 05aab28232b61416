// What a VT420 has beyond the sequences of sequences_test.cpp: bytes in, rows, cursor and answers out, on 10x5.

#include <gtest/gtest.h>

#include <algorithm>

#include "term/terminal.h"

namespace pawl::term {
namespace {

struct Level4Case {
  const char* name;
  std::string bytes;
  std::string text;  // rows joined by '/', empty rows at the end left out
  int row, col;
};

std::string level4_rows(const Screen& s) {
  std::string out = s.text();
  out.erase(out.find_last_not_of('\n') + 1);
  std::replace(out.begin(), out.end(), '\n', '/');
  return out;
}

const std::string kFive = "abcde\r\nfghij\r\nklmno\r\npqrst\r\nuvwxy";
const std::string kSides = "\x1b[?69h\x1b[2;4s";  // columns 2 to 4

const std::vector<Level4Case> kSideMarginCases = {
    {"text wraps between the margins", kSides + "\x1b[1;2Habcdefg", " abc/ def/ g", 2, 2},
    {"behind the right margin it wraps at the border", kSides + "\x1b[1;9Habc", "        ab/ c", 1,
     2},
    {"a wide one wraps at the margin", kSides + "\x1b[1;4H漢", "/ 漢", 1, 3},
    {"DECSLRM needs its mode", "abc\x1b[2;4sd", "abcd", 0, 4},
    {"a wrong order changes nothing", "\x1b[?69h\x1b[4;4sabcdef", "abcdef", 0, 6},
    {"DECLRMM off ends the margins", kSides + "\x1b[?69labcdef", "abcdef", 0, 6},
    {"CR goes to the margin, or to the border from before it", kSides + "\x1b[1;3H\ra\x1b[2;1H\rb",
     " a/b", 1, 1},
    {"BS and CUB stop at the margin", kSides + "\x1b[1;3H\b\b\ba\x1b[2;4H\x1b[9Db", " a/ b", 1, 2},
    {"CUF stops at the margin", kSides + "\x1b[1;3H\x1b[9Ca", "   a", 0, 3},
    {"a tab stops at the margin", kSides + "\ta", "   a", 0, 3},
    {"origin mode counts from both margins", "\x1b[2;4r" + kSides + "\x1b[?6h\x1b[1;1Ha\x1b[9;9Hb",
     "/ a//   b", 3, 3},
    {"ICH and DCH end at the margin", "abcde\r\nabcde" + kSides + "\x1b[1;3H\x1b[@\x1b[2;3H\x1b[P",
     "ab ce/abd e", 1, 2},
    {"… and do nothing outside", "abcde" + kSides + "\x1b[1;1H\x1b[@\x1b[1;5H\x1b[P", "abcde", 0,
     4},
    {"insert mode ends at the margin", "abcde" + kSides + "\x1b[1;2H\x1b[4hX", "aXbce", 0, 2},
    {"IL inside", kFive + kSides + "\x1b[2;3H\x1b[L", "abcde/f   j/kghio/plmnt/uqrsy", 1, 1},
    {"DL inside", kFive + kSides + "\x1b[2;3H\x1b[M", "abcde/flmnj/kqrso/pvwxt/u   y", 1, 1},
    {"SU", kFive + kSides + "\x1b[2S", "almne/fqrsj/kvwxo/p   t/u   y", 0, 0},
    {"SD by more than there is", kFive + kSides + "\x1b[99T", "a   e/f   j/k   o/p   t/u   y", 0,
     0},
    {"LF scrolls between the margins", kFive + kSides + "\x1b[5;3H\n",
     "aghie/flmnj/kqrso/pvwxt/u   y", 4, 2},
    {"… and not from outside of them", kFive + kSides + "\x1b[5;6H\n",
     "abcde/fghij/klmno/pqrst/uvwxy", 4, 5},
    {"RI the same", kFive + kSides + "\x1b[1;3H\x1bM", "a   e/fbcdj/kghio/plmnt/uqrsy", 0, 2},
    {"half of a wide one at a margin is blank", "a漢漢b\x1b[?69h\x1b[3;4s\x1b[S", "a    b", 0, 0},
    {"DECIC", "abc\r\nabc\x1b[1;2H\x1b[2'}", "a  bc/a  bc", 0, 1},
    {"DECDC", "abcd\r\nabcd\x1b[1;2H\x1b[2'~", "ad/ad", 0, 1},
    {"DECFI moves, then scrolls", "abc\x1b[?69h\x1b[1;3s\x1b[1;2H\x1b\x39\x1b\x39", "bc", 0, 2},
    {"DECBI moves, then scrolls", "abc\x1b[1;2H\x1b\x36\x1b\x36", " abc", 0, 0},
    {"DECSTR ends them", kSides + "\x1b[!p\x1b[Habcdef", "abcdef", 0, 6},
    {"DECALN ends them", kSides + "\x1b#8\x1b[2J\x1b[1;3H\rabcdef", "abcdef", 0, 6},
    {"a VT300 has none", "\x1b[63;1\"p\x1b[?69h\x1b[2;4sabcdef", "abcdef", 0, 6},
    {"REP wraps at them", kSides + "\x1b[1;2Ha\x1b[3b", " aaa/ a", 1, 2},
};

const std::vector<Level4Case> kOtherCases = {
    {"DECCRA", kFive + "\x1b[1;1;2;2;1;4;4$v", "abcde/fghij/klmno/pqrab/uvwfg", 4, 5},
    {"DECCRA over itself", kFive + "\x1b[1;1;3;3;1;2;2$v", "abcde/fabcj/kfgho/pklmt/uvwxy", 4, 5},
    {"DECCRA to the border", kFive + "\x1b[1;1;5;5;1;5;9$v", "abcde/fghij/klmno/pqrst/uvwxy   ab",
     4, 5},
    {"DECCRA in origin mode", kFive + "\x1b[2;4r\x1b[?6h\x1b[1;1;1;2;1;2;1$v\x1b[?6l",
     "abcde/fghij/fgmno/pqrst/uvwxy", 0, 0},
    {"DECFRA", kFive + "\x1b[33;2;2;3;3$x", "abcde/f!!ij/k!!no/pqrst/uvwxy", 4, 5},
    {"DECFRA with a control does nothing", kFive + "\x1b[7;2;2;3;3$x",
     "abcde/fghij/klmno/pqrst/uvwxy", 4, 5},
    {"DECERA", kFive + "\x1b[2;2;3;3$z", "abcde/f  ij/k  no/pqrst/uvwxy", 4, 5},
    {"a wrong order does nothing", kFive + "\x1b[3;3;2;2$z", "abcde/fghij/klmno/pqrst/uvwxy", 4, 5},
    {"DECERA of half a wide one", "漢字\x1b[1;2;1;2$z", "  字", 0, 4},
    {"a VT300 has no rectangles", "\x1b[63;1\"pabc\x1b[1;1;1;2$z", "abc", 0, 3},
    {"DECSERA spares what DECSCA protects", "a\x1b[1\"qb\x1b[0\"qc\x1b[1;1;1;3${", " b", 0, 3},
    {"DECSED DECSEL do", "a\x1b[1\"qb\x1b[\"qc\x1b[?2J\x1b[2;1Hd\x1b[1\"qe\x1b[?2K", " b/ e", 1, 2},
    {"ED EL ECH do not", "a\x1b[1\"qb\x1b[2K", "", 0, 2},
    {"ED EL ECH spare what SPA protects", "a\x1bVb\x1bWc\x1b[2K\x1b[1;1H\x1b[3X\x1b[2J", " b", 0,
     0},
    {"DECSED does not", "a\x1bVb\x1bWc\x1b[?2J", "", 0, 3},
    {"SGR 0 does not end protection", "\x1b[1\"q\x1b[mab\x1b[?2K", "ab", 0, 2},
    {"DECSTR ends protection", "\x1b[1\"qa\x1b[!pb\x1b[?2K", "", 0, 2},
    {"BS does not cross the border by itself", "0123456789a\b\b\bx", "0123456789/x", 1, 1},
    {"?45: BS goes back over a line that went on", "\x1b[?45h0123456789a\b\b\bX", "01234567X9/a", 0,
     9},
    {"… and not over one that ended", "\x1b[?45ha\r\nb\b\b\bX", "a/X", 1, 1},
    {"… nor without autowrap", "\x1b[?45h0123456789a\x1b[?7l\b\b\bX", "0123456789/X", 1, 1},
    {"… and the pending wrap is a step", "\x1b[?45h0123456789\bX", "012345678X", 0, 9},
    {"?1045: over every border", "\x1b[?1045h\x1b[3;1H\bX", "/         X", 1, 9},
    {"… from the first row to the last", "\x1b[?1045h\x1b[2;4r\x1b[2;1H\x1b[2DX", "///        X", 3,
     9},
    {"?41: a tab behind the last column", "\x1b[?41h0123456789\tX", "0123456789/        X", 1, 9},
    {"DECST8C", "\x1b[3g\x1b[?5W\tx", "        x", 0, 9},
    {"XTSAVE XTRESTORE", "\x1b[?7l\x1b[?7s\x1b[?7h\x1b[?7r0123456789ab", "012345678b", 0, 9},
    {"DECCOLM needs leave", "abc\x1b[?3hd", "abcd", 0, 4},
    {"DECCOLM clears, the width stays", "abc\x1b[?40h\x1b[?3hd", "d", 0, 1},
    {"DECSCL is a soft reset", "\x1b[4h\x1b[64;1\"pb\x1b[Ha", "a", 0, 1},
    {"S8C1T changes nothing", "\x1b Gab\x1b Fc", "abc", 0, 3},
};

void expect_level4(const std::vector<Level4Case>& cases) {
  for (const Level4Case& c : cases) {
    Terminal t({10, 5});
    t.feed(c.bytes);
    EXPECT_EQ(level4_rows(t.screen()), c.text) << c.name;
    EXPECT_EQ(t.screen().cursor().row, c.row) << c.name;
    EXPECT_EQ(t.screen().cursor().col, c.col) << c.name;
    const auto restored = Terminal::restore(t.serialise());
    ASSERT_TRUE(restored) << c.name;
    EXPECT_EQ(*restored, t) << c.name;
  }
}

TEST(Level4, MarginsAtTheSides) {
  expect_level4(kSideMarginCases);
}

TEST(Level4, RectanglesProtectionAndTheBorder) {
  expect_level4(kOtherCases);
}

struct AnswerCase {
  std::string bytes, answer;
};

const std::vector<AnswerCase> kAnswerCases = {
    {"\x1b[c\x1b[>c", "\x1b[?64;6;21;22;28c\x1b[>41;10;0c"},
    {"\x1bZ", "\x1b[?64;6;21;22;28c"},
    {"\x1b[2;3H\x1b[6n\x1b[?6n", "\x1b[2;3R\x1b[?2;3;1R"},
    {"\x1b[2;4r\x1b[?69h\x1b[2;4s\x1b[?6h\x1b[6n", "\x1b[1;1R"},
    {"\x1b[?15n\x1b[?25n\x1b[?26n\x1b[?55n\x1b[?56n",
     "\x1b[?13n\x1b[?21n\x1b[?27;0;0;0n\x1b[?50n\x1b[?57;0n"},
    {"\x1b[?62n\x1b[?63;7n\x1b[?75n\x1b[?85n", "\x1b[0*{\x1bP7!~0000\x1b\\\x1b[?70n\x1b[?83n"},
    {"\x1b[4$p\x1b[4h\x1b[4$p\x1b[1$p\x1b[99$p", "\x1b[4;2$y\x1b[4;1$y\x1b[1;4$y\x1b[99;0$y"},
    {"\x1b[?69h\x1b[?69$p\x1b[?60$p\x1b[?18h\x1b[?18$p", "\x1b[?69;1$y\x1b[?60;4$y\x1b[?18;1$y"},
    {"\x1b[62;1\"p\x1b[4$p", ""},
    {"\x1b[1;4:3;31;48;2;1;2;3m\x1bP$qm\x1b\\", "\x1bP1$r0;1;4:3;31;48;2;1;2;3m\x1b\\"},
    {"\x1b[2;4r\x1b[?69h\x1b[2;4s\x1bP$qr\x1b\\\x1bP$qs\x1b\\",
     "\x1bP1$r2;4r\x1b\\\x1bP1$r2;4s\x1b\\"},
    {"\x1b[4 q\x1bP$q q\x1b\\\x1bP$qt\x1b\\", "\x1bP1$r4 q\x1b\\\x1bP1$r5t\x1b\\"},
    {"\x1b[1\"q\x1bP$q\"q\x1b\\\x1bP$q\"p\x1b\\\x1b[2*x\x1bP$q*x\x1b\\",
     "\x1bP1$r1\"q\x1b\\\x1bP1$r64;1\"p\x1b\\\x1bP1$r2*x\x1b\\"},
    {"\x1bP$qrm -rf\x1b\\", "\x1bP0$r\x1b\\"},
    {"\x1bP+q436F\x1b\\\x1bP+q41\x1b\\", "\x1bP1+r436F=323536\x1b\\\x1bP0+r\x1b\\"},
    {"ab\x1b[1;0;1;1;1;1*y", "\x1bP1!~FF9F\x1b\\"},
    {"ab\x1b[2;1;1;1;1;3*y", "\x1bP2!~FF1D\x1b\\"},
    {"\x1b[3;1;4;4;2;2*y", "\x1bP3!~0000\x1b\\"},
    {"\x1b[2$w", "\x1bP2$u9\x1b\\"},
    {"\x1b[11t\x1b[13t\x1b[14t\x1b[16t\x1b[18t\x1b[19t",
     "\x1b[1t\x1b[3;0;0t\x1b[4;80;80t\x1b[6;16;8t\x1b[8;5;10t\x1b[9;5;10t"},
    {"\x1b[8;10;40t\x1b[30t\x1b[4;99;99t\x1b[9;1t\x1b[2t\x1b[3;5;5t\x1b[18t", "\x1b[8;5;10t"},
    {"\x1b]2;rm -rf\a\x1b[20t\x1b[21t\x1b]52;c;?\a", ""},
    {"\x1b]4;1;#123456;2;rgb:f/8/0\a\x1b]4;1;?;2;?\a",
     "\x1b]4;1;rgb:1212/3434/5656\a\x1b]4;2;rgb:ffff/8888/0000\a"},
    {"\x1b]4;1;red;1;?\x1b\\", "\x1b]4;1;rgb:cdcd/0000/0000\x1b\\"},
    {"\x1b]4;1;#123456\a\x1b]104;1\a\x1b]4;1;?\a", "\x1b]4;1;rgb:cdcd/0000/0000\a"},
    {"\x1b]5;0;#fff\a\x1b]4;256;?\a\x1b]105\a\x1b]5;0;?\a",
     "\x1b]4;256;rgb:f0f0/f0f0/f0f0\a\x1b]5;0;rgb:d0d0/d0d0/d0d0\a"},
    {"\x1b]10;#010203;#ffffff\a\x1b]10;?;?\a\x1b[?996n",
     "\x1b]10;rgb:0101/0202/0303\a\x1b]11;rgb:ffff/ffff/ffff\a\x1b[?997;2n"},
    {"\x1b]11;#ffffff\a\x1b]111\a\x1b]11;?\a", "\x1b]11;rgb:1e1e/1e1e/2e2e\a"},
    {"\x1b]17;#ffffff\a\x1b]17;?\a\x1b]117\a\x1b]19;?\a",
     "\x1b]17;rgb:ffff/ffff/ffff\a\x1b]19;rgb:d0d0/d0d0/d0d0\a"},
};

TEST(Level4, Answers) {
  for (const AnswerCase& c : kAnswerCases) {
    Terminal t({10, 5});
    t.feed(c.bytes);
    EXPECT_EQ(t.take_answers(), c.answer) << c.bytes;
    const auto restored = Terminal::restore(t.serialise());
    ASSERT_TRUE(restored) << c.bytes;
    EXPECT_EQ(*restored, t) << c.bytes;
  }
}

TEST(Level4, AttributesOfAnArea) {
  Terminal t({10, 5});
  t.feed(kFive + "\x1b[2*x\x1b[2;2;3;3;1;7$r");
  EXPECT_TRUE(t.screen().style(1, 1).bold && t.screen().style(2, 2).reverse);
  EXPECT_EQ(t.screen().style(1, 3), Style{});
  t.feed("\x1b[2;2;3;3;0;4$r\x1b[2;2;2;2;4;5$t");
  EXPECT_FALSE(t.screen().style(2, 2).bold);
  EXPECT_EQ(t.screen().style(2, 2).underline, Underline::single);
  EXPECT_EQ(t.screen().style(1, 1).underline, Underline::none);
  EXPECT_TRUE(t.screen().style(1, 1).blink);
  t.feed("\x1b[*x\x1b[2;4;3;2;1$r");  // the text from one place to the other
  EXPECT_TRUE(t.screen().style(1, 4).bold && t.screen().style(2, 0).bold &&
              t.screen().style(2, 1).bold);
  EXPECT_FALSE(t.screen().style(1, 2).bold || t.screen().style(2, 2).bold);
}

TEST(Level4, TitlesArePushedTogetherAndPoppedAsAsked) {
  Terminal t({10, 5});
  t.feed("\x1b]2;window\a\x1b]1;icon\a\x1b[22;0t\x1b]0;x\a\x1b[23;1t");
  EXPECT_EQ(t.screen().title(), "x");
  EXPECT_EQ(t.screen().icon_title(), "icon");
  t.feed("\x1b[>0t\x1b]2;6869\a\x1b]2;no hex\a");
  EXPECT_EQ(t.screen().title(), "hi");
  t.feed("\x1b[>0T\x1b]2;6869\a");
  EXPECT_EQ(t.screen().title(), "6869");
}

TEST(Level4, ColoursAndSavedModesAreBounded) {
  Terminal t({10, 5});
  std::string flood;
  for (int i = 0; i < 1000; ++i)
    flood += "\x1b]4;" + std::to_string(i) + ";#fff\a\x1b[?" + std::to_string(i) + "s";
  t.feed(flood);
  EXPECT_EQ(t.screen().colours().all().size(), 261u);
  const auto restored = Terminal::restore(t.serialise());
  ASSERT_TRUE(restored);
  EXPECT_EQ(*restored, t);
  t.feed(
      "\x1b"
      "c");
  EXPECT_TRUE(t.screen().colours().all().empty());
}

TEST(Level4, ThePersonsTerminalAnswers) {
  Terminal t({10, 5});
  t.person({{9, 18}, 0x000000, 0xffffff});
  const char* queries = "\x1b]11;?\a\x1b[14t\x1b[16t\x1b[?996n";
  t.feed(queries);
  const std::string answers = "\x1b]11;rgb:ffff/ffff/ffff\a\x1b[4;90;90t\x1b[6;18;9t\x1b[?997;2n";
  EXPECT_EQ(t.take_answers(), answers);
  t.feed(std::string("\x1b"
                     "c") +
         queries);
  EXPECT_EQ(t.take_answers(), answers) << "a reset does not change who looks";
}

// As the daemon before this version saved it: "x", bold red, on 3x2.
TEST(Level4, AnOlderSavedTerminalIsRead) {
  Terminal t({3, 2});
  t.feed("x\x1b[31;1m\x1b[?25l");
  std::string saved = t.serialise();
  ASSERT_EQ(saved[10], 2);
  // … which is the newer one without its last part.
  const std::string newer_part("\x00\x02\x04\x00\x00\x00\x00\x00\x00\x00\x00\x08\x10", 13);
  const size_t at = saved.rfind(newer_part);
  ASSERT_NE(at, std::string::npos);
  saved[10] = 1;
  const auto restored = Terminal::restore(saved.substr(0, at));
  ASSERT_TRUE(restored);
  EXPECT_EQ(*restored, t);
}

}  // namespace
}  // namespace pawl::term
