#include "cli/qr.h"

#include <gtest/gtest.h>

#include "cli/authority.h"

namespace pawl::cli {
namespace {

// As libqrencode 4.1.1 draws it (8 bit, level L).
TEST(Qr, AsAnotherProgramDrawsIt) {
  const std::vector<std::string> expected{
      "#######..#.##.#######", "#.....#.##.#..#.....#", "#.###.#.##..#.#.###.#",
      "#.###.#..#.#..#.###.#", "#.###.#.#...#.#.###.#", "#.....#.#..##.#.....#",
      "#######.#.#.#.#######", "........#####........", "##.#..##.##...###.##.",
      ".#####.###....#....##", "..##.####.#.##...##.#", "...#.#..#..#.....#.##",
      "....#.##.##.#.#.#....", "........####...##.#.#", "#######.###..#.#.###.",
      "#.....#..#####.##....", "#.###.#..#.#..###...#", "#.###.#.#.##...#.####",
      "#.###.#..##.#...#.#.#", "#.....#.###..##......", "#######.#.###..#.#.#."};
  const auto code = qr_code("hello");
  ASSERT_TRUE(code);
  std::vector<std::string> rows;
  for (const auto& row : *code) {
    rows.emplace_back();
    for (const bool dark : row) rows.back() += dark ? '#' : '.';
  }
  EXPECT_EQ(rows, expected);
}

TEST(Qr, TheSmallestThatHoldsIt) {
  size_t before = 0;
  for (const size_t most : {17u, 32u, 53u, 78u, 106u, 134u}) {
    const auto last = qr_code(std::string(most, 'x'));
    ASSERT_TRUE(last) << most;
    EXPECT_EQ(last->size(), before == 0 ? 21u : before + 4) << most;
    before = last->size();
  }
  EXPECT_FALSE(qr_code(std::string(kQrBytes + 1, 'x')));
}

TEST(Qr, IsDrawnTwoRowsInOneWithAQuietZone) {
  const std::string drawn = qr_drawn(*qr_code("hello"));
  EXPECT_EQ(std::count(drawn.begin(), drawn.end(), '\n'), (21 + 8 + 1) / 2);
  EXPECT_TRUE(drawn.starts_with("\x1b[38;5;16;48;5;231m" + std::string(29, ' ') + "\x1b[0m\n"));
}

TEST(Authority, SaysWhatAPersonNeeds) {
  Json ca = Json::object({{"fingerprint", std::string(64, 'a')},
                          {"ends", "2036-11-15T09:19:28.000Z"},
                          {"names", std::vector<std::string>{"localhost", "box"}},
                          {"others", true},
                          {"url", "http://10.1.2.3:8822/ca.crt"}});
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != text.npos;
  };
  const std::string plain = authority_text(ca, {});
  EXPECT_TRUE(has(plain, "AA:AA:")) << plain;
  EXPECT_TRUE(has(plain, "2036-11-15\n"));
  EXPECT_TRUE(has(plain, "http://10.1.2.3:8822/ca.crt"));
  EXPECT_TRUE(has(plain, "update-ca-certificates"));
  EXPECT_FALSE(has(plain, "\x1b"));
  EXPECT_TRUE(has(authority_text(ca, {.colour = true}), "▀"));
  ca.set("others", false);
  const std::string local = authority_text(ca, {.colour = true});
  EXPECT_TRUE(has(local, "Only this machine")) << local;
  EXPECT_FALSE(has(local, "▀"));
  EXPECT_EQ(fingerprint_text("0aff"), "0A:FF");
}

}  // namespace
}  // namespace pawl::cli
