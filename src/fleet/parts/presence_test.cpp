#include "fleet/parts/presence.h"

#include <gtest/gtest.h>

#include "fleet/member_world.h"

namespace pawl::fleet {
namespace {

using std::chrono::seconds;

std::string node_value(const MemberWorld& world, const std::string& id, Duration off = {}) {
  const auto wall = std::chrono::duration_cast<std::chrono::milliseconds>(
      (world.now.clock.wall + off).time_since_epoch());
  return Json::object({{"id", id}, {"wall", static_cast<int64_t>(wall.count())}, {"agents", 3}})
      .dump();
}

TEST(Presence, ANodeThatIsNotHeardIsOfflineWithinFifteenSeconds) {
  MemberWorld world;
  world.hear(BusEntry{Bucket::nodes, "there", node_value(world, "x"), 5});
  EXPECT_TRUE(world.ordered<NodeChanged>()->online);
  for (int i = 0; i < 11; ++i) world.pass(seconds{1}), world.renew_name();
  EXPECT_TRUE(world.member->nodes().at(0).online);
  for (int i = 0; i < 3; ++i) world.pass(seconds{1}), world.renew_name();
  EXPECT_FALSE(world.member->nodes().at(0).online);
  EXPECT_FALSE(world.ordered<NodeChanged>()->online);
}

TEST(Presence, AnEntryFromLongAgoIsNobodyWhoIsThere) {
  MemberWorld world({}, "boot 1", false);
  world.hear(BusLink{.up = true});
  world.hear(BusEntry{Bucket::nodes, "old", node_value(world, "x", -seconds{600}), 5});
  world.hear(BusEntry{Bucket::nodes, "new", node_value(world, "y"), 6});
  world.hear(BusCaughtUp{Bucket::nodes});
  ASSERT_EQ(world.member->nodes().size(), 2u);
  EXPECT_TRUE(world.member->nodes().at(0).online);
  EXPECT_FALSE(world.member->nodes().at(1).online);
}

TEST(Presence, TheSecondOfOneNameIsRefusedByNameAndId) {
  MemberWorld world({}, "boot 1", false);
  world.link_up();
  world.answer(BusOp::get, "here", BusEnd::done, 5, node_value(world, "other"));
  EXPECT_FALSE(world.member->joined());
  world.pass(kRenewsName);
  world.answer(BusOp::get, "here", BusEnd::done, 6, node_value(world, "other"));
  EXPECT_FALSE(world.member->joined());
  const auto told = world.ordered<TellPeople>();
  ASSERT_TRUE(told);
  EXPECT_NE(told->text.find("its id other, ours id-here"), std::string::npos);
  EXPECT_NE(world.member->because().find("belongs to another node"), std::string::npos);
  EXPECT_FALSE(world.find(BusOp::update, "here"));
}

TEST(Presence, ANameThatNobodyRenewsIsTakenOver) {
  MemberWorld world({}, "boot 1", false);
  world.link_up();
  for (int i = 0; i < 4; ++i) {
    world.answer(BusOp::get, "here", BusEnd::done, 5, node_value(world, "other"));
    world.pass(kRenewsName);
  }
  EXPECT_EQ(world.answer(BusOp::update, "here", BusEnd::done, 6).revision, 5u);
  EXPECT_TRUE(world.member->joined());
}

TEST(Presence, OurOwnEntryOfAnEarlierLifeIsOurs) {
  MemberWorld world({}, "boot 1", false);
  world.link_up();
  world.answer(BusOp::get, "here", BusEnd::done, 5, node_value(world, "id-here"));
  world.answer(BusOp::update, "here", BusEnd::done, 6);
  EXPECT_TRUE(world.member->joined());
}

TEST(Presence, ANodeWhoseNameWasTakenAwayClaimsNothingMore) {
  MemberWorld world;
  world.pass(kRenewsName);
  world.answer(BusOp::update, "here", BusEnd::stale);
  world.answer(BusOp::get, "here", BusEnd::done, 9, node_value(world, "other"));
  EXPECT_FALSE(world.member->joined());
  world.unit("u", 3, MemberWorld::unit_value());
  EXPECT_FALSE(world.find(BusOp::create, "u"));
}

TEST(Presence, AnAnswerThatDoesNotComeIsReadAgain) {
  MemberWorld world;
  world.pass(kRenewsName);
  world.answer(BusOp::update, "here", BusEnd::unknown);
  EXPECT_TRUE(world.member->joined());
  world.pass(kTriesName);
  world.answer(BusOp::get, "here", BusEnd::done, 4, node_value(world, "id-here"));
  EXPECT_EQ(world.answer(BusOp::update, "here", BusEnd::done, 5).revision, 4u);
}

TEST(Presence, AClockThatIsOffByAnHourIsTold) {
  MemberWorld world;
  world.hear(BusEntry{Bucket::nodes, "there", node_value(world, "x", seconds{3600}), 5});
  const auto told = world.ordered<TellPeople>();
  ASSERT_TRUE(told);
  EXPECT_NE(told->text.find("the clock of there is 1h00m ahead of ours"), std::string::npos);
}

TEST(Presence, AClockThatIsOffIsToldOnceAnHour) {
  MemberWorld world;
  const auto says = [&](uint64_t revision) {
    world.hear(BusEntry{Bucket::nodes, "there", node_value(world, "x", seconds{3600}), revision});
    return world.ordered<TellPeople>().has_value();
  };
  EXPECT_TRUE(says(5));
  EXPECT_FALSE(says(6));
  world.pass(kTellsAgain);
  EXPECT_TRUE(says(7));
}

TEST(Presence, GarbageIsNoNodeAndIsTold) {
  MemberWorld world;
  uint64_t revision = 4;
  for (const char* value :
       {"", "{}", "null", "[", R"({"version":99})", R"({"id":"","wall":1})", R"({"id":"x"})",
        R"({"id":"x","wall":"9999"})", R"({"id":"x","wall":-1})", R"({"id":7,"wall":5})"})
    world.hear(BusEntry{Bucket::nodes, "there", value, ++revision});
  EXPECT_TRUE(world.member->nodes().empty());
  EXPECT_NE(world.ordered<TellPeople>().value_or(TellPeople{}).text.find("makes no sense"),
            std::string::npos);
}

TEST(Presence, GarbageUnderOurNameIsWrittenOver) {
  MemberWorld world;
  world.pass(kRenewsName);
  world.answer(BusOp::update, "here", BusEnd::stale);
  world.answer(BusOp::get, "here", BusEnd::done, 9, "{}");
  EXPECT_TRUE(world.member->joined());
  EXPECT_EQ(world.answer(BusOp::update, "here", BusEnd::done, 10).revision, 9u);
}

TEST(Presence, ANodeFromTheFutureIsThereAndItIsSaid) {
  MemberWorld world;
  Json value = Json::parse(node_value(world, "x")).value();
  value.set("version", 2).set("pawl", "9.0.0");
  world.hear(BusEntry{Bucket::nodes, "there", value.dump(), 5});
  EXPECT_TRUE(world.member->nodes().at(0).online);
  EXPECT_NE(world.ordered<TellPeople>().value_or(TellPeople{}).text.find("newer pawl (9.0.0)"),
            std::string::npos);
}

TEST(Presence, WhoLeavesIsOfflineAtOnce) {
  MemberWorld world;
  world.hear(BusEntry{Bucket::nodes, "there", node_value(world, "x"), 5});
  world.hear(BusEntry{.bucket = Bucket::nodes, .key = "there", .revision = 6, .removed = true});
  EXPECT_TRUE(world.member->nodes().empty());
  world.member->leave(world.now);
  EXPECT_TRUE(world.find(BusOp::remove, "here"));
  world.pass(seconds{30});
  EXPECT_FALSE(world.find(BusOp::update, "here"));
}

}  // namespace
}  // namespace pawl::fleet
