#include "perceive/records/not_text.h"

#include <gtest/gtest.h>

namespace pawl::perceive {
namespace {

using namespace std::string_literals;

std::string bytes(size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i) out += static_cast<char>(i % 2 == 0 ? 0x80 + i % 64 : i % 7);
  return out;
}

TEST(NotText, TextPassesWhateverItsAlphabet) {
  for (const std::string& line : {"plain\r\n"s, "\x1b[31mred\x1b[0m\a\b\t\n"s,
                                  "äöü 日本語 🦀\r\n"s, ""s, "caf\xe9\n"s, "a\0b"s}) {
    NotText filter;
    EXPECT_EQ(filter.feed(line), line);
    EXPECT_EQ(filter.held(), 0u);
  }
}

TEST(NotText, BytesThatAreNoTextAreOneWord) {
  NotText filter;
  EXPECT_EQ(filter.feed("head: " + bytes(12) + "\r\n"), "head: [12 bytes that are not text]\r\n");
  EXPECT_EQ(filter.feed("and text again\n"), "and text again\n");
  EXPECT_EQ(filter.feed("\xff\xfe"
                        "ab"
                        "\xff\xfe"
                        "abcdefgh"
                        "\xff\xfe\n"),
            "[6 bytes that are not text]abcdefgh[2 bytes that are not text]\n")
      << "a few letters between them belong to them";
}

TEST(NotText, AFileOfAnySizeIsAFewRows) {
  NotText filter;
  std::string out;
  const std::string line = bytes(255) + "\n";
  for (size_t fed = 0; fed < 3 * NotText::kTogether; fed += line.size()) out += filter.feed(line);
  EXPECT_LT(out.size(), 200u) << out;
  const size_t held = filter.held();
  EXPECT_GT(held, 0u);
  EXPECT_EQ(filter.feed("the end\n"),
            "[" + std::to_string(held) + " bytes that are not text]\nthe end\n");
  EXPECT_EQ(filter.held(), 0u);
  filter.feed(line);
  filter.feed(line);
  EXPECT_EQ(filter.end(), "[256 bytes that are not text]\n") << "its program ended";
  EXPECT_EQ(filter.end(), "");
}

}  // namespace
}  // namespace pawl::perceive
