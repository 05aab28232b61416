#include "core/parts/turn_guard.h"

#include <gtest/gtest.h>

namespace pawl::core {
namespace {

using Word = TurnGuard::Word;
constexpr MonoTime kNow{std::chrono::seconds{100}};

TEST(TurnGuard, OneAgentMayNotKeepATurnBusy) {
  TurnGuard guard;
  guard.turn(kNow, false);
  for (int i = 0; i < kMostInputs; ++i) ASSERT_EQ(guard.count("a"), Word::fine);
  EXPECT_EQ(guard.count("a"), Word::stop) << "told once";
  EXPECT_EQ(guard.count("a"), Word::stopped);
  EXPECT_EQ(guard.count("b"), Word::fine) << "others go on";
  guard.turn(kNow, false);
  EXPECT_EQ(guard.count("a"), Word::fine) << "each turn anew";
}

TEST(TurnGuard, WhatConcernsNobodyIsNotCounted) {
  TurnGuard guard;
  guard.turn(kNow, false);
  for (int i = 0; i < kMostInputs + 2; ++i) ASSERT_EQ(guard.count(""), Word::fine);
}

TEST(TurnGuard, WakesForNothingAreHeldBack) {
  TurnGuard guard;
  for (int i = 1; i < kMostWakes; ++i) {
    guard.turn(kNow, true);
    ASSERT_FALSE(guard.over(kNow));
    ASSERT_EQ(guard.held(kNow), kNow);
  }
  guard.turn(kNow, true);
  EXPECT_TRUE(guard.over(kNow));
  EXPECT_EQ(guard.held(kNow), kNow + kWakeAgain);
  guard.turn(kNow, true);
  EXPECT_FALSE(guard.over(kNow)) << "told once";
  guard.turn(kNow, false);
  EXPECT_FALSE(guard.over(kNow));
  EXPECT_EQ(guard.held(kNow), kNow) << "something came: there is work to do";
}

TEST(TurnGuard, ATimeToComeIsNoWakeForNothing) {
  TurnGuard guard;
  for (int i = 0; i < 2 * kMostWakes; ++i) {
    guard.turn(kNow, true);
    ASSERT_FALSE(guard.over(kNow + Duration{1}));
  }
}

}  // namespace
}  // namespace pawl::core
