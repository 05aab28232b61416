#include "sim/world/agents/keys.h"

#include <gtest/gtest.h>

namespace pawl::sim {
namespace {

using Kind = Key::Kind;
using Keys = std::vector<Key>;

TEST(Keys, TextAndEnter) {
  EXPECT_EQ(KeyReader().read("grüß\r"), (Keys{{Kind::text, "grüß"}, {Kind::enter}}));
}

TEST(Keys, APasteInPiecesIsOnePaste) {
  KeyReader reader;
  EXPECT_TRUE(reader.read("\x1b[200~one\rtw").empty());
  EXPECT_TRUE(reader.read("o\x1b[20").empty());
  EXPECT_EQ(reader.read("1~\r"), (Keys{{Kind::paste, "one\ntwo"}, {Kind::enter}}));
}

TEST(Keys, ArrowsEscapeAndAnswers) {
  EXPECT_EQ(KeyReader().read("\x1b[A\x1bOB\x1b"), (Keys{{Kind::up}, {Kind::down}, {Kind::escape}}));
  EXPECT_EQ(KeyReader().read("\x1b]7501;?\x1b\\x"),
            (Keys{{Kind::reply, "]7501;?\x1b\\"}, {Kind::text, "x"}}));
  EXPECT_EQ(KeyReader().read("\x1b[?1;2c"), (Keys{{Kind::reply, "[?1;2c"}}));
}

TEST(Keys, AnAnswerInPiecesIsOneAnswer) {
  KeyReader reader;
  EXPECT_TRUE(reader.read("\x1b]7501;").empty());
  EXPECT_EQ(reader.read("?\a"), (Keys{{Kind::reply, "]7501;?\a"}}));
}

TEST(Keys, ControlLetters) {
  EXPECT_EQ(KeyReader().read("\x03\x15"), (Keys{{Kind::control, "c"}, {Kind::control, "u"}}));
  EXPECT_EQ(KeyReader().read("\x7f\n\t"), (Keys{{Kind::backspace}, {Kind::newline}, {Kind::tab}}));
}

}  // namespace
}  // namespace pawl::sim
