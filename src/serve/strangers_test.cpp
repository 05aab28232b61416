#include "serve/strangers.h"

#include <gtest/gtest.h>

#include <vector>

namespace pawl::serve {
namespace {

TEST(Strangers, OneAddressLeavesPlacesForOthers) {
  Strangers strangers;
  std::vector<Strangers::Place> taken;
  for (size_t i = 0; i < kStrangersPlaces; ++i) {
    taken.push_back(strangers.take("a"));
    ASSERT_TRUE(taken.back());
  }
  EXPECT_FALSE(strangers.take("a"));
  EXPECT_TRUE(strangers.take("b"));
  taken.pop_back();
  EXPECT_TRUE(strangers.take("a")) << "one was given back";
}

TEST(Strangers, ThereIsAnEndForAllOfThem) {
  Strangers strangers;
  std::vector<Strangers::Place> taken;
  for (size_t i = 0; i < kStrangersInAll; ++i) {
    taken.push_back(strangers.take(std::to_string(i)));
    ASSERT_TRUE(taken.back());
  }
  EXPECT_FALSE(strangers.take("another"));
  taken.clear();
  EXPECT_EQ(strangers.size(), 0u);
}

TEST(Strangers, APlaceIsGivenBackOnce) {
  Strangers strangers;
  {
    Strangers::Place one = strangers.take("a");
    Strangers::Place other = std::move(one);
    EXPECT_FALSE(one);  // NOLINT(bugprone-use-after-move)
    EXPECT_TRUE(other);
    other = strangers.take("b");
    EXPECT_EQ(strangers.size(), 1u);
  }
  EXPECT_EQ(strangers.size(), 0u);
}

}  // namespace
}  // namespace pawl::serve
