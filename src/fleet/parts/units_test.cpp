#include "fleet/parts/units.h"

#include <gtest/gtest.h>

#include "fleet/member_world.h"

namespace pawl::fleet {
namespace {

Desk desk_named(const std::string& node) {
  MemberOptions options;
  options.node = node;
  options.id = "id-" + node;
  return Desk(std::move(options));
}

void fill(Units& units, int count) {
  for (int i = 0; i < count; ++i)
    units.entry({Bucket::work, "u" + std::to_string(i), MemberWorld::unit_value(),
                 static_cast<uint64_t>(i) + 1});
  units.caught_up(Bucket::work);
  units.caught_up(Bucket::leases);
}

TEST(Units, NodesDoNotAllChooseTheSame) {
  std::set<std::string> chosen;
  for (int i = 0; i < 10; ++i) {
    Desk desk = desk_named("n" + std::to_string(i));
    Units units(desk);
    fill(units, 100);
    chosen.insert(*units.choose());
  }
  EXPECT_GT(chosen.size(), 6u);
}

TEST(Units, EveryOldUnitIsChosenSoon) {
  Desk desk = desk_named("n");
  Units units(desk);
  fill(units, 40);
  std::set<std::string> chosen;
  for (int i = 0; i < 1000; ++i) chosen.insert(*units.choose());
  EXPECT_EQ(chosen.size(), 40u);
}

TEST(Units, NothingIsChosenBeforeTheListsAreComplete) {
  Desk desk = desk_named("n");
  Units units(desk);
  units.entry({Bucket::work, "u", MemberWorld::unit_value(), 1});
  units.caught_up(Bucket::work);
  EXPECT_FALSE(units.choose());
  units.caught_up(Bucket::leases);
  EXPECT_TRUE(units.choose());
}

TEST(Units, AnOlderEntryChangesNothing) {
  Desk desk = desk_named("n");
  Units units(desk);
  fill(units, 1);
  units.learned("u0", MemberWorld::unit_value("ended"), 9);
  EXPECT_FALSE(units.entry({Bucket::work, "u0", MemberWorld::unit_value(), 5}));
  EXPECT_FALSE(units.choose());
  EXPECT_EQ(units.waiting(), 0u);
}

TEST(Units, WhatIsNotToldAgainIsGone) {
  Desk desk = desk_named("n");
  Units units(desk);
  fill(units, 2);
  units.link_changed();
  units.entry({Bucket::work, "u1", MemberWorld::unit_value(), 2});
  units.caught_up(Bucket::work);
  EXPECT_FALSE(units.find("u0"));
  EXPECT_TRUE(units.find("u1"));
  EXPECT_EQ(units.waiting(), 1u);
}

TEST(Units, WhatIsToldFirstAfterALinkCameUpHoldsUnlessItRunsHere) {
  Desk desk = desk_named("n");
  Units units(desk);
  fill(units, 2);
  for (const char* name : {"u0", "u1"}) units.learned(name, MemberWorld::unit_value("ended"), 9);
  units.mine("u1", true);
  units.link_changed();
  for (const char* name : {"u0", "u1"})
    units.entry({Bucket::work, name, MemberWorld::unit_value(), 5});
  units.caught_up(Bucket::work);
  EXPECT_EQ(units.find("u0")->revision, 5u) << "its servers lost the end";
  EXPECT_EQ(units.find("u1")->revision, 9u);
  EXPECT_FALSE(units.entry({Bucket::work, "u0", MemberWorld::unit_value("ended"), 4}));
}

TEST(Units, WhatAClusterNeverTellsIsReadAgain) {
  Desk desk = desk_named("n");
  desk.cluster = desk.up = true;
  Units units(desk);
  fill(units, 2);
  for (const char* name : {"u0", "u1"}) units.learned(name, MemberWorld::unit_value("ended"), 9);
  units.entry({Bucket::work, "u1", MemberWorld::unit_value("ended"), 9});
  units.step();
  EXPECT_TRUE(units.take_untold().empty());
  desk.now.clock.mono += kToldWithin;
  units.step();
  EXPECT_EQ(units.take_untold(), std::vector<std::string>{"u0"});
  units.looked_up("u0", MemberWorld::unit_value(), 5);
  EXPECT_EQ(units.find("u0")->state, UnitState::waiting);
}

TEST(Units, GarbageAndUnitsOfTheFutureAreNoUnits) {
  for (const std::string value :
       {"", "null", "{}", R"({"version":2,"state":"waiting"})", R"({"version":1,"state":"new"})"})
    EXPECT_FALSE(read_unit("u", value, 1)) << value;
  EXPECT_FALSE(read_unit(
      "u",
      MemberWorld::unit_value("waiting", Json::object({{"x", std::string(kMostUnitBytes, 'x')}})),
      1));
}

// Ten thousand units come, are taken and end: what each costs must not grow with their number.
TEST(Units, TenThousandCostWhatChanges) {
  Desk desk = desk_named("n");
  Units units(desk);
  constexpr int kMany = 10'000;
  fill(units, kMany);
  EXPECT_EQ(units.waiting(), static_cast<size_t>(kMany));
  for (int i = 0; i < kMany; ++i) {
    const auto name = units.choose();
    ASSERT_TRUE(name);
    units.learned(*name, MemberWorld::unit_value("ended"), 100'000 + static_cast<uint64_t>(i));
    units.step();
  }
  EXPECT_FALSE(units.choose());
  EXPECT_EQ(units.waiting(), 0u);
}

}  // namespace
}  // namespace pawl::fleet
