#include "core/parts/screen_text.h"

#include <gtest/gtest.h>

#include "term/terminal.h"

namespace pawl::core {
namespace {

TEST(ScreenText, EachLineComesOnceAndThePictureLast) {
  term::Terminal terminal(Size{20, 3});
  terminal.feed("one\r\ntwo\r\n\x1b[31mthree\x1b[0m\r\nfour\r\n");
  EXPECT_EQ(scrolled_off(terminal.screen(), 0), "one\ntwo\n");
  EXPECT_EQ(picture_of(terminal.screen()), "three\nfour\n");
  terminal.feed("\x1b[Hagain\r\n\n\n");
  EXPECT_EQ(scrolled_off(terminal.screen(), 2), "again\n") << "what was drawn over is one line";
  EXPECT_EQ(scrolled_off(terminal.screen(), 3), "");
}

TEST(ScreenText, ALineThatWasWrappedIsOne) {
  term::Terminal terminal(Size{4, 2});
  terminal.feed("abcdefgh\r\nx\r\ny");
  EXPECT_EQ(scrolled_off(terminal.screen(), 0) + picture_of(terminal.screen()), "abcdefgh\nx\ny\n");
}

}  // namespace
}  // namespace pawl::core
