#include "fleet/parts/outbox.h"

#include <gtest/gtest.h>

#include "fleet/member_world.h"

namespace pawl::fleet {
namespace {

using std::chrono::seconds;

// Gives the member what it reads of a journal with so many events.
void feed(MemberWorld& world, uint64_t count) {
  while (const auto read = world.ordered<ReadJournal>()) {
    std::vector<JournalEvent> events;
    for (uint64_t i = read->after + 1; i <= count && events.size() < read->most; ++i)
      events.push_back({i, "a.b", Json::object({{"seq", i}}).dump()});
    world.member->events(world.now, events);
  }
}

std::vector<uint64_t> published(MemberWorld& world) {
  std::vector<uint64_t> out;
  world.gather();
  for (const auto& ask : world.asks)
    if (ask.op == BusOp::publish)
      out.push_back(static_cast<uint64_t>((*Json::parse(ask.value))["seq"].as_int()));
  return out;
}

void answer_all(MemberWorld& world, uint64_t& at) {
  for (auto asks = std::exchange(world.asks, {}); const auto& ask : asks)
    if (ask.op == BusOp::publish)
      world.hear(BusReply{.id = ask.id, .end = BusEnd::done, .revision = ++at});
}

TEST(Outbox, TheFirstGoesAloneAndThenManyAtOnceInOrder) {
  MemberWorld world;
  world.member->journal(world.now, 1000);
  feed(world, 1000);
  EXPECT_EQ(published(world), (std::vector<uint64_t>{1}));
  const auto first = *world.find(BusOp::publish, "events.here.a=2eb");
  EXPECT_EQ(first.message_id, "id-here-1");
  uint64_t at = 100;
  answer_all(world, at);
  feed(world, 1000);
  const auto next = published(world);
  ASSERT_EQ(next.size(), kEventWindow);
  EXPECT_EQ(next.front(), 2u);
  EXPECT_EQ(next.back(), 257u);
  for (int i = 0; i < 10; ++i) answer_all(world, at), feed(world, 1000);
  EXPECT_EQ(at, 1100u);
}

TEST(Outbox, AfterADoubtItGoesOnBehindTheFloorWithWhatIsMissing) {
  MemberWorld world;
  world.member->journal(world.now, 6);
  feed(world, 6);
  uint64_t at = 10;
  answer_all(world, at);  // 1 is at 11
  const auto open = published(world);
  ASSERT_EQ(open, (std::vector<uint64_t>{2, 3, 4, 5, 6}));
  BusAsk newest;
  for (auto asks = std::exchange(world.asks, {}); const auto& ask : asks) {
    const auto seq = (*Json::parse(ask.value))["seq"].as_int();
    const bool lost = seq == 3 || seq == 5;  // 5 arrived, and its answer did not
    world.hear(BusReply{.id = ask.id,
                        .end = lost ? BusEnd::unknown : BusEnd::done,
                        .revision = 10u + static_cast<uint64_t>(seq)});
    if (seq == 6) newest = ask;
  }
  EXPECT_TRUE(published(world).empty());
  world.pass(kResumesEvents);
  world.answer(BusOp::last, "events.here.>", BusEnd::done, 15, newest.value);
  const auto follow = world.answer(BusOp::follow, "events.here.>", BusEnd::done);
  EXPECT_EQ(follow.revision, 11u);
  const auto back = [&](uint64_t seq, uint64_t sequence) {
    const auto value = Json::object({{"id", "id-here"}, {"seq", seq}}).dump();
    world.hear(BusMessage{follow.id, sequence, "events.here.x", value});
  };
  back(2, 12), back(4, 13), back(5, 14), back(6, 15);
  EXPECT_TRUE(world.find(BusOp::unfollow, std::to_string(follow.id)));
  feed(world, 6);
  EXPECT_EQ(published(world), (std::vector<uint64_t>{3}));
}

TEST(Outbox, ANewHomeUnderAnOldNameBeginsAnew) {
  MemberWorld world({}, "boot 1", false);
  world.link_up();
  world.answer(BusOp::get, "here", BusEnd::missing);
  world.answer(BusOp::create, "here", BusEnd::done, 1);
  world.member->journal(world.now, 3);
  world.answer(BusOp::last, "events.here.>", BusEnd::done, 70,
               R"({"id":"another","seq":900,"floor":899,"floor_at":69})");
  feed(world, 3);
  EXPECT_EQ(published(world), (std::vector<uint64_t>{1}));
}

TEST(Outbox, WhatTheJournalForgotIsLeftOutAndNotAskedForAgain) {
  MemberWorld world;
  world.member->journal(world.now, 9);
  ASSERT_TRUE(world.ordered<ReadJournal>());
  world.member->events(world.now, {{8, "", "{}"}, {9, "", "{}"}});
  EXPECT_EQ(published(world), (std::vector<uint64_t>{8}));
  world.pass(seconds{30});
  EXPECT_FALSE(world.ordered<ReadJournal>());
}

TEST(Outbox, ATooLargeEventIsToldWithoutItsText) {
  MemberWorld world;
  world.member->journal(world.now, 1);
  world.member->events(world.now, {{1, "", Json(std::string(kMostEventBytes, 'x')).dump()}});
  const auto ask = world.take(BusOp::publish, "events.here._");
  EXPECT_LT(ask.value.size(), 1000u);
  EXPECT_TRUE((*Json::parse(ask.value))["event"].is_null());
}

}  // namespace
}  // namespace pawl::fleet
