#include "os/zstd.h"

#include <gtest/gtest.h>

namespace pawl::os {
namespace {

constexpr size_t kRoom = 64u << 20;

// Hardly two places alike, so that a frame is longer than its header.
std::string long_text(size_t size) {
  std::string text;
  uint32_t number = 1;
  while (text.size() < size) text += std::to_string(number = number * 1664525 + 1013904223) + "\n";
  text.resize(size);
  return text;
}

TEST(Zstd, ComesBackAsItWas) {
  for (const size_t size : {0u, 1u, 1000u, 1'000'000u}) {
    const std::string text = long_text(size), packed = zstd_frame(text, 3);
    EXPECT_TRUE(is_zstd(packed));
    const auto back = zstd_text(packed, kRoom);
    EXPECT_EQ(back.damage, "");
    EXPECT_TRUE(back.text == text) << size;
  }
  EXPECT_FALSE(is_zstd("{\"version\": 2}"));
  EXPECT_FALSE(is_zstd(""));
}

TEST(Zstd, FramesAreFoundWithoutUnpackingThem) {
  const std::string one = zstd_frame(long_text(300'000), 3), two = zstd_frame("end", 3);
  const auto index = zstd_index(one + two, kRoom);
  ASSERT_EQ(index.frames.size(), 2u);
  EXPECT_EQ(index.damage, "");
  EXPECT_EQ(index.plain, 300'003u);
  EXPECT_EQ(index.frames[1].at, one.size());
  EXPECT_EQ(index.frames[1].plain_at, 300'000u);
  EXPECT_EQ(zstd_text(one + two, kRoom).text, long_text(300'000) + "end");
}

TEST(Zstd, CutAnywhereGivesWhatCameBeforeAndSaysSo) {
  const std::string text = long_text(600'000);
  const std::string packed = zstd_frame(text, 3) + zstd_frame("end", 3);
  size_t last = 0;
  for (size_t cut = 0; cut < packed.size(); cut += 1 + packed.size() / 50) {
    const auto back = zstd_text(packed.substr(0, cut), kRoom);
    EXPECT_NE(back.damage, "") << cut;
    EXPECT_EQ(back.text, text.substr(0, back.text.size()));
    EXPECT_GE(back.text.size(), last);
    last = back.text.size();
    const auto index = zstd_index(packed.substr(0, cut), kRoom);
    EXPECT_NE(index.damage, "") << cut;
    EXPECT_EQ(index.plain, back.text.size()) << cut;
  }
  EXPECT_GT(last, text.size() / 2);
}

TEST(Zstd, DamageIsSaid) {
  std::string packed = zstd_frame(long_text(200'000), 3);
  packed[packed.size() / 2] ^= 0x55;
  EXPECT_NE(zstd_text(packed, kRoom).damage, "");
  EXPECT_NE(zstd_text("no such thing", kRoom).damage, "");
  EXPECT_NE(zstd_index("no such thing", kRoom).damage, "");
  EXPECT_NE(zstd_index(zstd_frame("a", 3) + "garbage", kRoom).damage, "");
}

TEST(Zstd, WhatIsTooLargeTakesNoMoreThanItsLimit) {
  std::string bomb;
  for (int i = 0; i < 64; ++i) bomb += zstd_frame(std::string(1u << 20, 'x'), 3);
  const auto back = zstd_text(bomb, 1'000'000);
  EXPECT_EQ(back.text.size(), 1'000'000u);
  EXPECT_NE(back.damage, "");
  const auto index = zstd_index(bomb, 5u << 20);
  EXPECT_EQ(index.plain, 5u << 20);
  EXPECT_NE(index.damage, "");
}

}  // namespace
}  // namespace pawl::os
