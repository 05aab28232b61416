#include <gtest/gtest.h>

#include "fleet/member_world.h"

namespace pawl::fleet {
namespace {

using std::chrono::seconds;

Json claimed(const std::string& node, uint64_t token, const std::string& nonce = "n",
             int tries = 1) {
  return Json::object(
      {{"node", node}, {"id", "id-" + node}, {"nonce", nonce}, {"token", token}, {"tries", tries}});
}

TEST(Jobs, AUnitStartsOnlyWhenLeaseAndClaimAreAcknowledged) {
  MemberWorld world;
  world.unit("fix", 3, MemberWorld::unit_value());
  EXPECT_FALSE(world.ordered<StartUnit>());
  const auto lease = world.answer(BusOp::create, "fix", BusEnd::done, 7);
  EXPECT_EQ(lease.bucket, Bucket::leases);
  EXPECT_FALSE(world.ordered<StartUnit>());
  const auto claim = world.answer(BusOp::update, "fix", BusEnd::done, 4);
  EXPECT_EQ(claim.bucket, Bucket::work);
  EXPECT_EQ(claim.revision, 3u);
  EXPECT_EQ((*Json::parse(claim.value))["token"].as_int(), 7);
  const auto start = world.ordered<StartUnit>();
  ASSERT_TRUE(start);
  EXPECT_EQ(start->claim.token, 7u);
  EXPECT_EQ(start->claim.stop_at, world.now.boot + seconds{25});
  EXPECT_EQ(start->claim.boot_id, "boot 1");
  EXPECT_EQ(start->attempt, 1);
}

TEST(Jobs, AUnitWhoseLeaseSomebodyHasIsLeftAlone) {
  MemberWorld world;
  world.unit("fix", 3, MemberWorld::unit_value());
  world.answer(BusOp::create, "fix", BusEnd::taken);
  world.pass(seconds{3});
  EXPECT_FALSE(world.find(BusOp::create, "fix"));
  EXPECT_FALSE(world.ordered<StartUnit>());
}

TEST(Jobs, AClaimThatIsNotAnsweredIsReadBeforeItCounts) {
  MemberWorld world;
  world.unit("fix", 3, MemberWorld::unit_value());
  world.answer(BusOp::create, "fix", BusEnd::done, 7);
  const auto claim = world.answer(BusOp::update, "fix", BusEnd::unknown);
  EXPECT_FALSE(world.ordered<StartUnit>());
  world.answer(BusOp::get, "fix", BusEnd::done, 4, claim.value);
  const auto start = world.ordered<StartUnit>();
  ASSERT_TRUE(start);
  EXPECT_EQ(start->claim.token, 7u);
}

TEST(Jobs, AClaimThatWasNotWrittenIsWrittenAgainAndOneThatLostIsDropped) {
  MemberWorld world;
  world.unit("fix", 3, MemberWorld::unit_value());
  world.answer(BusOp::create, "fix", BusEnd::done, 7);
  world.answer(BusOp::update, "fix", BusEnd::unknown);
  world.answer(BusOp::get, "fix", BusEnd::done, 3, MemberWorld::unit_value());
  world.answer(BusOp::update, "fix", BusEnd::stale);
  world.answer(BusOp::get, "fix", BusEnd::done, 5,
               MemberWorld::unit_value("claimed", claimed("there", 6)));
  EXPECT_FALSE(world.ordered<StartUnit>());
  EXPECT_EQ(world.take(BusOp::remove, "fix").revision, 7u) << "its lease is given back";
}

TEST(Jobs, WorkIsStoppedFiveSecondsBeforeItsLeaseEndsUnrenewed) {
  MemberWorld world;
  const auto start = world.started("fix");
  world.hear(BusLink{.up = false, .because = "gone"});
  world.pass(seconds{24});
  EXPECT_FALSE(world.ordered<StopUnit>());
  ASSERT_TRUE(world.member->wake_at());
  EXPECT_LE(*world.member->wake_at(), world.now.clock.mono + seconds{1});
  world.pass(seconds{1});
  const auto stop = world.ordered<StopUnit>();
  ASSERT_TRUE(stop);
  EXPECT_EQ(stop->token, 7u);
  EXPECT_EQ(world.now.boot, start.claim.stop_at);
  world.pass(seconds{10});
  EXPECT_FALSE(world.ordered<StopUnit>()) << "it is said once";
}

TEST(Jobs, ASleepOfTheMachineCountsForALease) {
  MemberWorld world;
  world.started("fix");
  world.machine_sleeps(seconds{26});
  EXPECT_TRUE(world.ordered<StopUnit>());
}

TEST(Jobs, ARenewalCountsFromItsSending) {
  MemberWorld world;
  const auto start = world.started("fix");
  world.pass(seconds{8});
  const Duration sent = world.now.boot;
  const auto renewal = world.take(BusOp::update, "fix");
  world.pass(seconds{4});
  world.hear(BusReply{.id = renewal.id, .end = BusEnd::done, .revision = 9});
  const auto until = world.ordered<LeaseUntil>();
  ASSERT_TRUE(until);
  EXPECT_EQ(until->stop_at, sent + seconds{25});
  EXPECT_GT(until->stop_at, start.claim.stop_at);
}

TEST(Jobs, ARenewalThatIsNotAnsweredIsReadAndCountsWhenItIsThere) {
  MemberWorld world;
  world.started("fix");
  world.pass(seconds{8});
  const Duration sent = world.now.boot;
  const auto renewal = world.answer(BusOp::update, "fix", BusEnd::unknown);
  EXPECT_FALSE(world.ordered<LeaseUntil>());
  world.answer(BusOp::get, "fix", BusEnd::done, 9, renewal.value);
  const auto until = world.ordered<LeaseUntil>();
  ASSERT_TRUE(until);
  EXPECT_EQ(until->stop_at, sent + seconds{25});
}

TEST(Jobs, ALeaseThatSomebodyElseHasStopsTheWorkAtOnce) {
  MemberWorld world;
  world.started("fix");
  world.pass(seconds{8});
  world.answer(BusOp::update, "fix", BusEnd::stale);
  world.answer(BusOp::get, "fix", BusEnd::done, 12,
               R"({"node":"there","id":"id-there","nonce":"x","count":0})");
  EXPECT_TRUE(world.ordered<StopUnit>());
}

TEST(Jobs, ALeaseThatTheServerLostIsCreatedAgainWithTheSameToken) {
  MemberWorld world;
  world.started("fix");
  world.pass(seconds{8});
  const Duration again = world.now.boot;
  world.answer(BusOp::update, "fix", BusEnd::stale);
  world.answer(BusOp::get, "fix", BusEnd::missing);
  world.answer(BusOp::create, "fix", BusEnd::done, 20);
  const auto until = world.ordered<LeaseUntil>();
  ASSERT_TRUE(until);
  EXPECT_EQ(until->token, 7u);
  EXPECT_EQ(until->stop_at, again + seconds{25});
  EXPECT_FALSE(world.ordered<StopUnit>());
}

TEST(Jobs, AnEndIsWrittenOnceAndTheLeaseGivenBack) {
  MemberWorld world;
  world.started("fix");
  world.member->ended(world.now, "fix", 7,
                      {Came::finished, Json::object({{"status", "completed"}}), "done"});
  const auto end = world.answer(BusOp::update, "fix", BusEnd::done, 5);
  EXPECT_EQ(end.revision, 4u);
  EXPECT_EQ((*Json::parse(end.value))["state"].as_string(), "ended");
  const auto settled = world.ordered<UnitSettled>();
  ASSERT_TRUE(settled);
  EXPECT_EQ(settled->how, Settled::accepted);
  EXPECT_EQ(world.take(BusOp::remove, "fix").revision, 7u);
  world.member->ended(world.now, "fix", 7, {});
  EXPECT_EQ(world.ordered<UnitSettled>()->how, Settled::superseded)
      << "nothing is known of it any more";
}

TEST(Jobs, AnEndThatComesTooLateIsSuperseded) {
  MemberWorld world;
  world.started("fix");
  world.hear(BusLink{.up = false, .because = "gone"});
  world.pass(seconds{26});
  EXPECT_TRUE(world.ordered<StopUnit>());
  world.member->ended(world.now, "fix", 7, {Came::finished, {}, "just so"});
  world.hear(BusLink{.up = true});
  world.answer(BusOp::get, "fix", BusEnd::done, 9,
               MemberWorld::unit_value("claimed", claimed("there", 8)));
  const auto settled = world.ordered<UnitSettled>();
  ASSERT_TRUE(settled);
  EXPECT_EQ(settled->how, Settled::superseded);
  EXPECT_FALSE(world.find(BusOp::update, "fix"));
}

TEST(Jobs, AnEndThatNobodyMissedIsTakenLate) {
  MemberWorld world;
  const auto start = world.started("fix");
  world.hear(BusLink{.up = false, .because = "gone"});
  world.member->ended(world.now, "fix", 7, {Came::finished, {}, "done"});
  world.pass(seconds{60});
  world.hear(BusLink{.up = true});
  world.answer(BusOp::get, "fix", BusEnd::done, 4,
               MemberWorld::unit_value("claimed", claimed("here", 7, start.claim.nonce)));
  world.answer(BusOp::update, "fix", BusEnd::done, 5);
  EXPECT_EQ(world.ordered<UnitSettled>()->how, Settled::accepted);
}

TEST(Jobs, AStoppedUnitIsGivenBackAndAfterTheLastTryItHasFailed) {
  for (const int tries : {0, 1}) {
    MemberWorld world;
    world.unit("fix", 3, MemberWorld::unit_value("waiting", Json::object({{"tries", tries}})));
    world.answer(BusOp::create, "fix", BusEnd::done, 7);
    world.answer(BusOp::update, "fix", BusEnd::done, 4);
    EXPECT_EQ(world.ordered<StartUnit>()->attempt, tries + 1);
    world.member->ended(world.now, "fix", 7, {Came::again, {}, "stopped"});
    const auto end = world.answer(BusOp::update, "fix", BusEnd::done, 5);
    EXPECT_EQ((*Json::parse(end.value))["state"].as_string(), tries == 0 ? "waiting" : "ended");
    EXPECT_EQ(world.ordered<UnitSettled>()->how,
              tries == 0 ? Settled::given_back : Settled::accepted);
    EXPECT_FALSE(world.find(BusOp::create, "fix")) << "others first";
  }
}

TEST(Jobs, AUnitThatCannotRunHereIsOthersAndSaysWhy) {
  MemberWorld world;
  world.started("fix");
  world.member->ended(world.now, "fix", 7, {Came::unfit, {}, "no folder /x"});
  const auto end = world.answer(BusOp::update, "fix", BusEnd::done, 5);
  EXPECT_EQ((*Json::parse(end.value))["tries"].as_int(), 0);
  world.pass(std::chrono::minutes{10});
  EXPECT_FALSE(world.find(BusOp::create, "fix"));
  EXPECT_NE(world.member->unit("fix")->why.find("not on here: no folder /x"), std::string::npos);
}

TEST(Jobs, ACancelledUnitIsStoppedAndWritesNothing) {
  MemberWorld world;
  world.started("fix");
  world.unit("fix", 5, MemberWorld::unit_value("cancelled", Json::object({{"by", "ann"}})));
  const auto stop = world.ordered<StopUnit>();
  ASSERT_TRUE(stop);
  EXPECT_EQ(stop->because, "cancelled by ann");
  world.member->ended(world.now, "fix", 7, {Came::again, {}, "stopped"});
  world.answer(BusOp::get, "fix", BusEnd::done, 5, MemberWorld::unit_value("cancelled"));
  EXPECT_EQ(world.ordered<UnitSettled>()->how, Settled::cancelled);
  EXPECT_FALSE(world.find(BusOp::update, "fix"));
}

TEST(Jobs, AClaimOfAnEarlierLifeGoesOnWithItsToken) {
  Claim claim{"fix", 7, "old.1", "boot 1", Duration{seconds{1015}}};
  MemberWorld world({claim}, "boot 1", false);
  const std::string unit = MemberWorld::unit_value("claimed", claimed("here", 7, "old.1"));
  world.hear(BusLink{.up = true});
  world.unit("fix", 4, unit);
  for (const auto bucket : {Bucket::work, Bucket::leases}) world.hear(BusCaughtUp{bucket});
  EXPECT_FALSE(world.ordered<StopUnit>());
  const std::string lease = R"({"node":"here","id":"id-here","nonce":"old.1","count":4})";
  world.answer(BusOp::get, "fix", BusEnd::done, 11, lease);
  const Duration sent = world.now.boot;
  EXPECT_EQ(world.answer(BusOp::update, "fix", BusEnd::done, 12).revision, 11u);
  std::optional<LeaseUntil> last;
  while (auto next = world.ordered<LeaseUntil>()) last = next;
  ASSERT_TRUE(last);
  EXPECT_EQ(last->stop_at, sent + seconds{25});
  world.member->ended(world.now, "fix", 7, {Came::finished, {}, "done"});
  world.answer(BusOp::update, "fix", BusEnd::done, 5);
  EXPECT_EQ(world.ordered<UnitSettled>()->how, Settled::accepted);
}

TEST(Jobs, AClaimOfAnEarlierBootIsStoppedAtOnce) {
  MemberWorld world({{"fix", 7, "old.1", "boot 0", Duration{seconds{90'000}}}});
  EXPECT_TRUE(world.ordered<StopUnit>());
}

TEST(Jobs, WhatAnEarlierLifeClaimedAndDidNotStartGoesBack) {
  MemberWorld world;
  const std::string left = MemberWorld::unit_value("claimed", claimed("here", 6, "old.3"));
  world.unit("fix", 4, left);
  world.answer(BusOp::get, "fix", BusEnd::done, 4, left);
  const auto back = world.answer(BusOp::update, "fix", BusEnd::done, 5);
  EXPECT_EQ((*Json::parse(back.value))["state"].as_string(), "waiting");
  EXPECT_EQ((*Json::parse(back.value))["tries"].as_int(), 0);
  world.hear(BusEntry{Bucket::leases, "fix", R"({"id":"id-here","nonce":"old.3"})", 6});
  EXPECT_EQ(world.take(BusOp::remove, "fix").revision, 6u);
}

TEST(Jobs, ASilentNodesUnitIsTakenOverAfterLeaseAndMarginAndNotBefore) {
  MemberWorld world;
  world.unit("fix", 4, MemberWorld::unit_value("claimed", claimed("there", 6)));
  world.hear(BusEntry{Bucket::leases, "fix", R"({"id":"id-there","nonce":"n"})", 6});
  world.pass(seconds{20});
  world.renew_name();
  world.hear(BusEntry{Bucket::leases, "fix", R"({"id":"id-there","nonce":"n","count":1})", 8});
  world.pass(seconds{34});
  world.renew_name();
  EXPECT_FALSE(world.find(BusOp::get, "fix"));
  world.pass(seconds{1});
  world.answer(BusOp::get, "fix", BusEnd::missing);
  world.answer(BusOp::create, "fix", BusEnd::done, 21);
  const auto claim = world.answer(BusOp::update, "fix", BusEnd::done, 9);
  EXPECT_EQ((*Json::parse(claim.value))["tries"].as_int(), 2);
  EXPECT_EQ(world.ordered<StartUnit>()->claim.token, 21u);
}

TEST(Jobs, ARenewalThatComesWhileTheLeaseIsLookedForEndsTheTakeover) {
  MemberWorld world;
  world.unit("fix", 4, MemberWorld::unit_value("claimed", claimed("there", 6)));
  world.pass(seconds{36});
  world.renew_name();
  const auto look = world.take(BusOp::get, "fix");
  world.hear(BusEntry{Bucket::leases, "fix", R"({"id":"id-there","nonce":"n","count":1})", 8});
  world.hear(BusReply{.id = look.id, .end = BusEnd::missing});
  EXPECT_FALSE(world.find(BusOp::create, "fix"));
}

TEST(Jobs, TimeInWhichNobodyLookedDoesNotCountAgainstOthers) {
  MemberWorld world;
  world.unit("fix", 4, MemberWorld::unit_value("claimed", claimed("there", 6)));
  world.machine_sleeps(seconds{300});
  EXPECT_FALSE(world.find(BusOp::get, "fix"));
}

TEST(Jobs, AUnitThatASilentNodeHadTooOftenHasFailed) {
  MemberWorld world;
  world.unit("fix", 4, MemberWorld::unit_value("claimed", claimed("there", 6, "n", 2)));
  world.pass(seconds{36});
  world.renew_name();
  world.answer(BusOp::get, "fix", BusEnd::missing);
  world.answer(BusOp::create, "fix", BusEnd::done, 21);
  const auto end = world.answer(BusOp::update, "fix", BusEnd::done, 9);
  EXPECT_EQ((*Json::parse(end.value))["state"].as_string(), "ended");
  EXPECT_FALSE(world.ordered<StartUnit>());
}

TEST(Jobs, ALeaseThatDoesNotGoIsTakenAwayAfterFiveMinutes) {
  MemberWorld world;
  const std::string lease = R"({"id":"id-there","nonce":"n"})";
  world.unit("fix", 4, MemberWorld::unit_value("claimed", claimed("there", 6)));
  world.hear(BusEntry{Bucket::leases, "fix", lease, 6});
  for (int i = 0; i < 32 && !world.find(BusOp::remove, "fix"); ++i) {
    world.pass(seconds{16});
    world.renew_name();
    if (world.find(BusOp::get, "fix")) world.answer(BusOp::get, "fix", BusEnd::done, 6, lease);
  }
  EXPECT_EQ(world.take(BusOp::remove, "fix").revision, 6u);
}

TEST(Jobs, NoMoreIsClaimedThanThereIsRoomAndNothingWithoutMemoryOrWhileDraining) {
  MemberWorld world;
  for (int i = 0; i < 5; ++i)
    world.unit("u" + std::to_string(i), 3u + i, MemberWorld::unit_value());
  size_t creates = 0;
  for (const auto& ask : world.asks) creates += ask.op == BusOp::create;
  EXPECT_EQ(creates, 2u);

  MemberWorld other;
  other.member->capacity(other.now, {.room = 2, .memory_ok = false});
  other.unit("u", 3, MemberWorld::unit_value());
  EXPECT_FALSE(other.find(BusOp::create, "u"));
  other.member->capacity(other.now, {.room = 2});
  other.member->drain(other.now);
  EXPECT_TRUE(other.find(BusOp::create, "u")) << "it was claimed when there was memory";
  other.unit("v", 4, MemberWorld::unit_value());
  EXPECT_FALSE(other.find(BusOp::create, "v"));
}

TEST(Jobs, NeedsAndOneNodeAreKept) {
  MemberWorld world;
  world.unit("a", 3, MemberWorld::unit_value("waiting", Json::object({{"on", "there"}})));
  Json needs = Json::array();
  needs.push("label=tpu");
  world.unit("b", 4, MemberWorld::unit_value("waiting", Json::object({{"needs", needs}})));
  EXPECT_FALSE(world.find(BusOp::create, "a"));
  EXPECT_FALSE(world.find(BusOp::create, "b"));
  world.member->capacity(world.now, {.room = 2, .labels = {"label=gpu", "label=tpu"}});
  EXPECT_TRUE(world.find(BusOp::create, "b"));
}

TEST(Jobs, AUnitOfALimitedAccountWaits) {
  MemberWorld world;
  world.member->account_limited(world.now, "acct", world.now.clock.wall + seconds{30});
  Json needs = Json::array();
  needs.push("account=acct");
  world.unit("a", 3, MemberWorld::unit_value("waiting", Json::object({{"needs", needs}})));
  EXPECT_FALSE(world.find(BusOp::create, "a"));
  world.pass(seconds{31});
  world.renew_name();
  EXPECT_TRUE(world.find(BusOp::create, "a"));
}

TEST(Jobs, WithoutALinkNothingIsClaimed) {
  MemberWorld world;
  world.hear(BusLink{.up = false, .because = "gone"});
  world.asks.clear();
  world.unit("a", 3, MemberWorld::unit_value());
  EXPECT_TRUE(world.asks.empty());
}

}  // namespace
}  // namespace pawl::fleet
