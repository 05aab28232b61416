#include "term/keys.h"

#include <gtest/gtest.h>

namespace pawl::term {
namespace {

std::string key(std::string_view name, const Modes& modes = {}) {
  auto bytes = key_bytes(name, modes);
  return bytes ? *bytes : "error: " + text_of(bytes.error());
}

TEST(Keys, NamesOfTmux) {
  EXPECT_EQ(key("Enter"), "\r");
  EXPECT_EQ(key("enter"), "\r");
  EXPECT_EQ(key("Tab"), "\t");
  EXPECT_EQ(key("BTab"), "\x1b[Z");
  EXPECT_EQ(key("S-Tab"), "\x1b[Z");
  EXPECT_EQ(key("Escape"), "\x1b");
  EXPECT_EQ(key("Space"), " ");
  EXPECT_EQ(key("BSpace"), "\x7f");
  EXPECT_EQ(key("DC"), "\x1b[3~");
  EXPECT_EQ(key("PPage"), "\x1b[5~");
  EXPECT_EQ(key("F1"), "\x1bOP");
  EXPECT_EQ(key("F12"), "\x1b[24~");
  EXPECT_EQ(key("x"), "x");
  EXPECT_EQ(key("\xc3\xa4"), "\xc3\xa4");
}

TEST(Keys, Modifiers) {
  EXPECT_EQ(key("C-c"), "\x03");
  EXPECT_EQ(key("^c"), "\x03");
  EXPECT_EQ(key("C-Space"), std::string(1, '\0'));
  EXPECT_EQ(key("C-["), "\x1b");
  EXPECT_EQ(key("C-\\"), "\x1c");
  EXPECT_EQ(key("M-x"), "\x1bx");
  EXPECT_EQ(key("C-M-x"), "\x1b\x18");
  EXPECT_EQ(key("M-Enter"), "\x1b\r");
  EXPECT_EQ(key("C-Up"), "\x1b[1;5A");
  EXPECT_EQ(key("S-F5"), "\x1b[15;2~");
}

TEST(Keys, ModesOfTheProgram) {
  Modes app;
  app.app_cursor_keys = true;
  EXPECT_EQ(key("Up"), "\x1b[A");
  EXPECT_EQ(key("Up", app), "\x1bOA");
  Modes kitty;
  kitty.kitty_keyboard = 1;
  EXPECT_EQ(key("Escape", kitty), "\x1b[27u");
  EXPECT_EQ(key("C-c", kitty), "\x1b[99;5u");
  EXPECT_EQ(key("Enter", kitty), "\r");
  EXPECT_EQ(key("S-Enter", kitty), "\x1b[13;2u");
  EXPECT_EQ(key("x", kitty), "x");
}

TEST(Keys, UnknownNamesSuggestTheNearest) {
  auto bytes = key_bytes("Entr", {});
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().what, "unknown key: Entr");
  EXPECT_EQ(bytes.error().fix, "did you mean Enter?");
  EXPECT_FALSE(key_bytes("", {}));
  EXPECT_FALSE(key_bytes("C-", {}));
  EXPECT_FALSE(key_bytes("\x1b[31mwhatever", {}));
  EXPECT_FALSE(key_bytes("\x03", {}));
}

TEST(Paste, CannotLeaveItsMarks) {
  Modes on;
  on.bracketed_paste = true;
  EXPECT_EQ(paste_bytes("a\x1b[201~rm\r\nb\tc\x03\xc2\x9b"
                        "d",
                        on),
            "\x1b[200~a[201~rm\rb\tcd\x1b[201~");
  EXPECT_EQ(paste_bytes("a\nb", {}), "a\rb");
}

}  // namespace
}  // namespace pawl::term
