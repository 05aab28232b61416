// Units that are begun again (edits.h), what a takeover says of the one before (left_behind.h), and items for nodes that are away.

#include "fleet/bus_names.h"
#include "fleet/member_world.h"
#include "fleet/parts/edits.h"
#include "fleet/parts/items.h"
#include "fleet/parts/left_behind.h"

namespace pawl::fleet {
namespace {

using std::chrono::seconds;

std::string over_value(const char* status, Json more = {}) {
  Json value = Json::object({{"tries", 2},
                             {"node", "gpu"},
                             {"id", "id-gpu"},
                             {"result", Json::object({{"status", status}})}});
  for (const auto& [key, one] : more.members()) value.set(key, one);
  return MemberWorld::unit_value("ended", value);
}

TEST(Again, AUnitThatIsOverIsBegunFromTheBeginning) {
  MemberWorld world;
  world.unit("fix", 3, over_value("failed"));
  world.member->again(world.now, 4, "fix", "lap/person");
  world.answer(BusOp::get, "fix", BusEnd::done, 3, over_value("failed"));
  const auto written = world.answer(BusOp::update, "fix", BusEnd::done, 4);
  EXPECT_EQ(written.revision, 3u);
  const Json unit = *Json::parse(written.value);
  EXPECT_EQ(unit["state"].as_string(), "waiting");
  EXPECT_EQ(unit["tries"].as_int(9), 0);
  EXPECT_TRUE(unit["result"].is_null());
  EXPECT_EQ(unit["task"]["prompt"].as_string(), "p");
  EXPECT_TRUE(world.ordered<Submitted>()->done);
  EXPECT_TRUE(world.find(BusOp::create, "fix")) << "and it is claimed, as any";
}

TEST(Again, WhatIsNotOverOrWasDoneIsNot) {
  struct Case {
    std::string value;
    const char* said;
  };
  const Case cases[] = {
      {MemberWorld::unit_value("waiting"), "it is not over"},
      {MemberWorld::unit_value("claimed"), "it is not over"},
      {over_value("completed"), "is completed"},
      {over_value("failed", Json::object({{"task", Json::object({{"blob", Json::object({})}})}})),
       "large prompt"}};
  for (const auto& one : cases) {
    MemberWorld world;
    world.member->again(world.now, 4, "fix", "me");
    world.answer(BusOp::get, "fix", BusEnd::done, 3, one.value);
    const auto said = world.ordered<Submitted>();
    ASSERT_TRUE(said) << one.said;
    EXPECT_FALSE(said->done);
    EXPECT_NE(said->because.find(one.said), std::string::npos) << said->because;
    EXPECT_FALSE(said->todo.empty());
    EXPECT_FALSE(world.find(BusOp::update, "fix"));
  }
}

TEST(Again, AWriteOfWhichNobodyHeardIsNotDoneTwice) {
  MemberWorld world;
  world.member->again(world.now, 4, "fix", "me");
  world.answer(BusOp::get, "fix", BusEnd::done, 3, over_value("failed"));
  const auto written = world.answer(BusOp::update, "fix", BusEnd::unknown);
  world.pass(kEditAgain);
  Json since = *Json::parse(written.value);
  since.set("state", "ended").set("result", Json::object({{"status", "completed"}}));
  world.answer(BusOp::get, "fix", BusEnd::done, 9, since.dump());
  EXPECT_TRUE(world.ordered<Submitted>()->done) << "it was begun again, and is over once more";
  EXPECT_FALSE(world.find(BusOp::update, "fix"));
}

TEST(LeftBehind, WhoTakesOverSaysWhatStayed) {
  MemberWorld world;
  const Json claimed =
      Json::object({{"node", "gpu"}, {"id", "id-gpu"}, {"token", 5}, {"tries", 1}, {"most", 5}});
  world.unit("fix", 3, MemberWorld::unit_value("claimed", claimed));
  for (int i = 0; i < 60 && !world.find(BusOp::get, "fix"); ++i) {
    world.renew_name();
    world.pass(seconds{1});
  }
  world.answer(BusOp::get, "fix", BusEnd::missing);
  world.answer(BusOp::create, "fix", BusEnd::done, 8);
  const auto claim = world.answer(BusOp::update, "fix", BusEnd::done, 9);
  EXPECT_EQ(left_on(*Json::parse(claim.value)), "gpu");
  EXPECT_TRUE(world.ordered<StartUnit>());
  EXPECT_NE(world.member->unit("fix")->why.find("what it did on gpu and did not push stayed there"),
            std::string::npos);
}

TEST(LeftBehind, WhatWasGivenBackInTheMiddleStayedAsWell) {
  MemberWorld world;
  const auto start = world.started("fix");
  world.member->ended(world.now, "fix", start.claim.token, {Came::again, {}, "stopped"});
  const auto end = world.take(BusOp::update, "fix");
  EXPECT_EQ(left_on(*Json::parse(end.value)), "here");
  Json unit = Json::object();
  for (int i = 0; i < 20; ++i) note_left_on(unit, "n" + std::to_string(i));
  note_left_on(unit, "n19");
  EXPECT_EQ(unit["left"].items().size(), kMostLeft);
  EXPECT_EQ(left_words(Json::object()), "");
}

TEST(LeftBehind, WhatCouldNotBeginLeftNothing) {
  MemberWorld world;
  const auto start = world.started("fix");
  world.member->ended(world.now, "fix", start.claim.token, {Came::unfit, {}, "no such folder"});
  EXPECT_EQ(left_on(*Json::parse(world.take(BusOp::update, "fix").value)), "");
}

TEST(Items, AreSaidAgainUnderTheSameIdUntilTheyAreTaken) {
  MemberWorld world;
  world.member->send_item(world.now, 3, "gpu", "a.b", "text");
  const auto first = world.answer(BusOp::publish, "inbox.gpu.a=2eb", BusEnd::unknown);
  world.pass(kItemAgain);
  const auto second = world.answer(BusOp::publish, "inbox.gpu.a=2eb", BusEnd::done, 1);
  EXPECT_EQ(first.message_id, second.message_id);
  EXPECT_TRUE(valid_key(first.message_id)) << first.message_id << " is refused by pawl-bus";
  EXPECT_TRUE(world.ordered<Submitted>()->done);
}

TEST(Items, ThatAreNotTakenAreSaid) {
  MemberWorld world;
  world.member->send_item(world.now, 3, "gpu", "docs", std::string(kMostItemBytes + 1, 'a'));
  EXPECT_FALSE(world.ordered<Submitted>()->done);
  world.member->send_item(world.now, 4, "gpu", "docs", "text");
  const BusAsk ask = world.take(BusOp::publish, "inbox.gpu.docs");
  world.hear(BusReply{.id = ask.id, .end = BusEnd::refused, .because = "it is full"});
  EXPECT_NE(world.ordered<Submitted>()->because.find("it is full"), std::string::npos);
  world.member->send_item(world.now, 5, "gpu", "docs", "text");
  world.pass(kItemWithin);
  EXPECT_NE(world.ordered<Submitted>()->because.find("nobody answered"), std::string::npos);
}

}  // namespace
}  // namespace pawl::fleet
