#include "api/feed.h"

#include <gtest/gtest.h>

#include "api/client_world.h"

namespace pawl::api {
namespace {

struct World : ClientWorld {
  Feed feed{*engine};
  void happen(int times) {
    for (int i = 0; i < times; ++i)
      engine->submit(core::RequestSeen{"a", "verb", {model::kWeb, "somebody", 0}});
    step();
    feed.follow(now);
  }
  std::string read(FeedReader& at, size_t room = 1u << 20) {
    std::string out;
    EXPECT_TRUE(feed.read(at, out, room));
    return out;
  }
  // Everything there is, in as many rounds as it takes.
  std::vector<uint64_t> ids(FeedReader& place, size_t room = 1u << 20) {
    std::vector<uint64_t> out;
    for (int round = 0; feed.has_more(place) && round < 10000; ++round) {
      const std::string text = read(place, room);
      for (size_t at = text.find("id: "); at != text.npos; at = text.find("\nid: ", at + 1))
        out.push_back(std::stoull(text.substr(text.find(' ', at) + 1)));
    }
    return out;
  }
};

std::vector<uint64_t> range(uint64_t from, uint64_t to) {
  std::vector<uint64_t> out;
  for (; from <= to; ++from) out.push_back(from);
  return out;
}

TEST(Feed, FromNowOnlyWhatIsNew) {
  World world;
  world.running();
  world.feed.follow(world.now);
  const uint64_t last = world.engine->fleet().last.value;
  auto reader = world.feed.reader({}, true, "", false);
  EXPECT_EQ(world.read(reader), "");
  world.happen(3);
  EXPECT_EQ(world.ids(reader), range(last + 1, last + 3));
  EXPECT_FALSE(world.feed.has_more(reader));
}

TEST(Feed, ResumesWithoutGapOrRepeatFromAnywhere) {
  World world;
  world.running();
  world.feed.follow(world.now);
  world.happen(1000);
  const uint64_t last = world.engine->fleet().last.value;
  for (const uint64_t after : {uint64_t{0}, uint64_t{1}, last / 2, last - 1}) {
    auto reader = world.feed.reader(Seq{after}, false, "", false);
    EXPECT_EQ(world.ids(reader, 2000), range(after + 1, last)) << after;
  }
  auto ahead = world.feed.reader(Seq{last + 1000}, false, "", false);
  EXPECT_TRUE(world.ids(ahead).empty());
  world.happen(1);
  EXPECT_EQ(world.ids(ahead), range(last + 1, last + 1)) << "the number was of another journal";
}

TEST(Feed, WhoFallsBehindTheRingReadsOnFromTheJournal) {
  World world;
  world.running();
  auto slow = world.feed.reader({}, true, "", false);
  const uint64_t last = world.engine->fleet().last.value;
  for (int i = 0; i < 50; ++i) world.happen(1000);
  EXPECT_EQ(world.ids(slow), range(last + 1, last + 50000));
}

TEST(Feed, OneAgentsEventsOnly) {
  World world;
  world.running();
  auto other = world.feed.reader({}, false, "b", false);
  world.happen(5);
  EXPECT_TRUE(world.ids(other).empty());
}

TEST(Feed, WhoMissedViewsIsLostAndHasToBeginAgain) {
  World world;
  world.running();
  auto slow = world.feed.reader({}, true, "", true);
  for (int i = 0; i < 50; ++i) world.happen(1000);
  EXPECT_EQ(world.read(slow), "");
  EXPECT_TRUE(slow.lost);
  EXPECT_FALSE(world.feed.has_more(slow));
}

TEST(Feed, ViewsSinceItBeganAreNotMissedWhileItCatchesUp) {
  World world;
  world.running();
  world.feed.follow(world.now);
  auto reader_of_all = world.feed.reader({}, false, "", true);
  world.feed.want_views(true);
  for (int i = 0; i < 20; ++i) {
    world.step(kViewsEvery / kViewSteps);
    world.feed.follow(world.now);
  }
  std::string heard;
  while (world.feed.has_more(reader_of_all)) heard += world.read(reader_of_all);
  EXPECT_NE(heard.find("event: view"), heard.npos);
  EXPECT_EQ(heard.find("id: 1\n"), heard.rfind("id: 1\n")) << "and no event comes twice";
}

TEST(Feed, ViewsAreShownOnceUntilTheyChange) {
  World world;
  world.running();
  auto reader = world.feed.reader({}, true, "", true);
  auto plain = world.feed.reader({}, true, "", false);
  world.feed.want_views(true);
  const auto pass = [&](int steps) {
    std::string out;
    for (int i = 0; i < steps; ++i) {
      world.step(kViewsEvery / kViewSteps);
      world.feed.follow(world.now);
      out += world.read(reader);
    }
    return out;
  };
  EXPECT_NE(pass(20).find("event: view\ndata: {\"name\":\"a\""), std::string::npos);
  EXPECT_EQ(pass(40).find("event: view"), std::string::npos) << "time alone is no change";
  world.engine->submit(core::PauseAsked{{}, "a", true, "a test"});
  EXPECT_NE(pass(20).find("\"paused\":true"), std::string::npos);
  EXPECT_EQ(world.read(plain).find("event: view"), std::string::npos);
  world.engine->submit(core::RemoveAsked{{}, "a", true});
  for (int i = 0; i < 100 && world.engine->fleet().find("a"); ++i) {
    world.host.ends(world.engine->fleet().find("a")->session, 0);
    world.step(std::chrono::seconds{1});
  }
  EXPECT_NE(pass(20).find("event: gone\ndata: {\"name\":\"a\"}"), std::string::npos);
}

}  // namespace
}  // namespace pawl::api
