#include "ui/canvas.h"

#include <gtest/gtest.h>

#include "term/terminal.h"

namespace pawl::ui {
namespace {

TEST(UiCanvas, NothingLeavesItsColumns) {
  Canvas canvas({10, 2}, Colours::full);
  canvas.put(0, 2, 4, "abcdefgh");
  canvas.put(1, 8, 40, "日本語");
  canvas.put(5, 0, 4, "outside");
  const auto screen = canvas.screen();
  EXPECT_EQ(screen.row_text(0), "  abc…");
  EXPECT_EQ(screen.row_text(1), "        …");
  EXPECT_EQ(screen.size(), (Size{10, 2}));
}

TEST(UiCanvas, HostileTextIsHarmless) {
  Canvas canvas({30, 2}, Colours::full);
  canvas.put(0, 0, 30,
             "a\x1b[2Jb\x1b]0;title\x07"
             "c\r\n\xc2\x9b"
             "d\xff");
  const auto screen = canvas.screen();
  EXPECT_EQ(screen.title(), "");
  EXPECT_EQ(screen.row_text(0).substr(0, 7), "a [2Jb ");
  EXPECT_EQ(screen.row_text(1), "");
}

TEST(UiCanvas, ManyMarksOnOneLetterEnd) {
  std::string text = "e";
  for (int i = 0; i < 2000; ++i) text += "\xcc\x81";
  EXPECT_LT(fitted(text, 10).size(), 100u);
}

TEST(UiCanvas, PicturesKeepTheirCells) {
  term::Terminal from({6, 2}, {false, 0});
  from.feed("\x1b[1;38;2;250;10;10mré\x1b[0m日x\r\nab\xf0\x9f\x91\x8d");
  Canvas canvas({12, 3}, Colours::full);
  canvas.copy(from.screen(), 0, {1, 4, 2, 8});
  const auto screen = canvas.screen();
  EXPECT_EQ(screen.row_text(1), "    ré日x");
  EXPECT_EQ(screen.row_text(2), "    ab\xf0\x9f\x91\x8d");
  EXPECT_TRUE(screen.style(1, 4).bold);
  EXPECT_EQ(screen.style(1, 4).fg, term::Colour::rgb(0xfa0a0a));
}

TEST(UiCanvas, FewerColours) {
  term::Style style;
  style.fg = term::Colour::rgb(0xff0000);
  style.bold = true;
  EXPECT_EQ(reduced(style, Colours::indexed).fg, term::Colour::indexed(196));
  EXPECT_EQ(reduced(style, Colours::sixteen).fg, term::Colour::indexed(9));
  EXPECT_EQ(reduced(style, Colours::none).fg, term::Colour{});
  EXPECT_TRUE(reduced(style, Colours::none).bold);
  EXPECT_EQ(colours_of("xterm-256color", "", false), Colours::indexed);
  EXPECT_EQ(colours_of("xterm-256color", "truecolor", true), Colours::none);
  EXPECT_FALSE(usable("dumb"));
  EXPECT_FALSE(usable(""));
}

TEST(UiCanvas, WrapsBetweenWords) {
  EXPECT_EQ(wrapped("one two three", 8, 5), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrapped("one two three", 8, 1), (std::vector<std::string>{"one two…"}));
  EXPECT_EQ(wrapped("abcdefghij", 4, 9), (std::vector<std::string>{"abcd", "efgh", "ij"}));
  EXPECT_TRUE(wrapped("", 4, 9).empty());
}

}  // namespace
}  // namespace pawl::ui
