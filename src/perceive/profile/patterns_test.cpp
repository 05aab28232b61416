#include "perceive/profile/patterns.h"

#include <gtest/gtest.h>

namespace pawl::perceive {
namespace {

TEST(Patterns, OnePassSaysWhichOnesMatch) {
  Patterns patterns;
  EXPECT_EQ(*patterns.add("^a"), 0);
  EXPECT_EQ(*patterns.add("b$"), 1);
  EXPECT_EQ(*patterns.add("ä|é"), 2);
  ASSERT_TRUE(patterns.compile());
  EXPECT_EQ(patterns.size(), 3u);
  EXPECT_EQ(patterns.match("a b").to_string().substr(kMaxPatterns - 3), "011");
  EXPECT_EQ(patterns.match("xéx").to_string().substr(kMaxPatterns - 3), "100");
  EXPECT_TRUE(patterns.match("").none());
  EXPECT_TRUE(patterns.match("nothing").none());
}

TEST(Patterns, WithoutAnyNothingMatches) {
  Patterns patterns;
  ASSERT_TRUE(patterns.compile());
  EXPECT_TRUE(patterns.match("anything").none());
}

TEST(Patterns, SayWhereAndWhat) {
  Patterns patterns;
  const int number = *patterns.add("in (\\d+)s");
  const int plain = *patterns.add("again");
  ASSERT_TRUE(patterns.compile());
  const auto span = patterns.find(number, "ä again in 12s.");
  ASSERT_TRUE(span);
  EXPECT_EQ(span->begin, 9u);  // bytes
  EXPECT_EQ(span->end, 15u);
  EXPECT_EQ(patterns.capture(number, "again in 12s."), "12");
  EXPECT_EQ(patterns.capture(number, "again"), std::nullopt);
  EXPECT_EQ(patterns.capture(plain, "again"), std::nullopt) << "it has no group";
  EXPECT_FALSE(patterns.find(number, "in s"));
  EXPECT_EQ(patterns.text(plain), "again");
}

TEST(Patterns, AnOptionalGroupThatTookNoPartIsNothing) {
  Patterns patterns;
  const int number = *patterns.add("a(b)?");
  EXPECT_EQ(patterns.capture(number, "a"), std::nullopt);
  EXPECT_EQ(patterns.capture(number, "ab"), "b");
}

TEST(Patterns, WhatIsNoPatternIsNamed) {
  Patterns patterns;
  for (const char* bad : {"(", "a{2000}", "(?<=x)y", "[z-a]", "\\1"}) {
    const auto added = patterns.add(bad);
    ASSERT_FALSE(added) << bad;
    EXPECT_NE(added.error().what.find("'" + std::string(bad) + "' is no pattern"),
              std::string::npos)
        << added.error().what;
  }
  EXPECT_EQ(patterns.size(), 0u);
  EXPECT_EQ(*patterns.add("good"), 0) << "a bad one takes no number";
}

TEST(Patterns, HaveLimits) {
  Patterns patterns;
  EXPECT_FALSE(patterns.add(std::string(kMaxPatternBytes + 1, 'a')));
  EXPECT_TRUE(patterns.add(std::string(kMaxPatternBytes, 'a')));
  for (size_t i = 1; i < kMaxPatterns; ++i) ASSERT_TRUE(patterns.add("p" + std::to_string(i)));
  const auto more = patterns.add("one more");
  ASSERT_FALSE(more);
  EXPECT_NE(more.error().what.find(std::to_string(kMaxPatterns)), std::string::npos);
  ASSERT_TRUE(patterns.compile());
  EXPECT_TRUE(patterns.match("p191").test(kMaxPatterns - 1));
}

TEST(Patterns, HostileRowsTakeNoLonger) {
  Patterns patterns;
  const int number =
      *patterns.add("(a*)*(a|b)*c$");  // exponential where patterns are tried by going back
  ASSERT_TRUE(patterns.compile());
  std::string row(100000, 'a');
  EXPECT_TRUE(patterns.match(row).none());
  EXPECT_FALSE(patterns.find(number, row));
  row += 'c';
  EXPECT_TRUE(patterns.match(row).test(0));
}

TEST(Patterns, BytesThatAreNoTextMatchNothingAndBreakNothing) {
  Patterns patterns;
  ASSERT_TRUE(patterns.add("x.y"));
  ASSERT_TRUE(patterns.compile());
  EXPECT_TRUE(patterns.match("x\xff\xfey").none());
  EXPECT_TRUE(patterns.match(std::string_view("x\0y", 3)).test(0));
}

}  // namespace
}  // namespace pawl::perceive
