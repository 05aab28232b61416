#include "fleet/parts/reader.h"

#include <gtest/gtest.h>

namespace pawl::fleet {
namespace {

using std::chrono::seconds;

class ReaderWorld {
 public:
  ReaderWorld() : desk(options()), reader(desk) {
    desk.now.clock.mono = MonoTime{seconds{1}};
    desk.up = true;
    reader.link_changed();
    reader.step();
    const auto last = desk.asks();
    reader.reply(*desk.take(last.at(0).id), {.id = last.at(0).id, .end = BusEnd::missing});
    follow = desk.asks().at(0).id;
  }
  static MemberOptions options() {
    MemberOptions out;
    out.node = "here";
    return out;
  }
  void message(const std::string& node, uint64_t seq, uint64_t after, const std::string& id = "j",
               uint64_t floor = 0) {
    const auto value = Json::object(
        {{"id", id}, {"seq", seq}, {"after", after}, {"floor", floor}, {"event", Json::object()}});
    reader.message({follow, ++at, "events." + node + "._", value.dump()});
    reader.step();
  }
  std::string heard() {
    std::string out;
    for (const auto& order : desk.orders()) {
      const auto& event = std::get<RemoteEvent>(order);
      out += event.node + std::to_string(event.sequence) + (event.missed ? "!" : "") + " ";
    }
    return out;
  }
  Desk desk;
  Reader reader;
  uint64_t follow = 0, at = 0;
};

TEST(Reader, EachComesOnceAndInOrder) {
  ReaderWorld world;
  world.message("a", 5, 4);
  world.message("a", 7, 6);
  world.message("b", 1, 0);
  world.message("a", 8, 7);
  world.message("a", 5, 4);
  EXPECT_EQ(world.heard(), "a5 b1 ");
  world.message("a", 6, 5);
  world.message("a", 7, 6);
  EXPECT_EQ(world.heard(), "a6 a7 a8 ");
}

TEST(Reader, OneThatNeverComesIsNotWaitedForLong) {
  ReaderWorld world;
  world.message("a", 1, 0);
  world.message("a", 3, 2);
  EXPECT_EQ(world.heard(), "a1 ");
  ASSERT_TRUE(world.reader.wake_at());
  world.desk.now.clock.mono += kHoldsEvents;
  world.reader.step();
  EXPECT_EQ(world.heard(), "a3! ");
}

TEST(Reader, WhatWasThereBeforeItCameIsNotWaitedFor) {
  ReaderWorld world;
  world.message("a", 5, 4, "j", 3);
  world.message("a", 8, 7, "j", 4);
  EXPECT_EQ(world.heard(), "a5 ");
  world.message("a", 9, 8, "j", 8);
  EXPECT_EQ(world.heard(), "a8! a9 ") << "6 and 7 were in the stream before";
}

TEST(Reader, NotMoreThanSoManyAreHeld) {
  ReaderWorld world;
  world.message("a", 1, 0);
  for (uint64_t i = 3; i < 3 + kHeldEvents; ++i) world.message("a", i, i - 1);
  EXPECT_EQ(world.heard(), "a1 ");
  world.message("a", 3 + kHeldEvents, 2 + kHeldEvents);
  EXPECT_TRUE(world.heard().starts_with("a3! a4 a5 "));
}

TEST(Reader, AnotherJournalOfTheSameNameBeginsAnew) {
  ReaderWorld world;
  world.message("a", 9, 8);
  world.message("a", 1, 0, "other");
  EXPECT_EQ(world.heard(), "a9 a1 ");
}

TEST(Reader, GarbageAndItsOwnEventsAreNothing) {
  ReaderWorld world;
  world.message("here", 1, 0);
  world.reader.message({world.follow, 7, "events.a._", "garbage"});
  world.reader.message({world.follow, 8, "events.", "{}"});
  EXPECT_EQ(world.heard(), "");
}

TEST(Reader, AfterAnOutageItGoesOnWhereItWas) {
  ReaderWorld world;
  world.message("a", 1, 0);
  world.desk.up = false;
  world.reader.link_changed();
  world.desk.up = true;
  world.reader.link_changed();
  world.reader.step();
  const auto last = world.desk.asks();
  world.reader.reply(*world.desk.take(last.at(0).id),
                     {.id = last.at(0).id, .end = BusEnd::done, .revision = 40});
  EXPECT_EQ(world.desk.asks().at(0).revision, 1u);
}

}  // namespace
}  // namespace pawl::fleet
