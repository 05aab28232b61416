// Prompts that are too large for a unit (large_prompts.h, blobs.h), seen from the member.

#include "fleet/parts/large_prompts.h"

#include "base/sha256.h"
#include "fleet/member_world.h"

namespace pawl::fleet {
namespace {

const std::string kLarge = std::string(kBlobPart, 'a') + std::string(1000, 'b');

UnitOrder large_order() {
  UnitOrder order;
  order.unit = "fix";
  order.by = "person";
  order.task = Json::object({{"args", Json::object({})}});
  return order;
}

std::vector<BusAsk> blob_asks(MemberWorld& world, BusOp op) {
  world.gather();
  std::vector<BusAsk> out;
  for (const auto& ask : world.asks)
    if (ask.op == op && ask.bucket == Bucket::blobs) out.push_back(ask);
  return out;
}

void put_all(MemberWorld& world) {
  for (const auto& ask : blob_asks(world, BusOp::put))
    world.answer(BusOp::put, ask.key, BusEnd::done, 1);
}

// The unit as it is created; its prompt is stored.
Json stored_unit(MemberWorld& world) {
  world.member->submit(world.now, 5, large_order(), kLarge);
  put_all(world);
  const auto unit = world.answer(BusOp::create, "fix", BusEnd::done, 3);
  EXPECT_TRUE(world.ordered<Submitted>().value_or(Submitted{}).done);
  return *Json::parse(unit.value);
}

BlobName named(const std::string& first, const std::string& second) {
  return {"key", sha256_hex(sha256_hex(first) + sha256_hex(second)), first.size() + second.size()};
}

TEST(LargePrompts, TheUnitIsGivenWhenItsPromptIsThere) {
  MemberWorld world;
  world.member->submit(world.now, 5, large_order(), kLarge);
  const auto parts = blob_asks(world, BusOp::put);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].value + parts[1].value, kLarge);
  EXPECT_FALSE(world.find(BusOp::create, "fix"));
  world.answer(BusOp::put, parts[1].key, BusEnd::done, 1);
  EXPECT_FALSE(world.find(BusOp::create, "fix"));
  world.answer(BusOp::put, parts[0].key, BusEnd::done, 2);
  const auto unit = *Json::parse(world.answer(BusOp::create, "fix", BusEnd::done, 3).value);
  EXPECT_TRUE(blob_from(unit["task"]["blob"]));
  EXPECT_EQ(unit["needs"].as_strings(), std::vector<std::string>{kCanBlobs});
  EXPECT_TRUE(world.ordered<Submitted>()->done);
}

TEST(LargePrompts, AnAnswerThatDidNotComeIsAskedForAgain) {
  MemberWorld world;
  world.member->submit(world.now, 5, large_order(), kLarge);
  const auto parts = blob_asks(world, BusOp::put);
  world.answer(BusOp::put, parts[0].key, BusEnd::unknown);
  EXPECT_FALSE(world.find(BusOp::put, parts[0].key));
  world.answer(BusOp::put, parts[1].key, BusEnd::done, 1);
  world.pass(kPartAgain);
  world.answer(BusOp::put, parts[0].key, BusEnd::done, 2);
  EXPECT_TRUE(world.find(BusOp::create, "fix"));
}

TEST(LargePrompts, AFullStoreIsSaidAndNothingStaysBehind) {
  MemberWorld world;
  world.member->submit(world.now, 5, large_order(), kLarge);
  const auto parts = blob_asks(world, BusOp::put);
  world.answer(BusOp::put, parts[0].key, BusEnd::done, 1);
  const BusAsk second = world.take(BusOp::put, parts[1].key);
  world.hear(BusReply{.id = second.id, .end = BusEnd::refused, .because = "the store is full"});
  const auto said = world.ordered<Submitted>();
  ASSERT_TRUE(said);
  EXPECT_FALSE(said->done);
  EXPECT_NE(said->because.find("the store is full"), std::string::npos) << said->because;
  EXPECT_FALSE(world.find(BusOp::create, "fix"));
  world.step();
  EXPECT_EQ(blob_asks(world, BusOp::remove).size(), 2u);
}

TEST(LargePrompts, ItIsGivenUpInTime) {
  MemberWorld world;
  world.member->submit(world.now, 5, large_order(), kLarge);
  for (int i = 0; i < 400 && !world.find(BusOp::create, "fix"); ++i) {
    world.renew_name();
    world.pass(std::chrono::seconds{1});
  }
  const auto said = world.ordered<Submitted>();
  ASSERT_TRUE(said);
  EXPECT_NE(said->because.find("in time"), std::string::npos);
}

