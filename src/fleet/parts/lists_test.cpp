// Agents, accounts, verbs, and what comes from outside: what a member makes of them.

#include <gtest/gtest.h>

#include "fleet/bus_names.h"
#include "fleet/member_world.h"
#include "fleet/parts/accounts.h"
#include "fleet/parts/commands.h"
#include "fleet/parts/intake.h"
#include "fleet/parts/mirror.h"

namespace pawl::fleet {
namespace {

using std::chrono::seconds;

TEST(Mirror, OnlyWhatChangedIsPutAndAtMostOnceASecond) {
  MemberWorld world;
  world.member->agent(world.now, "a.b", "acct", Json("one"));
  const auto first = world.answer(BusOp::put, "here.a=2eb", BusEnd::done, 4);
  EXPECT_EQ((*Json::parse(first.value))["view"].as_string(), "one");
  world.member->agent(world.now, "a.b", "acct", Json("two"));
  world.member->agent(world.now, "a.b", "acct", Json("three"));
  EXPECT_FALSE(world.find(BusOp::put, "here.a=2eb"));
  world.pass(kPutsAgentEvery);
  const auto second = world.answer(BusOp::put, "here.a=2eb", BusEnd::done, 5);
  EXPECT_EQ((*Json::parse(second.value))["view"].as_string(), "three");
  world.member->agent(world.now, "a.b", "acct", Json("three"));
  world.pass(seconds{3});
  EXPECT_FALSE(world.find(BusOp::put, "here.a=2eb"));
  world.member->agent_gone(world.now, "a.b");
  world.answer(BusOp::remove, "here.a=2eb", BusEnd::done, 6);
}

TEST(Mirror, WhatAnEarlierLifeLeftIsTakenAway) {
  MemberWorld world({}, "boot 1", false);
  world.hear(BusLink{.up = true});
  world.hear(BusEntry{Bucket::agents, "here.gone", "{}", 3});
  world.hear(BusEntry{Bucket::agents, "there.x", R"({"account":"acct","view":{"name":"x"}})", 4});
  for (const auto bucket : {Bucket::nodes, Bucket::agents, Bucket::work, Bucket::leases})
    world.hear(BusCaughtUp{bucket});
  world.answer(BusOp::get, "here", BusEnd::missing);
  world.answer(BusOp::create, "here", BusEnd::done, 1);
  EXPECT_TRUE(world.find(BusOp::remove, "here.gone"));
  ASSERT_EQ(world.member->agents().size(), 1u);
  EXPECT_EQ(world.member->agents().at(0).agent, "x");
}

TEST(Mirror, NotMoreThanSoManyAreUnderWay) {
  MemberWorld world;
  for (int i = 0; i < 200; ++i)
    world.member->agent(world.now, "a" + std::to_string(i), "", Json(i));
  world.gather();
  size_t puts = 0;
  for (const auto& ask : world.asks) puts += ask.op == BusOp::put;
  EXPECT_EQ(puts, kMirrorWindow);
}

TEST(Mirror, APutThatIsNotAnsweredIsPutAgain) {
  MemberWorld world;
  world.member->agent(world.now, "a", "", Json("one"));
  world.answer(BusOp::put, "here.a", BusEnd::unknown);
  world.pass(kPutsAgentEvery);
  world.answer(BusOp::put, "here.a", BusEnd::done, 5);
}

TEST(Accounts, AResetHoldsForAllAndWakesAreInOrder) {
  MemberWorld world;
  const auto until = world.now.clock.wall + seconds{60};
  for (const char* agent : {"a", "b"}) world.member->agent(world.now, agent, "acct", Json("v"));
  const int64_t wall =
      std::chrono::duration_cast<std::chrono::milliseconds>(world.now.clock.wall.time_since_epoch())
          .count();
  world.hear(
      BusEntry{Bucket::nodes, "before", Json::object({{"id", "x"}, {"wall", wall}}).dump(), 5});
  world.hear(BusEntry{Bucket::agents, "before.z", R"({"account":"acct","view":1})", 4});
  world.hear(BusEntry{Bucket::agents, "dead.z", R"({"account":"acct","view":1})", 5});
  const std::string value = Json::object({{"until", wall + 60'000}}).dump();
  world.hear(BusEntry{Bucket::accounts, "acct.before", value, 7});
  const auto limited = world.ordered<AccountLimited>();
  ASSERT_TRUE(limited);
  EXPECT_EQ(limited->node, "before");
  EXPECT_EQ(limited->until, until);
  EXPECT_EQ(world.member->wake_of("a"), until + kWakesApart);
  EXPECT_EQ(world.member->wake_of("b"), until + 2 * kWakesApart);
  world.pass(seconds{61});
  EXPECT_FALSE(world.ordered<AccountLimited>()->until);
  EXPECT_EQ(world.member->wake_of("b"), until + kWakesApart)
      << "its turn is still to come; the node before is gone";
  world.pass(kWakesWithin);
  EXPECT_FALSE(world.member->wake_of("b"));
}

TEST(Accounts, OursIsPutUntilItIsThere) {
  MemberWorld world;
  world.member->account_limited(world.now, "me@x", world.now.clock.wall + seconds{60});
  world.answer(BusOp::put, "me=40x.here", BusEnd::unknown);
  world.pass(kPutsAccountAgain);
  world.answer(BusOp::put, "me=40x.here", BusEnd::done, 3);
  world.pass(seconds{5});
  EXPECT_FALSE(world.find(BusOp::put, "me=40x.here"));
}

TEST(Accounts, AClockThatIsOffDoesNotMoveTheReset) {
  MemberWorld world;
  const int64_t wall =
      std::chrono::duration_cast<std::chrono::milliseconds>(world.now.clock.wall.time_since_epoch())
          .count();
  world.hear(BusEntry{Bucket::nodes, "fast",
                      Json::object({{"id", "x"}, {"wall", wall + 3'600'000}}).dump(), 5});
  world.hear(BusEntry{Bucket::accounts, "acct.fast",
                      Json::object({{"until", wall + 3'660'000}}).dump(), 7});
  EXPECT_EQ(world.ordered<AccountLimited>()->until, world.now.clock.wall + seconds{60});
}

TEST(Accounts, AClockThatIsKnownOnlyLaterMovesTheResetBack) {
  MemberWorld world;
  const int64_t wall =
      std::chrono::duration_cast<std::chrono::milliseconds>(world.now.clock.wall.time_since_epoch())
          .count();
  world.hear(BusEntry{Bucket::accounts, "acct.fast",
                      Json::object({{"until", wall + 3'660'000}}).dump(), 7});
  EXPECT_TRUE(world.ordered<AccountLimited>());
  world.hear(BusEntry{Bucket::nodes, "fast",
                      Json::object({{"id", "x"}, {"wall", wall + 3'600'000}}).dump(), 5});
  EXPECT_EQ(world.ordered<AccountLimited>()->until, world.now.clock.wall + seconds{60});
}

TEST(Accounts, GarbageLimitsNobody) {
  MemberWorld world;
  for (const std::string value : {"", "{}", R"({"until":"x"})", R"({"until":9223372036854775})",
                                  R"({"until":9223372036854775807})", R"({"until":-5})"})
    world.hear(BusEntry{Bucket::accounts, "acct.there", value, 7});
  EXPECT_FALSE(world.ordered<AccountLimited>());
}

TEST(Commands, AVerbIsAnsweredOnceOrItSaysWhy) {
  MemberWorld world;
  world.member->ask(world.now, 1, "nobody", "{}", seconds{5});
  EXPECT_EQ(world.ordered<VerbAnswered>()->because, "the fleet has no node named nobody");
  const int64_t wall =
      std::chrono::duration_cast<std::chrono::milliseconds>(world.now.clock.wall.time_since_epoch())
          .count();
  world.hear(
      BusEntry{Bucket::nodes, "there", Json::object({{"id", "x"}, {"wall", wall}}).dump(), 5});
  world.member->ask(world.now, 2, "there", "{}", seconds{5});
  world.answer(BusOp::request, "cmd.there.here", BusEnd::done, 0, "yes");
  EXPECT_EQ(world.ordered<VerbAnswered>()->value, "yes");
  world.member->ask(world.now, 3, "there", "{}", seconds{5});
  world.hear(BusLink{.up = false, .because = "gone"});
  const auto lost = world.ordered<VerbAnswered>();
  ASSERT_TRUE(lost);
  EXPECT_TRUE(lost->may_be_done);
}

TEST(Commands, WhatOthersAskIsAnsweredByTokenAndOnlyOnce) {
  MemberWorld world;
  world.hear(BusAsked{"t1", "cmd.here.there", "{}"});
  world.hear(BusAsked{"t1", "cmd.here.there", "{}"});
  world.hear(BusAsked{"t2", "cmd.other.there", "{}"});
  world.hear(BusAsked{"t3", "cmd.here", "{}"});
  EXPECT_EQ(world.ordered<VerbAsked>()->from, "there");
  EXPECT_FALSE(world.ordered<VerbAsked>());
  world.member->answered(world.now, "t1", "ok");
  EXPECT_EQ(world.take(BusOp::answer, "t1").value, "ok");
  world.member->answered(world.now, "t1", "ok");
  EXPECT_FALSE(world.find(BusOp::answer, "t1"));
}

TEST(Commands, TooManyAtOnceAreToldSo) {
  MemberWorld world;
  for (size_t i = 0; i < kMostAsked; ++i)
    world.hear(BusAsked{"t" + std::to_string(i), "cmd.here.there", "{}"});
  EXPECT_FALSE(world.find(BusOp::answer, "more"));
  world.hear(BusAsked{"more", "cmd.here.there", "{}"});
  EXPECT_NE(world.take(BusOp::answer, "more").value.find("too much at once"), std::string::npos);
}

TEST(Intake, AMessageBecomesAUnitAndLeavesTheQueueWhenThatIsStored) {
  MemberWorld world;
  const auto take = world.take(BusOp::take, "work.q");
  const std::string text = R"({"task":{"prompt":"p"},"needs":"label=gpu, runtime=claude"})";
  world.hear(BusMessage{take.id, 17, "work.q", text, "token"});
  EXPECT_FALSE(world.find(BusOp::done, "token"));
  const auto unit = world.answer(BusOp::create, "q-17", BusEnd::unknown);
  EXPECT_EQ((*Json::parse(unit.value))["needs"].as_strings(),
            (std::vector<std::string>{"label=gpu", "runtime=claude"}));
  EXPECT_FALSE(world.find(BusOp::done, "token"));
  world.pass(kEditAgain);
  world.answer(BusOp::get, "q-17", BusEnd::done, 4, unit.value);
  EXPECT_TRUE(world.find(BusOp::done, "token"));
  EXPECT_TRUE(world.find(BusOp::take, "work.q")) << "the next one";
}

TEST(Intake, GarbageBecomesAUnitThatHasFailedAndSaysWhy) {
  const auto now = WallTime{seconds{1'700'000'000}};
  for (const std::string text : {"garbage", "[]", "{}", R"({"task":"x"})"}) {
    const auto wanted = wanted_unit("q", 3, text, now);
    EXPECT_EQ(wanted.unit, "q-3");
    EXPECT_EQ(wanted.value["state"].as_string(), "ended");
    EXPECT_FALSE(wanted.value["because"].as_string().empty());
  }
}

TEST(Intake, AnInboxItemIsKeptBeforeItLeavesTheQueue) {
  MemberWorld world;
  const auto take = world.take(BusOp::take, "inbox.here.>");
  world.hear(BusMessage{take.id, 5, "inbox.here.a=2eb", "text", "token"});
  const auto item = world.ordered<InboxItem>();
  ASSERT_TRUE(item);
  EXPECT_EQ(item->agent, "a.b");
  EXPECT_EQ(item->name, "bus-5");
  EXPECT_FALSE(world.find(BusOp::done, "token"));
  world.member->inboxed(world.now, "token", true);
  EXPECT_TRUE(world.find(BusOp::done, "token"));
}

TEST(Edits, ASubmissionIsAcknowledgedWhenItIsStored) {
  MemberWorld world;
  UnitOrder order{.unit = "fix", .task = Json::object({{"prompt", "p"}}), .on = "there"};
  world.member->submit(world.now, 5, order);
  world.answer(BusOp::create, "fix", BusEnd::unknown);
  EXPECT_FALSE(world.ordered<Submitted>());
  world.pass(kEditAgain);
  world.answer(BusOp::get, "fix", BusEnd::missing);
  world.answer(BusOp::create, "fix", BusEnd::done, 3);
  EXPECT_TRUE(world.ordered<Submitted>()->done);
  world.member->submit(world.now, 6, order);
  world.answer(BusOp::create, "fix", BusEnd::taken);
  world.answer(BusOp::get, "fix", BusEnd::done, 3, MemberWorld::unit_value());
  EXPECT_EQ(world.ordered<Submitted>()->because, "the fleet has another unit named fix");
}

TEST(Edits, WhatNobodyAnswersIsGivenUpInTime) {
  MemberWorld world;
  world.member->submit(world.now, 5, {.unit = "fix"});
  world.hear(BusLink{.up = false, .because = "gone"});
  world.pass(kEditsWithin);
  const auto submitted = world.ordered<Submitted>();
  ASSERT_TRUE(submitted);
  EXPECT_FALSE(submitted->done);
  EXPECT_NE(submitted->because.find("may have been done"), std::string::npos);
}

TEST(Edits, ACancelOfWhatHasEndedSaysSo) {
  MemberWorld world;
  world.member->cancel(world.now, 5, "fix", "ann");
  world.answer(BusOp::get, "fix", BusEnd::done, 3, MemberWorld::unit_value("ended"));
  EXPECT_EQ(world.ordered<Submitted>()->because, "it has ended already");
  world.unit("u", 4, MemberWorld::unit_value("waiting", Json::object({{"on", "there"}})));
  world.member->cancel(world.now, 6, "u", "ann");
  world.answer(BusOp::get, "u", BusEnd::done, 4, MemberWorld::unit_value());
  world.answer(BusOp::update, "u", BusEnd::stale);
  world.answer(BusOp::get, "u", BusEnd::done, 5, MemberWorld::unit_value("claimed"));
  const auto written = world.answer(BusOp::update, "u", BusEnd::done, 6);
  EXPECT_EQ((*Json::parse(written.value))["state"].as_string(), "cancelled");
  EXPECT_TRUE(world.ordered<Submitted>()->done);
}

TEST(Desk, AnAnswerThatPawlBusNeverGivesIsGivenUp) {
  MemberWorld world;
  world.member->account_limited(world.now, "acct", world.now.clock.wall + seconds{600});
  const auto put = world.take(BusOp::put, "acct.here");
  world.pass(put.limit + kAnswerGrace);
  world.renew_name();
  world.pass(kPutsAccountAgain);
  EXPECT_TRUE(world.find(BusOp::put, "acct.here"));
}

TEST(Names, PartsOfSubjectsComeBack) {
  for (const std::string name : {"a", "a.b", "=", "a b*>", "ä"}) {
    EXPECT_EQ(name_of(token_of(name)), name);
    EXPECT_EQ(token_of(name).find_first_of(". *>"), std::string::npos);
  }
  EXPECT_FALSE(valid_node("a.b"));
  EXPECT_TRUE(valid_node("gpu-1"));
}

}  // namespace
}  // namespace pawl::fleet
