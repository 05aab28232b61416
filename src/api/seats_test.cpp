#include "api/seats.h"

#include <gtest/gtest.h>

namespace pawl::api {
namespace {

constexpr Size kOwn{120, 40}, kSmall{70, 20}, kLarge{100, 30};
using Changes = std::vector<std::pair<std::string, Size>>;

TEST(Seats, TheSizeIsThatOfWhoTypedLast) {
  Seats seats;
  auto first = seats.sit("a", kSmall, kOwn);
  EXPECT_EQ(seats.take_changed(), (Changes{{"a", kSmall}}));
  auto second = seats.sit("a", kLarge, kOwn);
  EXPECT_EQ(seats.take_changed(), (Changes{{"a", kLarge}})) << "who comes is who types";
  first.typed();
  first.typed();
  EXPECT_EQ(seats.take_changed(), (Changes{{"a", kSmall}})) << "once";
  second.resized({101, 30});
  EXPECT_TRUE(seats.take_changed().empty()) << "not the one it is fitted to";
  second.typed();
  EXPECT_EQ(seats.take_changed(), (Changes{{"a", {101, 30}}}));
}

TEST(Seats, WhoLeavesGivesTheSizeBack) {
  Seats seats;
  {
    auto first = seats.sit("a", kSmall, kOwn);
    {
      const auto second = seats.sit("a", kLarge, kOwn);
      (void)seats.take_changed();
    }
    EXPECT_EQ(seats.take_changed(), (Changes{{"a", kSmall}}));
    const auto elsewhere = seats.sit("b", kLarge, kOwn);
    EXPECT_EQ(seats.take_changed(), (Changes{{"b", kLarge}})) << "another terminal";
  }
  EXPECT_EQ(seats.take_changed(), (Changes{{"b", kOwn}, {"a", kOwn}}));
}

TEST(Seats, ComingAndGoingBetweenTwoTurnsIsTheLastSizeOnly) {
  Seats seats;
  { const auto brief = seats.sit("a", kSmall, kOwn); }
  EXPECT_EQ(seats.take_changed(), (Changes{{"a", kOwn}}));
}

TEST(Seats, ATerminalThatWasMadeAgainIsFittedAgain) {
  Seats seats;
  auto first = seats.sit("a", kSmall, kOwn);
  (void)seats.take_changed();
  first.renewed();
  EXPECT_EQ(seats.take_changed(), (Changes{{"a", kSmall}}));
}

TEST(Seats, AMovedSeatIsLeftOnce) {
  Seats seats;
  auto first = seats.sit("a", kSmall, kOwn);
  Seats::Seat moved = std::move(first);
  first = Seats::Seat();
  EXPECT_TRUE(moved);
  (void)seats.take_changed();
  moved = Seats::Seat();
  EXPECT_EQ(seats.take_changed(), (Changes{{"a", kOwn}}));
}

}  // namespace
}  // namespace pawl::api
