#include "api/feed.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "api/client_world.h"
#include "base/text.h"

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

// A page that has heard every view knows what `ls` says.
struct Page : World {
  FeedReader reader;
  std::map<std::string, Json> known;

  Page() {
    for (const char* name : {"a", "b", "c"}) running(name);
    feed.follow(now);
    reader = feed.reader({}, true, "", true);
    feed.want_views(true);
  }
  // Until every agent was looked at.
  size_t look() {
    std::string heard;
    for (int i = 0; i <= kViewSteps; ++i) {
      step(kViewsEvery / kViewSteps);
      feed.follow(now);
      heard += read(reader);
    }
    size_t views = 0;
    for (const auto& line : split(heard, '\n')) {
      if (!line.starts_with("data: {\"name\"")) continue;
      const Json view = *Json::parse(line.substr(6));
      known[view["name"].as_string()] = without_time(view);
      ++views;
    }
    return views;
  }
  void sets_clock(Duration by) {
    now.wall += by;
    engine->slept(now, {by, "the clock was set", by});
  }
  static Json without_time(Json view) { return view.set("last_alive", nullptr); }
  void compare(const std::string& after) {
    const auto list = ask("ls");
    ASSERT_TRUE(list);
    for (const auto& agent : (*list)["agents"].items())
      EXPECT_EQ(known[agent["name"].as_string()].dump(), without_time(agent).dump()) << after;
  }
};

TEST(Feed, WhoHeardEveryViewKnowsWhatLsSays) {
  Page page;
  EXPECT_EQ(page.look(), 3u);
  page.compare("the first look");
  const std::vector<std::pair<std::string, std::function<void()>>> doings{
      {"a line", [&] { page.host.prints(page.session("b"), "working on it\r\n"); }},
      {"the same line",
       [&] { page.host.prints(page.session("b"), "\x1b[1mworking on it\x1b[m\r"); }},
      {"a pause",
       [&] {
         page.engine->submit(core::PauseAsked{{}, "a", true, "a test"});
       }},
      {"an end", [&] { page.host.ends(page.session("c"), 3); }},
      {"a day", [&] { page.step(std::chrono::hours{24}); }},
      {"a clock that is set", [&] { page.sets_clock(std::chrono::hours{5}); }},
      {"a clock that is set back", [&] { page.sets_clock(-std::chrono::hours{30}); }},
      {"a start", [&] { page.running("d"); }},
      {"a second life", [&] { page.running("c"); }}};
  for (const auto& [what, happens] : doings) {
    happens();
    page.look();
    page.compare(what);
  }
}

TEST(Feed, WhatHappenedToOneAgentIsNoViewOfTheOthers) {
  Page page;
  page.look();
  EXPECT_EQ(page.look(), 0u);
  page.host.prints(page.session("b"), "a word\r\n");
  EXPECT_EQ(page.look(), 1u);
  page.engine->submit(core::PauseAsked{{}, "c", true, "a test"});
  EXPECT_EQ(page.look(), 1u);
  page.happen(3);
  EXPECT_EQ(page.look(), 0u) << "an event that changes nothing shows nothing";
}

}  // namespace
}  // namespace pawl::api
