// A cluster, whose acknowledgements are not believed.

#include <gtest/gtest.h>

#include "fleet/member_world.h"

namespace pawl::fleet {
namespace {

using std::chrono::seconds;

constexpr const char* kTheirLease =
    R"({"node":"there","id":"id-there","nonce":"theirs","count":0})";

class JobsInACluster : public ::testing::Test {
 protected:
  JobsInACluster() : world({}, "boot 1", false) {
    world.cluster = true;
    world.join();
    world.unit("fix", 3, MemberWorld::unit_value());
  }
  void leased() { lease = world.answer(BusOp::create, "fix", BusEnd::done, 7).value; }
  void told_lease(bool gap = false) {
    world.hear(BusEntry{Bucket::leases, "fix", lease, 7, false, gap});
  }
  void claimed() { claim = world.answer(BusOp::update, "fix", BusEnd::done, 4).value; }
  void told_claim(uint64_t revision = 4, bool gap = false) {
    world.hear(BusEntry{Bucket::work, "fix", claim, revision, false, gap});
  }
  BusAsk confirmed() {
    world.pass(seconds{2});
    auto renewal = world.answer(BusOp::update, "fix", BusEnd::done, 9);
    EXPECT_EQ(renewal.bucket, Bucket::leases);
    EXPECT_EQ(renewal.revision, 7u);
    return renewal;
  }
  bool started() { return world.ordered<StartUnit>().has_value(); }

  MemberWorld world;
  std::string lease, claim;
};

TEST_F(JobsInACluster, AClaimCountsWhenItWasToldBackAndItsLeaseStoodForAWhile) {
  const Duration sent = world.now.boot;
  leased();
  EXPECT_FALSE(world.find(BusOp::update, "fix")) << "acknowledged, and not told so far";
  told_lease();
  claimed();
  told_claim();
  EXPECT_FALSE(world.ordered<StartUnit>());
  confirmed();
  const auto start = world.ordered<StartUnit>();
  ASSERT_TRUE(start);
  EXPECT_EQ(start->claim.token, 7u);
  EXPECT_EQ(start->claim.stop_at, sent + seconds{25}) << "the renewal itself may still be lost";
}

TEST_F(JobsInACluster, AClaimThatIsNotToldIsNotStarted) {
  leased();
  told_lease();
  claimed();
  confirmed();
  EXPECT_FALSE(started());
  told_claim();
  EXPECT_TRUE(started());
}

TEST_F(JobsInACluster, AClaimThatIsNeverToldIsGivenBackInTime) {
  leased();
  told_lease();
  claimed();
  for (int i = 0; i < 10; ++i) {
    world.pass(seconds{2});
    if (world.find(BusOp::update, "fix")) world.answer(BusOp::update, "fix", BusEnd::done, 9);
  }
  EXPECT_FALSE(started());
  EXPECT_TRUE(world.find(BusOp::remove, "fix"));
  std::erase_if(world.asks, [](const BusAsk& ask) { return ask.op == BusOp::update; });
  while (world.find(BusOp::get, "fix")) world.answer(BusOp::get, "fix", BusEnd::done, 4, claim);
  const auto back = world.take(BusOp::update, "fix");
  EXPECT_EQ((*Json::parse(back.value))["state"].as_string(), "waiting");
}

TEST_F(JobsInACluster, WhoIsToldAnothersLeaseBeforeTheOwnGivesWay) {
  leased();
  world.hear(BusEntry{Bucket::leases, "fix", kTheirLease, 6});
  EXPECT_EQ(world.take(BusOp::remove, "fix").revision, 7u);
  told_lease();
  EXPECT_FALSE(world.find(BusOp::update, "fix"));
}

TEST_F(JobsInACluster, WhoIsToldAnothersLeaseBehindTheOwnGivesWayAsWell) {
  leased();
  told_lease();
  claimed();
  told_claim();
  world.hear(BusEntry{Bucket::leases, "fix", kTheirLease, 8});
  world.pass(seconds{3});
  EXPECT_FALSE(started());
}

TEST_F(JobsInACluster, WhatWasWrittenOverUnseenMayHaveBeenAnothersLease) {
  leased();
  told_lease(true);
  EXPECT_FALSE(world.find(BusOp::update, "fix"));
  EXPECT_EQ(world.take(BusOp::remove, "fix").revision, 7u);
  world.hear(BusEntry{Bucket::leases, "fix", "", 8, true});
  world.pass(seconds{5});
  EXPECT_TRUE(world.find(BusOp::create, "fix")) << "it is tried again";
}

TEST_F(JobsInACluster, AGapBehindTheOwnLeaseIsNothing) {
  leased();
  told_lease();
  claimed();
  world.hear(BusEntry{Bucket::leases, "other", kTheirLease, 12, false, true});
  told_claim();
  confirmed();
  EXPECT_TRUE(started());
}

TEST_F(JobsInACluster, AClaimBehindAGapIsGivenBack) {
  leased();
  told_lease();
  claimed();
  told_claim(4, true);
  world.pass(seconds{3});
  EXPECT_FALSE(started());
}

TEST_F(JobsInACluster, WhatWasCancelledBeforeOurClaimIsCancelledAgain) {
  leased();
  told_lease();
  claim = world.answer(BusOp::update, "fix", BusEnd::done, 5).value;
  world.unit("fix", 4, MemberWorld::unit_value("cancelled", Json::object({{"by", "person"}})));
  const auto again = world.take(BusOp::update, "fix");
  EXPECT_EQ(again.revision, 5u);
  EXPECT_EQ((*Json::parse(again.value))["state"].as_string(), "cancelled");
  told_claim(5);
  world.pass(seconds{3});
  EXPECT_FALSE(started());
}

TEST_F(JobsInACluster, ALeaseThatAChangeOfLeaderLostIsNotMadeAnewBeforeTheStart) {
  leased();
  told_lease();
  claimed();
  told_claim();
  world.pass(seconds{2});
  world.answer(BusOp::update, "fix", BusEnd::stale);
  world.answer(BusOp::get, "fix", BusEnd::missing);
  world.pass(seconds{1});
  EXPECT_FALSE(started());
}

TEST_F(JobsInACluster, ARenewalCountsWithTheNextOne) {
  leased();
  told_lease();
  claimed();
  told_claim();
  confirmed();
  const Duration second = world.now.boot;
  ASSERT_TRUE(started());
  world.pass(seconds{5});
  world.answer(BusOp::update, "fix", BusEnd::done, 11);
  const auto until = world.ordered<LeaseUntil>();
  ASSERT_TRUE(until);
  EXPECT_EQ(until->stop_at, second + seconds{25});
}

}  // namespace
}  // namespace pawl::fleet
