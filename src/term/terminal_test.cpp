#include "term/terminal.h"

#include <gtest/gtest.h>

namespace pawl::term {
namespace {

Terminal fed(std::string_view bytes, Size size = {20, 5}) {
  Terminal t(size);
  t.feed(bytes);
  return t;
}

std::string row(const Terminal& t, int r) {
  return t.screen().row_text(r);
}

TEST(Terminal, PrintsAndWraps) {
  Terminal t = fed("hello", {4, 3});
  EXPECT_EQ(row(t, 0), "hell");
  EXPECT_EQ(row(t, 1), "o");
  EXPECT_TRUE(t.screen().row_wrapped(0));
  EXPECT_EQ(t.screen().cursor().row, 1);
  EXPECT_EQ(t.screen().cursor().col, 1);
}

TEST(Terminal, LastColumnWaitsBeforeWrapping) {
  Terminal t = fed("abcd", {4, 3});
  EXPECT_TRUE(t.screen().cursor().pending_wrap);
  EXPECT_EQ(t.screen().cursor().col, 3);
  t.feed("\r\nx");
  EXPECT_EQ(row(t, 1), "x");
}

TEST(Terminal, ErasingBehindThePendingWrapErasesNothing) {
  EXPECT_EQ(row(fed("abcd\x1b[K", {4, 2}), 0), "abcd");
  EXPECT_EQ(row(fed("abcd\x1b[J", {4, 2}), 0), "abcd");
}

TEST(Terminal, ScrollsIntoTheScrollback) {
  Terminal t = fed("1\r\n2\r\n3\r\n4", {4, 2});
  EXPECT_EQ(t.screen().text(), "3\n4");
  EXPECT_EQ(t.screen().scrollback().text(), "1\n2");
}

TEST(Terminal, SequencesThatCrashLibvterm) {
  Terminal t = fed("\x1b[38:2:59:66:97;48:2:36:40:59;58:2:224:175:104;4:3mHELLO");
  EXPECT_EQ(row(t, 0), "HELLO");
  const Style s = t.screen().style(0, 0);
  EXPECT_EQ(s.fg, Colour::rgb(0x3b4261));
  EXPECT_EQ(s.bg, Colour::rgb(0x24283b));
  EXPECT_EQ(s.underline_colour, Colour::rgb(0xe0af68));
  EXPECT_EQ(s.underline, Underline::curly);
}

TEST(Terminal, AnyNumberOfParameters) {
  std::string many = "\x1b[1";
  for (int i = 0; i < 5000; ++i) many += i % 3 ? ";31" : ":4";
  Terminal t = fed(many + "mX\x1b[99999999999999999999;5HY");
  EXPECT_EQ(row(t, 0), "X");
  EXPECT_EQ(row(t, 4), "    Y");
}

TEST(Terminal, StringsNeverLeakOntoTheScreen) {
  for (const char* s :
       {"\x1bPq#0;2;0\x1b\\", "\x1b_Gf=24;AAAA\x1b\\", "\x1b^pm\x1b\\", "\x1bXsos\x1b\\",
        "\x1bPtmux;\x1b\x1b[31m\x1b\\", "\x1b]52;c;aGk=\a", "\x1b]133;A\a", "\x1b]9;4;1;5\a",
        "\x1b]777;notify;a;b\a", "\x1b]7501;state=idle\x1b\\", "\x1b]99999;zzz\a"})
    EXPECT_EQ(row(fed(std::string("a") + s + "b"), 0), "ab") << s;
}

TEST(Terminal, WideAndCombining) {
  Terminal t =
      fed("\xe6\xbc\xa2"
          "e\xcc\x81"
          "x");
  EXPECT_EQ(t.screen().cell(0, 0).width, 2);
  EXPECT_EQ(t.screen().cell(0, 1).width, 0);
  EXPECT_EQ(t.screen().cell(0, 2).text, "e\xcc\x81");
  EXPECT_EQ(t.screen().cursor().col, 4);
  t.feed("\x1b[1;2HZ");
  EXPECT_EQ(row(t, 0), " Ze\xcc\x81x");
}

TEST(Terminal, JoinedEmojiTakeTheWidthOfTheFirst) {
  Terminal t = fed("\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9|");
  EXPECT_EQ(t.screen().cell(0, 0).width, 2);
  EXPECT_EQ(t.screen().cell(0, 2).text, "|");
}

TEST(Terminal, AToneOfSkinBelongsToTheEmojiBeforeIt) {
  Terminal t = fed("👍🏽 ✊🏿|");
  EXPECT_EQ(t.screen().cell(0, 0).text, "👍🏽");
  EXPECT_EQ(t.screen().cell(0, 0).width, 2);
  EXPECT_EQ(t.screen().cell(0, 3).text, "✊🏿");
  EXPECT_EQ(t.screen().cell(0, 5).text, "|");
  EXPECT_EQ(fed("👩🏽‍💻|").screen().cell(0, 2).text, "|");
  for (const char* alone :
       {"🏽|", "a🏽|", "漢🏽|", "👍\x1b[1;3H🏽|", "👍\x1b[m🏽|"}) {
    const Terminal other = fed(alone);
    const std::string text = row(other, 0);
    EXPECT_EQ(text.substr(text.size() - 5), "🏽|") << alone;
    EXPECT_EQ(other.screen().cell(0, other.screen().cursor().col - 3).text, "🏽") << alone;
  }
}

TEST(Terminal, ASoftHyphenTakesNoColumn) {
  const Terminal t = fed("so\u00adft|");
  EXPECT_EQ(t.screen().cell(0, 4).text, "|");
  EXPECT_EQ(row(t, 0), "so\u00adft|");
}

TEST(Terminal, InvalidUtf8BecomesReplacementsBySubpart) {
  EXPECT_EQ(row(fed("\xf0\x9f\x98z\x80\xc0\xafy"), 0),
            "\xef\xbf\xbdz\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdy");
}

TEST(Terminal, AlternateScreenKeepsTheMainOne) {
  Terminal t = fed("main\x1b[?1049h");
  EXPECT_TRUE(t.screen().alternate());
  EXPECT_EQ(row(t, 0), "");
  t.feed("alt\x1b[?1049l");
  EXPECT_FALSE(t.screen().alternate());
  EXPECT_EQ(row(t, 0), "main");
  EXPECT_EQ(t.screen().cursor().col, 4);
}

TEST(Terminal, AnswersQueriesUnlessSilent) {
  const char* queries = "\x1b[c\x1b[5n\x1b[6n\x1b[?2026$p\x1b]7501;?\x1b\\\x1b[?u";
  Terminal t = fed(queries);
  EXPECT_EQ(t.take_answers(),
            "\x1b[?64;6;21;22;28c\x1b[0n\x1b[1;1R\x1b[?2026;2$y\x1b]7501;?\x1b\\\x1b[?0u");
  EXPECT_EQ(t.take_answers(), "");
  Terminal silent({20, 5}, {.answers = false});
  silent.feed(queries);
  EXPECT_EQ(silent.take_answers(), "");
}

TEST(Terminal, AnswersAreBounded) {
  std::string flood;
  for (int i = 0; i < 10000; ++i) flood += "\x1b[c";
  EXPECT_LE(fed(flood).take_answers().size(), kMaxAnswerBytes);
}

TEST(Terminal, RestoresInTheMiddleOfASequence) {
  const std::string bytes = "\x1b[1;3;38;2;1;2;3mA\xe6\xbc\xa2\x1b]2;ti\x07\x1b[?1049h\x1b[2;2Hx";
  for (size_t cut = 0; cut <= bytes.size(); ++cut) {
    Terminal a({20, 5});
    a.feed(bytes.substr(0, cut));
    auto b = Terminal::restore(a.serialise());
    ASSERT_TRUE(b) << cut;
    EXPECT_EQ(*b, a);
    a.feed(bytes.substr(cut)), b->feed(bytes.substr(cut));
    EXPECT_EQ(*b, a);
    EXPECT_EQ(b->serialise(), a.serialise());
    EXPECT_EQ(a, fed(bytes));
  }
}

TEST(Terminal, RefusesDamagedBytes) {
  const std::string good = fed("hello\x1b[31m\xe6\xbc\xa2").serialise();
  for (size_t n = 0; n < good.size(); ++n) EXPECT_FALSE(Terminal::restore(good.substr(0, n)));
  EXPECT_FALSE(Terminal::restore(good + "x"));
}

TEST(Terminal, RowsChangedSinceAGeneration) {
  Terminal t = fed("a\r\nb\r\nc");
  const uint64_t before = t.screen().generation();
  t.feed("\x1b[2;1Hz");
  EXPECT_EQ(t.screen().rows_changed_since(before), std::vector<int>{1});
}

TEST(Terminal, ResizeKeepsTheCursorRowAndTheTopGoesToTheScrollback) {
  Terminal t = fed("1\r\n2\r\n3\r\n4\r\n5", {10, 5});
  t.resize({8, 3});
  EXPECT_EQ(t.screen().text(), "3\n4\n5");
  EXPECT_EQ(t.screen().scrollback().text(), "1\n2");
  EXPECT_EQ(t.screen().cursor().row, 2);
}

TEST(Terminal, StatusRecordsLiveAsTheProtocolSays) {
  Terminal t = fed("\x1b]7501;state=working:app=x\x1b\\\x1b]7501;state=done:id=a/b\x1b\\");
  ASSERT_NE(t.screen().status().root(), nullptr);
  EXPECT_EQ(t.screen().status().root()->state, ProgramState::working);
  t.process_exited();
  EXPECT_EQ(t.screen().status().root(), nullptr);
  EXPECT_NE(t.screen().status().find("a/b"), nullptr);
  t.feed(
      "\x1b"
      "c");
  EXPECT_TRUE(t.screen().status().all().empty());
}

}  // namespace
}  // namespace pawl::term
