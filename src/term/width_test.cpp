// Columns of modern text, and what stands in one cell: as agents count (doc/terminal.md).
#include "term/width.h"

#include <gtest/gtest.h>

#include <string>

#include "term/paint.h"
#include "term/terminal.h"

namespace pawl::term {
namespace {

int columns(const char* text, Counting counting = Counting::characters) {
  Terminal t({20, 2});
  t.count(counting);
  t.feed(text);
  return t.screen().cursor().col;
}

TEST(Width, OfLettersAndEmoji) {
  struct {
    const char* what;
    const char* text;
    int columns;
  } const cases[] = {
      {"CJK", "漢", 2},
      {"an emoji", "😀", 2},
      {"a new one", "\U0001FAE9", 2},
      {"a sign", "❤", 1},
      {"VS15 changes no column", "⌚\uFE0E", 2},
      {"a flag", "🇩🇪", 2},
      {"half of one", "🇩", 1},
      {"two flags", "🇩🇪🇫🇷", 4},
      {"three halves", "🇩🇪🇫", 3},
      {"a tone", "👍🏽", 2},
      {"… of a narrow sign", "☝🏽", 2},
      {"… of no hand", "a🏽", 3},
      {"… alone", "🏽", 2},
      {"a family", "👨\u200D👩\u200D👧\u200D👦", 2},
      {"with tones and a heart", "👩🏻\u200D❤\uFE0F\u200D💋\u200D👨🏿", 2},
      {"a joiner between letters joins nothing", "a\u200Db", 2},
      {"England", "🏴\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F", 2},
      {"a letter spelt apart", "e\u0301", 1},
      {"Korean spelt apart", "\u1112\u1161\u11AB", 2},
      {"Thai", "ที่", 1},
      {"Thai am", "นำ", 2},
      {"marks of half-width kana", "ｶﾞ", 2},
      {"a soft hyphen", "a\u00ADb", 2},
      {"zero width", "\u200B", 0},
      {"turned round", "\u202Ea", 1},
      {"a vowel that decomposes", "க\u0BC6\u0BBE", 2},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(columns(one.text), one.columns) << one.what;
    EXPECT_EQ(text_width(one.text), one.columns) << one.what;
  }
}

TEST(Width, OfTheScriptsOfIndiaAsTheProgramCounts) {
  const struct {
    const char* text;
    int characters, letters, clusters;
  } cases[] = {{"कि", 2, 1, 1}, {"का", 2, 1, 1},  {"क्ष", 2, 2, 1}, {"क्षि", 3, 2, 1},
               {"கொ", 2, 1, 1}, {"ខ្មែ", 3, 2, 1}, {"ဦး", 2, 1, 1}};
  for (const auto& one : cases) {
    EXPECT_EQ(columns(one.text, Counting::characters), one.characters) << one.text;
    EXPECT_EQ(columns(one.text, Counting::letters), one.letters) << one.text;
    EXPECT_EQ(columns(one.text, Counting::clusters), one.clusters) << one.text;
  }
}

TEST(Width, OfASignThatIsMadeAPicture) {
  for (const char* text : {"❤\uFE0F", "1\uFE0F\u20E3", "©\uFE0F", "🏳\uFE0F"}) {
    EXPECT_EQ(columns(text, Counting::characters), 1) << text;
    EXPECT_EQ(columns(text, Counting::letters), 2) << text;
    EXPECT_EQ(columns(text, Counting::clusters), 2) << text;
  }
  Terminal t({5, 1});
  t.feed("❤\uFE0F漢\uFE0F");
  EXPECT_EQ(t.screen().row_text(0), "❤漢\uFE0F") << "it stays a sign";
  EXPECT_EQ(columns("🏳\uFE0F\u200D🌈"), 2) << "joined to a wide one";
  EXPECT_EQ(columns("a\uFE0F", Counting::letters), 1) << "there is no picture of it";
}

TEST(Width, Mode2027IsAnsweredAndHonoured) {
  Terminal t({20, 2});
  t.feed("\x1b[?2027$p");
  EXPECT_EQ(t.take_answers(), "\x1b[?2027;2$y");
  t.feed("\x1b[?2027h\x1b[?2027$pक्षि");
  EXPECT_EQ(t.take_answers(), "\x1b[?2027;1$y");
  EXPECT_EQ(t.screen().cursor().col, 1);
  t.feed("\x1b[?2027l\rक्षि");
  EXPECT_EQ(t.screen().cursor().col, 3);
}

TEST(Cluster, IsOneCellEverywhere) {
  const std::string family = "👨\u200D👩\u200D👧\u200D👦", heart = "❤\uFE0F";
  Terminal t({6, 2}, {.scrollback_lines = 5});
  t.count(Counting::letters);
  t.feed(family + heart + "x");
  const auto whole = [&](const Terminal& it) {
    EXPECT_EQ(it.screen().cell(0, 0).text, family);
    EXPECT_EQ(it.screen().cell(0, 0).width, 2);
    EXPECT_EQ(it.screen().cell(0, 2).text, heart);
    EXPECT_EQ(it.screen().cell(0, 2).width, 2);
    EXPECT_EQ(it.screen().cell(0, 4).text, "x");
  };
  whole(t);
  const auto copy = Terminal::restore(t.serialise());
  ASSERT_TRUE(copy);
  EXPECT_TRUE(*copy == t);
  Terminal painted({6, 2});
  painted.count(Counting::clusters);
  painted.feed(Painter().frame(t.screen(), {6, 2}));
  whole(painted);
  t.resize({5, 2});
  whole(t);
  t.feed("\r\n\n\n");
  EXPECT_EQ(t.screen().scrollback().line(0).text, family + heart + "x");
}

TEST(Cluster, WithoutRoomForItsSecondColumnGoesToTheNextRow) {
  Terminal t({4, 3});
  t.count(Counting::letters);
  t.feed("abc❤\uFE0Fd");
  EXPECT_EQ(t.screen().text(), "abc\n❤\uFE0Fd\n");
  EXPECT_TRUE(t.screen().row_wrapped(0));
  Terminal narrow({1, 2});
  narrow.count(Counting::letters);
  narrow.feed("1\uFE0F\u20E3");
  EXPECT_EQ(narrow.screen().cell(0, 0).width, 1) << "there is no room anywhere";
  EXPECT_EQ(narrow.screen().cell(0, 0).text, "1\u20E3");
  Terminal staying({4, 2});
  staying.count(Counting::letters);
  staying.feed("\x1b[?7labc❤\uFE0F");
  EXPECT_EQ(staying.screen().row_text(1), "") << "nothing goes on there";
}

TEST(Cluster, WidenedOverAWideOneLeavesNoHalf) {
  Terminal t({8, 1});
  t.count(Counting::letters);
  t.feed("ab漢c\x1b[1;1H");
  t.feed("x❤\uFE0F");
  EXPECT_EQ(t.screen().row_text(0), "x❤\uFE0F c");
  t.feed("\x1b[1;1H\x1b[4hz1\uFE0F");
  EXPECT_EQ(t.screen().row_text(0), "z1\uFE0Fx❤\uFE0F c") << "inserted";
}

TEST(Cluster, OfWhatWasPrintedRightBefore) {
  Terminal t({10, 1});
  t.feed("🇩\x1b[1;2H🇪");
  EXPECT_EQ(t.screen().cell(0, 0).width, 1) << "put there by itself";
  EXPECT_EQ(t.screen().cell(0, 1).text, "🇪");
}

TEST(Cluster, TooLongKeepsItsBeginning) {
  Terminal t({10, 1});
  std::string marks = "a";
  for (int i = 0; i < 100; ++i) marks += "\u0301";
  t.feed(marks + "b");
  EXPECT_LE(t.screen().cell(0, 0).text.size(), kClusterBytes);
  EXPECT_EQ(t.screen().cell(0, 1).text, "b");
}

// Written before clusters were known: a narrow heart with VS16, then b and a joiner that waited for the next character.
TEST(Cluster, ASavedTerminalOfAnOlderVersionIsRead) {
  constexpr std::string_view kSaved =
      "097061776c2d7465726d010000000000008001bf0104010106e29da4efb88f000000020180804400000162000000"
      "00000200"
      "00000000424242420000000000000000004242424200000000000000000042424242000000000000000001000100"
      "00000000"
      "000000000000000000000000000062010000000000000000000000000000000000000000000000000000000000";
  std::string bytes;
  for (size_t i = 0; i < kSaved.size(); i += 2)
    bytes += static_cast<char>(std::stoi(std::string(kSaved.substr(i, 2)), nullptr, 16));
  auto old = Terminal::restore(bytes);
  ASSERT_TRUE(old);
  EXPECT_EQ(old->screen().row_text(0), "❤\uFE0Fb");
  EXPECT_EQ(old->screen().cell(0, 0).width, 1);
  old->feed("c");
  EXPECT_EQ(old->screen().row_text(0), "❤\uFE0Fbc");
  EXPECT_TRUE(Terminal::restore(old->serialise()));
}

}  // namespace
}  // namespace pawl::term
