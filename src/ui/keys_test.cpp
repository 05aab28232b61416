#include "ui/keys.h"

#include <gtest/gtest.h>

namespace pawl::ui {
namespace {

using Kind = Key::Kind;

std::vector<Key> keys_of(const std::string& bytes) {
  KeyReader reader;
  auto keys = reader.read(bytes);
  for (auto& key : reader.flush()) keys.push_back(key);
  return keys;
}

TEST(UiKeys, LettersArrowsAndTheMouse) {
  EXPECT_EQ(keys_of("aé"), (std::vector<Key>{{Kind::text, "a"}, {Kind::text, "é"}}));
  EXPECT_EQ(keys_of("\x1b[A\x1bOB\x1b[6~"),
            (std::vector<Key>{{Kind::up}, {Kind::down}, {Kind::page_down}}));
  EXPECT_EQ(keys_of("\x1b[<0;5;3M"), (std::vector<Key>{{Kind::click, "", 2, 4}}));
  EXPECT_EQ(keys_of("\x1b[<0;5;3m"), std::vector<Key>{});
  EXPECT_EQ(keys_of("\x1b[<65;5;3M"), (std::vector<Key>{{Kind::wheel_down, "", 2, 4}}));
  EXPECT_EQ(keys_of("\x03"), (std::vector<Key>{{Kind::control, "c"}}));
}

TEST(UiKeys, AnySplitOfTheBytesGivesTheSameKeys) {
  const std::string bytes = "x\x1b[<64;1;2Mé\x1b[200~a\x1b[Ab\x1b[201~\x1b[5~\r";
  const auto whole = keys_of(bytes);
  for (size_t cut = 1; cut < bytes.size(); ++cut) {
    KeyReader reader;
    auto keys = reader.read(bytes.substr(0, cut));
    for (auto& key : reader.read(bytes.substr(cut))) keys.push_back(key);
    std::string pasted, pasted_whole;
    std::erase_if(keys, [&](const Key& key) {
      if (key.kind == Kind::paste) pasted += key.text;
      return key.kind == Kind::paste;
    });
    auto others = whole;
    std::erase_if(others, [&](const Key& key) {
      if (key.kind == Kind::paste) pasted_whole += key.text;
      return key.kind == Kind::paste;
    });
    EXPECT_EQ(keys, others) << cut;
    EXPECT_EQ(pasted, pasted_whole) << cut;
    EXPECT_EQ(pasted, "a\x1b[Ab");
  }
}

TEST(UiKeys, EscapeAloneWaitsForItsTime) {
  KeyReader reader;
  EXPECT_TRUE(reader.read("\x1b").empty());
  EXPECT_TRUE(reader.holding());
  EXPECT_EQ(reader.flush(), (std::vector<Key>{{Kind::escape}}));
  EXPECT_FALSE(reader.holding());
}

TEST(UiKeys, ForeignSequencesPressNothing) {
  EXPECT_TRUE(keys_of("\x1b[?62;1c\x1b[I\x1b[O").size() <= 1);
  EXPECT_TRUE(keys_of("\x1b[" + std::string(1000, '1')).size() < 1000);
}

}  // namespace
}  // namespace pawl::ui
