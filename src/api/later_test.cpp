// What waits for a machine that is not reached: done there when it is, once, or somebody is told.

#include "api/later.h"

#include <gtest/gtest.h>

#include "api/fake_place.h"

namespace pawl::api {
namespace {

using namespace std::chrono_literals;

class LaterTest : public testing::Test {
 protected:
  PlacesWorld world;
  std::unique_ptr<Later> later;
  FakePlace& gpu = world.place("gpu");
  std::vector<std::pair<std::string, Json>> done;

  LaterTest() {
    begin();
    gpu.how.online = false;
    for (const char* verb : {"mode", "pause", "wake", "inbox add", "stop"})
      gpu.answers[verb] = [this, verb](const Json& args) -> std::optional<Result<Json>> {
        done.emplace_back(verb, args);
        return Result<Json>(Json::object({{"version", 1}}));
      };
  }
  // A life of the daemon.
  void begin() {
    later = std::make_unique<Later>(*world.engine, world.server, world.home.path());
    world.server.later = later.get();
    later->begin_again();
  }
  void pass(Duration time, Duration each = 100ms) {
    for (const MonoTime until = world.now.mono + time; world.now.mono < until;) {
      world.step(each);
      later->turn(world.now);
    }
  }
  Result<Json> ask(const std::string& verb, Json args) {
    world.send(verb, args.set("name", "gpu/docs"));
    pass(3s);
    return world.reply();
  }
  Result<Json> mode(const std::string& to) { return ask("mode", Json::object({{"mode", to}})); }
  std::vector<std::string> alerts() const {
    std::vector<std::string> out;
    for (const auto& event : world.journal.events)
      if (const auto* fact = std::get_if<model::Alerted>(&event.fact)) out.push_back(fact->text);
    return out;
  }
};

TEST_F(LaterTest, ItIsDoneInOrderWhenTheMachineIsReachedAgain) {
  const auto kept = mode("active");
  ASSERT_TRUE(kept) << text_of(kept.error());
  EXPECT_TRUE((*kept)["kept"].as_bool());
  ASSERT_TRUE(ask("wake", Json::object({{"text", "the build is red"}})));
  pass(std::chrono::minutes{10}, 1s);
  EXPECT_TRUE(done.empty());
  begin();  // another daemon
  gpu.how.online = true;
  pass(5s);
  ASSERT_EQ(done.size(), 2u);
  EXPECT_EQ(done[0].first, "mode");
  EXPECT_EQ(done[0].second["name"].as_string(), "docs");
  EXPECT_EQ(done[1].second["text"].as_string(), "the build is red");
  EXPECT_EQ(alerts().size(), 2u);
  begin();
  pass(5s);
  EXPECT_EQ(done.size(), 2u) << "each once";
}

TEST_F(LaterTest, OthersAreRefusedAsEver) {
  world.send("stop", Json::object({{"names", std::vector<std::string>{"gpu/docs"}}}));
  pass(3s);
  EXPECT_FALSE(world.reply());
  EXPECT_EQ(later->waiting("gpu"), 0u);
}

TEST_F(LaterTest, WhatIsRefusedThereIsSaid) {
  gpu.answers["mode"] = [](const Json&) { return Result<Json>(fail("no agent named 'docs'")); };
  ASSERT_TRUE(mode("active"));
  gpu.how.online = true;
  pass(5s);
  ASSERT_EQ(alerts().size(), 1u);
  EXPECT_NE(alerts()[0].find("was refused: no agent named 'docs'"), std::string::npos);
  EXPECT_EQ(later->waiting("gpu"), 0u);
}

// The line is cut before the answer: a mode is set again, a wake-up is not sent twice.
TEST_F(LaterTest, WhatMayHaveArrivedIsNotSentTwice) {
  gpu.delay = 2s;
  ASSERT_TRUE(ask("wake", Json::object({{"text", "x"}})));
  gpu.how.online = true;
  pass(3s);
  ASSERT_EQ(done.size(), 1u);
  gpu.cut();
  pass(30s);
  EXPECT_EQ(done.size(), 1u);
  ASSERT_EQ(alerts().size(), 1u);
  EXPECT_NE(alerts()[0].find("may or may not have arrived"), std::string::npos);

  gpu.how.online = false;
  ASSERT_TRUE(mode("paused"));
  gpu.how.online = true;
  pass(3s);
  gpu.cut();
  pass(30s);
  EXPECT_EQ(done.size(), 3u);
  EXPECT_EQ(later->waiting("gpu"), 0u);
}

TEST_F(LaterTest, ItHasAnEndAndSomebodyIsTold) {
  ASSERT_TRUE(mode("active"));
  pass(kLaterKept + 1min, 1min);
  EXPECT_EQ(later->waiting("gpu"), 0u);
  ASSERT_EQ(alerts().size(), 1u);
  EXPECT_NE(alerts()[0].find("is given up"), std::string::npos);
  gpu.how.online = true;
  pass(5s);
  EXPECT_TRUE(done.empty());
}

TEST_F(LaterTest, OnlySoManyWait) {
  for (size_t i = 0; i < kMaxLater; ++i)
    ASSERT_TRUE(later->keep(world.now, "gpu", Json::object({{"verb", "mode"}}), {}, Error{"away"}));
  const auto more = mode("active");
  ASSERT_FALSE(more);
  EXPECT_NE(text_of(more.error()).find("100 requests wait"), std::string::npos);
}

}  // namespace
}  // namespace pawl::api
