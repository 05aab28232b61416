#include "act/typable.h"

#include <gtest/gtest.h>

namespace pawl::act {
namespace {

TEST(Typable, WordsLinesAndTabsAre) {
  for (const char* text :
       {"", "hello", "two\nlines\r\n\tand a tab", "café 端末 🦀 \u00a0\u202e"})
    EXPECT_FALSE(control_character(text)) << text;
}

TEST(Typable, TheFirstControlCharacterIsNamed) {
  EXPECT_EQ(control_character("red: \x1b[31m"), "ESC at byte 6");
  EXPECT_EQ(control_character(std::string_view("a\0b", 3)), "NUL at byte 2");
  EXPECT_EQ(control_character("\x03"), "Ctrl-C at byte 1");
  EXPECT_EQ(control_character("gone\x7f"), "DEL at byte 5");
  EXPECT_EQ(control_character("a \xc2\x9b 31m"), "U+009B at byte 3");
}

TEST(Typable, APasteHasNoEmptyLinesBeforeItAndKeepsWhatIsIndented) {
  EXPECT_EQ(as_pasted("\n \n\r\n  one\n\n two\n"), "  one\n\n two\n");
  EXPECT_EQ(as_pasted("red\x1b[31m\x03"), "red[31m");
  EXPECT_EQ(as_pasted(" \n "), " \n ");
}

}  // namespace
}  // namespace pawl::act
