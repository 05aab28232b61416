#include "model/work.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

namespace pawl::model {
namespace {

const WallTime kAt{std::chrono::seconds{1'700'000'000}};

Work piece(std::string name) {
  Work work;
  work.name = std::move(name);
  return work;
}

std::string names(const Desk& desk) {
  std::string out;
  for (const auto& one : desk.waiting) out += (out.empty() ? "" : " ") + one.name;
  return out;
}

TEST(Desk, TakesInWhatIsNewOrChanged) {
  Desk desk;
  EXPECT_TRUE(take_in(desk, {"a", "ci", 0, false}, "1:1"));
  EXPECT_FALSE(take_in(desk, {"a", "ci", 0, false}, "1:1"));
  EXPECT_TRUE(take_in(desk, {"a", "ci", 0, false}, "2:1")) << "it was written anew";
  EXPECT_EQ(names(desk), "a") << "and waits once";
}

TEST(Desk, WhatMattersMoreGoesFirstAndElseWhatCameFirst) {
  Desk desk;
  take_in(desk, {"low", "", -1, false}, "1");
  take_in(desk, {"a", "", 0, false}, "1");
  take_in(desk, {"high", "", 1, false}, "1");
  take_in(desk, {"b", "", 0, false}, "1");
  EXPECT_EQ(names(desk), "high a b low");
}

TEST(Desk, WhatIsGivenIsDoneOrWaitsAgainFirst) {
  Desk desk;
  take_in(desk, piece("a"), "1");
  take_in(desk, piece("b"), "1");
  give(desk, "a", kAt);
  ASSERT_TRUE(desk.given);
  EXPECT_FALSE(desk.given->work.again);
  EXPECT_EQ(names(desk), "b");
  settle(desk, false, true);
  EXPECT_EQ(names(desk), "a b");
  EXPECT_TRUE(desk.waiting[0].again) << "it may have been seen";
  give(desk, "a", kAt);
  settle(desk, true, false);
  EXPECT_EQ(names(desk), "b");
  EXPECT_FALSE(desk.given);
  EXPECT_FALSE(take_in(desk, piece("a"), "1")) << "done is not forgotten while it lies there";
}

TEST(Desk, GivenOnceMoreItMayHaveBeenSeen) {
  Desk desk;
  take_in(desk, piece("a"), "1");
  give(desk, "a", kAt);
  give(desk, "a", kAt + std::chrono::seconds{60});
  ASSERT_TRUE(desk.given);
  EXPECT_TRUE(desk.given->work.again);
}

TEST(Desk, WhatIsNotThereIsForgotten) {
  Desk desk;
  take_in(desk, piece("a"), "1");
  forget(desk, "a");
  EXPECT_EQ(names(desk), "");
  EXPECT_TRUE(take_in(desk, piece("a"), "1"));
}

TEST(Desk, HasLimits) {
  Desk desk;
  for (size_t i = 0; i < kWorkKept; ++i)
    EXPECT_TRUE(take_in(desk, piece(fmt::format("{}", i)), "1"));
  EXPECT_FALSE(take_in(desk, piece("one more"), "1"));
  EXPECT_FALSE(desk.ledger.contains("one more")) << "it is not known: it is told of later";
  give(desk, "0", kAt);
  settle(desk, true, false);
  EXPECT_TRUE(take_in(desk, piece("one more"), "1"));
}

TEST(Desk, SurvivesTheJournal) {
  Desk desk;
  take_in(desk, {"a", "ci", 1, true}, "1:2");
  take_in(desk, piece("b"), "3:4");
  give(desk, "a", kAt);
  desk.given->taken = true;
  EXPECT_EQ(desk_from(to_json(desk)), desk);
}

}  // namespace
}  // namespace pawl::model
