#include "act/shown.h"

#include <gtest/gtest.h>

namespace pawl::act {
namespace {

using Rows = std::vector<std::string>;

struct ShownCase {
  const char* what;
  Rows rows;
  std::string text;
  Shown shown;
};

TEST(Shown, TextInABox) {
  const ShownCase cases[] = {
      {"an empty box", {}, "text", Shown::nothing},
      {"blanks", {"", "  "}, "text", Shown::nothing},
      {"a frame", {"│ │"}, "text", Shown::nothing},
      {"the text", {"fix the test"}, "fix the test", Shown::whole},
      {"wrapped within a word", {"fix the te", "st"}, "fix the test", Shown::whole},
      {"wrapped at a blank", {"fix the", "test"}, "fix the test", Shown::whole},
      {"lines", {"one", "", "two"}, "one\n\ntwo", Shown::whole},
      {"tabs", {"one  two"}, "one\ttwo", Shown::whole},
      {"its head is missing", {"the test"}, "fix the test", Shown::part},
      {"its tail is missing", {"fix the"}, "fix the test", Shown::part},
      {"its middle is missing", {"fix test"}, "fix the test", Shown::part},
      {"more than the text", {"please fix the test"}, "fix the test", Shown::part},
      {"twice", {"fixfix"}, "fix", Shown::part},
      {"another case", {"Fix the test"}, "fix the test", Shown::part},
      {"a sign", {"?"}, "?", Shown::whole},
      {"another sign", {"!"}, "?", Shown::part},
      {"a sign is missing at the end", {"why"}, "why?!", Shown::part},
      {"signs only, and one is missing", {"-> ("}, "-> ()", Shown::part},
      {"signs of the box between the lines", {"one", "> two"}, "one\ntwo", Shown::whole},
      {"an icon of the box", {"\xee\x82\xb0 one"}, "one", Shown::whole},
      {"a drawn cursor", {"one█"}, "one", Shown::whole},
      {"lines alone", {"═══"}, "═══", Shown::whole},
      {"lines alone, and one is missing", {"══"}, "═══", Shown::nothing},
      {"other lines", {"───"}, "═══", Shown::nothing},
      {"bars are borders", {"a b"}, "a | b", Shown::whole},
      {"CJK", {"端末の", "エージェント"}, "端末のエージェント", Shown::whole},
      {"half of it", {"端末の"}, "端末のエージェント", Shown::part},
      {"other CJK", {"日本"}, "端末", Shown::part},
      {"emoji", {"🦀🎉"}, "🦀🎉", Shown::whole},
      {"one emoji too few", {"🦀"}, "🦀🎉", Shown::part},
      {"without what takes no column", {"❤ e x"}, "❤\uFE0F e\u0301 x", Shown::whole},
      {"other blanks", {"a b"}, "a\u00A0\u3000b", Shown::whole},
      {"a soft hyphen", {"softhyphen"}, "soft\u00ADhyphen", Shown::whole},
      {"a mark that turns the order", {"turned"}, "\u202Eturned", Shown::whole},
      {"… shown as a sign", {"\uFFFDturned \uFFFDround"}, "\u202Eturned \u2066round", Shown::whole},
      {"… one of two", {"\uFFFDturned round"}, "\u202Eturned \u2066round", Shown::part},
      {"… elsewhere", {"turned\uFFFD"}, "\u202Eturned", Shown::part},
      {"a sign that is not of it", {"\uFFFDturned"}, "turned", Shown::part},
      {"not UTF-8, as every terminal shows it",
       {"a\uFFFDb"},
       "a\xFF"
       "b",
       Shown::whole},
  };
  for (const ShownCase& one : cases)
    EXPECT_EQ(shown(one.rows, false, one.text), one.shown) << one.what;
}

TEST(Shown, LettersInAnotherSpelling) {
  const ShownCase cases[] = {
      {"letters and their marks apart",
       {"café Ärger Nguyễn й"},
       "cafe\u0301 A\u0308rger Nguye\u0302\u0303n \u0438\u0306",
       Shown::whole},
      {"… and together", {"cafe\u0301"}, "café", Shown::whole},
      {"Korean letters apart", {"한국"}, "\u1112\u1161\u11ab\u1100\u116e\u11a8", Shown::whole},
      {"… and others", {"한국"}, "\u1112\u1161\u11ab\u1100\u116e", Shown::part},
      {"Japanese marks apart", {"がぱ"}, "か\u3099は\u309a", Shown::whole},
      {"Greek, which has two marks",
       {"\u1F55\u03C3\u03C4\u03B5\u03C1\u03BF\u03BD"},
       "\u03C5\u0314\u0301\u03C3\u03C4\u03B5\u03C1\u03BF\u03BD",
       Shown::whole},
      {"marks in another order", {"q\u0323\u0307 it"}, "q\u0307\u0323 it", Shown::whole},
      {"Arabic apart", {"\u0623\u064E\u062D"}, "\u0627\u0654\u064E\u062D", Shown::whole},
      {"Tamil apart", {"\u0B95\u0BCA\u0B9F\u0BBF"}, "\u0B95\u0BC6\u0BBE\u0B9F\u0BBF", Shown::whole},
      {"Thai am as it looks", {"\u0E19\u0E4D\u0E32"}, "\u0E19\u0E33", Shown::whole},
      {"a mark lost inside", {"\u0915\u0932 ok"}, "\u0915\u093F\u0932 ok", Shown::whole},
      {"a mark that is still to come", {"ok \u0915"}, "ok \u0915\u093F", Shown::part},
      {"… of Latin", {"cafe"}, "cafe\u0301", Shown::part},
      {"a family without its joiners", {"👨👩👧 home"}, "👨\u200D👩\u200D👧 home", Shown::whole},
      {"half of a family", {"👨\u200D👩"}, "👨\u200D👩\u200D👧", Shown::part},
      {"half of a flag", {"🇩"}, "🇩🇪", Shown::part},
      {"a keycap", {"1\uFE0F\u20E3 go"}, "1\uFE0F\u20E3 go", Shown::whole},
      {"a number", {"1 go"}, "2\uFE0F\u20E3 go", Shown::part},
      {"the tone of a hand", {"👍 ok"}, "👍\U0001F3FD ok", Shown::part},
  };
  for (const ShownCase& one : cases)
    EXPECT_EQ(shown(one.rows, false, one.text), one.shown) << one.what;
}

std::string lines(int count) {
  std::string text;
  for (int i = 1; i <= count; ++i) text += "line " + std::to_string(i) + (i < count ? "\n" : "");
  return text;
}

TEST(Shown, ANoteOfItsSize) {
  const std::string word(1500, 'x');
  const std::string crabs = "🦀🦀🦀🦀🦀🦀🦀🦀🦀🦀";  // 10, 20 units, 40 bytes
  const ShownCase cases[] = {
      {"line ends", {"[Pasted text #1 +39 lines]"}, lines(40), Shown::whole},
      {"lines", {"[Pasted Text: 40 lines]"}, lines(40), Shown::whole},
      {"a later one", {"[Pasted text #17 +39 lines]"}, lines(40), Shown::whole},
      {"one line too few", {"[Pasted text #1 +38 lines]"}, lines(40), Shown::part},
      {"a line too many", {"[Pasted text #1 +41 lines]"}, lines(40), Shown::part},
      {"line ends at its end count or not",
       {"[paste #1 +39 lines]"},
       lines(40) + "\n\n",
       Shown::whole},
      {"… both", {"[paste #1 +41 lines]"}, lines(40) + "\n\n", Shown::whole},
      {"its number is no size", {"[Pasted text #39 +3 lines]"}, lines(40), Shown::part},
      {"characters", {"[Pasted Content 1500 chars]"}, word, Shown::whole},
      {"too few", {"[Pasted Content 1499 chars]"}, word, Shown::part},
      {"as bytes", {"[Pasted Content 40 chars]"}, crabs, Shown::whole},
      {"as characters", {"[Pasted Content 10 chars]"}, crabs, Shown::whole},
      {"as UTF-16 has them", {"[Pasted Content 20 chars]"}, crabs, Shown::whole},
      {"wrapped", {"[Pasted text", "#1 +39 lines]"}, lines(40), Shown::whole},
      {"with a cursor", {"[Pasted text #1 +39 lines]▌"}, lines(40), Shown::whole},
      {"without a size", {"[Pasted text #1]"}, word, Shown::likely},
      {"with other text", {"[Pasted text #1 +39 lines] and"}, lines(40), Shown::part},
      {"after other text", {"and [Pasted text #1 +39 lines]"}, lines(40), Shown::part},
      {"two of them",
       {"[Pasted text #1 +39 lines] [Pasted text #2 +3 lines]"},
       lines(40),
       Shown::part},
      {"quoted by the text",
       {"see [Pasted text #1 +0 lines]"},
       "see [Pasted text #1 +0 lines]",
       Shown::whole},
      {"… and that is all there is",
       {"[Pasted text #1 +0 lines]"},
       "see [Pasted text #1 +0 lines]",
       Shown::part},
      {"… and its middle is missing",
       {"s [Pasted text #1 +0 lines]"},
       "see [Pasted text #1 +0 lines]",
       Shown::part},
  };
  for (const ShownCase& one : cases)
    EXPECT_EQ(shown(one.rows, true, one.text), one.shown) << one.what;
}

TEST(Shown, TheEndInABoxThatScrolls) {
  const std::string text = lines(14);
  const Rows end{"line 10", "line 11", "line 12", "line 13", "line 14"};
  EXPECT_EQ(shown(end, false, text), Shown::likely) << "or its head was lost: nobody can say";
  EXPECT_EQ(shown({end.begin() + 2, end.end()}, false, text), Shown::part)
      << "so small a box shows everything";
  EXPECT_EQ(shown({"line 9", "line 10", "line 11", "line 12", "line 13"}, false, text), Shown::part)
      << "the end is what counts";
  EXPECT_EQ(shown({"9", "10", "11", "12"}, false, "line 1 9 10 11 12"), Shown::part)
      << "too little to say";
}

TEST(Shown, WhoseTextItMayBe) {
  EXPECT_TRUE(ours({}, false, "fix the test"));
  EXPECT_TRUE(ours({"fix the", "te"}, false, "fix the test"));
  EXPECT_TRUE(ours({"the test"}, false, "fix the test")) << "its end";
  EXPECT_TRUE(ours({"> fix test"}, false, "fix the test")) << "with a sign of the box";
  EXPECT_TRUE(ours({"tset eht xif"}, false, "\u202Efix the test"));
  EXPECT_TRUE(ours({"\uFFFDfix the"}, false, "\u202Efix the test"));
  EXPECT_FALSE(ours({"\uFFFDfix the"}, false, "fix the test"));
  EXPECT_FALSE(ours({"fix the test now"}, false, "fix the test"));
  EXPECT_FALSE(ours({"my words"}, false, "fix the test"));
  EXPECT_TRUE(ours({"[Pasted text #1 +2 lines]"}, true, "a\nb\nc"));
  EXPECT_FALSE(ours({"[Pasted text #1 +2 lines] mine"}, true, "a\nb\nc"));
}

}  // namespace
}  // namespace pawl::act