TEST(LargePrompts, AUnitThatCannotBeGivenLeavesNone) {
  MemberWorld world;
  world.unit("fix", 2, MemberWorld::unit_value("claimed"));
  world.member->submit(world.now, 5, large_order(), kLarge);
  EXPECT_FALSE(world.ordered<Submitted>()->done) << "there is one of that name: nothing is stored";
  EXPECT_TRUE(blob_asks(world, BusOp::put).empty());
  UnitOrder other = large_order();
  other.unit = "other";
  world.member->submit(world.now, 6, other, kLarge);
  put_all(world);
  world.answer(BusOp::create, "other", BusEnd::taken);
  world.answer(BusOp::get, "other", BusEnd::done, 9, MemberWorld::unit_value());
  EXPECT_FALSE(world.ordered<Submitted>()->done);
  EXPECT_EQ(blob_asks(world, BusOp::remove).size(), 2u);
}

TEST(LargePrompts, WhatComesIsWhatWasGiven) {
  MemberWorld world;
  const Json blob = to_json(named(std::string(kBlobPart, 'a'), "b"));
  world.member->fetch(world.now, 9, blob);
  world.answer(BusOp::get, "key.1", BusEnd::done, 2, "b");
  world.answer(BusOp::get, "key.0", BusEnd::done, 1, std::string(kBlobPart, 'a'));
  const auto came = world.ordered<BlobCame>();
  ASSERT_TRUE(came);
  EXPECT_TRUE(came->done) << came->because;
  EXPECT_EQ(came->value, std::string(kBlobPart, 'a') + "b");
}

TEST(LargePrompts, AnotherOneOrNoneIsNotTakenForIt) {
  for (const bool missing : {true, false}) {
    MemberWorld world;
    world.member->fetch(world.now, 9, to_json(named("a", "")));
    if (missing)
      world.answer(BusOp::get, "key.0", BusEnd::missing);
    else
      world.answer(BusOp::get, "key.0", BusEnd::done, 1, "x");
    const auto came = world.ordered<BlobCame>();
    ASSERT_TRUE(came);
    EXPECT_FALSE(came->done);
    EXPECT_TRUE(came->gone) << "nobody else will have it";
  }
  MemberWorld world;
  world.member->fetch(world.now, 9, Json::object({{"key", "a.b"}, {"size", -1}}));
  EXPECT_TRUE(world.ordered<BlobCame>()->gone);
}

TEST(LargePrompts, ItGoesWhenItsUnitIsOver) {
  MemberWorld world;
  Json unit = stored_unit(world);
  unit.set("state", "claimed").set("node", "gpu").set("id", "id-gpu").set("token", 7);
  world.unit("fix", 4, unit.dump());
  EXPECT_TRUE(blob_asks(world, BusOp::remove).empty());
  Json ended = unit;
  ended.set("state", "ended");
  world.unit("fix", 5, ended.dump());
  EXPECT_TRUE(blob_asks(world, BusOp::remove).empty()) << "gpu sees to that";

  MemberWorld here;
  unit = stored_unit(here);
  unit.set("state", "claimed").set("node", "here").set("id", "id-here").set("token", 7);
  here.unit("fix", 4, unit.dump());
  ended.set("id", "id-here");
  here.unit("fix", 5, ended.dump());
  EXPECT_EQ(blob_asks(here, BusOp::remove).size(), 2u);

  MemberWorld cancelled;
  unit = stored_unit(cancelled);
  unit.set("state", "cancelled");
  cancelled.unit("fix", 5, unit.dump());
  EXPECT_EQ(blob_asks(cancelled, BusOp::remove).size(), 2u);
}

TEST(BlobName, IsWhatWeWouldHaveWritten) {
  const BlobName fine{"key", std::string(64, 'a'), kMostBlob};
  EXPECT_EQ(blob_from(to_json(fine)), fine);
  EXPECT_EQ(fine.parts(), kMostParts);
  for (const auto& bad : {BlobName{"key", "short", 5}, BlobName{"a.b", std::string(64, 'a'), 5},
                          BlobName{"key", std::string(64, 'a'), 0},
                          BlobName{"key", std::string(64, 'a'), kMostBlob + 1},
                          BlobName{"a b", std::string(64, 'a'), 5}})
    EXPECT_FALSE(blob_from(to_json(bad))) << bad.key;
}

}  // namespace
}  // namespace pawl::fleet
