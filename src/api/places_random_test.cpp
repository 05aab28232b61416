// Made-up machines whose lines open late, are slow, stall, are cut and come back, each world from its seed. What must be true: every
// event of every machine arrives once and in order, an absence is told once, and no list waits longer than it may.

#include <gtest/gtest.h>

#include "api/fake_place.h"

namespace pawl::api {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr uint64_t kWorlds = 60;
constexpr int kSteps = 1200;  // of 50 ms: a minute
constexpr Duration kStep = milliseconds{50};
const std::vector<std::string> kNames{"fine", "gpu", "lap"};

struct Chaos {
  PlacesWorld world;
  std::mt19937_64 dice;

  explicit Chaos(uint64_t seed) : dice(seed) {
    for (const auto& name : kNames) {
      FakePlace& place = world.place(name);
      place.pieces = &dice;
      if (happens(3))
        place.how = {.online = false, .because = "not yet", .first_try = world.now.mono};
      const Json answer = Json::object({{"alerts", Json::Array{Json::object({{"text", name}})}}});
      place.answers["alerts"] = [answer](const Json&) { return Result<Json>(answer); };
    }
  }
  bool happens(unsigned one_in) { return dice() % one_in == 0; }

  // Something becomes of a machine, or of what it does.
  void disturb(FakePlace& place) {
    if (happens(4)) place.happen(Json::object({{"type", "x"}}));
    if (happens(150)) place.cut();
    if (happens(100)) place.stalled = !place.stalled;
    if (happens(100)) place.delay = milliseconds{dice() % 3000};
    if (happens(120)) place.how = {.online = !place.how.online, .because = "chance"};
  }
  void heal() {
    for (auto& [name, place] : world.far) {
      place.stalled = false;
      place.delay = {};
      if (!place.how.online) place.how = {.online = true};
    }
  }
};

// Of one machine: numbers 1, 2, 3 …, and away and back by turns.
void judge(const std::vector<Json>& events, const FakePlace& place, const std::string& name) {
  int64_t last = 0;
  bool away = false;
  for (const auto& event : events) {
    if (event["machine"].as_string() != name) continue;
    if (event["type"].as_string() == "machine") {
      const bool back = event["what"].as_string() == "back";
      EXPECT_EQ(back, away) << "told twice";
      away = !back;
      continue;
    }
    ASSERT_EQ(event["seq"].as_int(), last + 1) << "lost, doubled, or out of order";
    last += 1;
  }
  EXPECT_EQ(last, static_cast<int64_t>(place.events.size())) << "all of them";
  EXPECT_FALSE(away);
}

TEST(PlacesRandom, EveryEventArrivesOnceAndInOrder) {
  for (uint64_t seed = 1; seed <= kWorlds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Chaos chaos(seed);
    chaos.world.send("events", Json::object({{"machines", true}, {"follow", true}}));
    for (int i = 0; i < kSteps; ++i) {
      for (auto& [name, place] : chaos.world.far) chaos.disturb(place);
      chaos.world.step(kStep, 200 + chaos.dice() % 4000);  // a client that reads slowly, too
    }
    chaos.heal();
    chaos.world.pass(seconds{20});
    for (auto& [name, place] : chaos.world.far) {
      SCOPED_TRACE(name);
      judge(chaos.world.events, place, name);
      EXPECT_EQ(place.lines(), 1u);
    }
    ASSERT_FALSE(testing::Test::HasFailure());
  }
}

TEST(PlacesRandom, NoListWaitsLongerThanItMay) {
  for (uint64_t seed = 1; seed <= kWorlds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Chaos chaos(seed);
    for (int i = 0; i < 40; ++i) {
      chaos.world.send("alerts", Json::object({{"machines", true}}));
      const MonoTime begun = chaos.world.now.mono;
      while (chaos.world.replies.empty()) {
        for (auto& [name, place] : chaos.world.far) chaos.disturb(place);
        chaos.world.step(kStep);
        ASSERT_LE(chaos.world.now.mono - begun, kPlacesWithin + kStep);
      }
      const auto reply = chaos.world.reply();
      ASSERT_TRUE(reply) << text_of(reply.error());
      std::set<std::string> rows, answered;
      for (const auto& row : (*reply)["alerts"].items()) rows.insert(row["machine"].as_string());
      for (const auto& row : (*reply)["machines"].items())
        if (row["answered"].as_bool())
          answered.insert(row["name"].as_string());
        else
          EXPECT_FALSE(row["because"].as_string().empty()) << row.dump();
      EXPECT_EQ(rows, answered) << "whoever has no rows is said to have none";
      EXPECT_EQ((*reply)["machines"].items().size(), kNames.size());
    }
  }
}

// Back and forth at random; whoever waits ends when all are there, or by the clock.
TEST(PlacesRandom, EveryWaitEnds) {
  for (uint64_t seed = 1; seed <= kWorlds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Chaos chaos(seed);
    const MonoTime begun = chaos.world.now.mono;
    for (auto& [name, place] : chaos.world.far) {
      const MonoTime ready = begun + seconds{chaos.dice() % 30};
      place.answers["wait"] = [&chaos, ready](const Json&) -> std::optional<Result<Json>> {
        if (chaos.world.now.mono < ready) return std::nullopt;
        return Result<Json>(Json::object({{"name", "a"}, {"state", "ready"}}));
      };
    }
    chaos.world.send("wait", Json::object({{"names", std::vector<std::string>{"gpu/a", "lap/a"}},
                                           {"until", "ready"},
                                           {"timeout", "40"}}));
    while (chaos.world.replies.empty()) {
      for (auto& [name, place] : chaos.world.far) chaos.disturb(place);
      chaos.world.step(kStep);
      ASSERT_LE(chaos.world.now.mono - begun, seconds{42});
    }
    const auto reply = chaos.world.reply();
    if (reply)
      EXPECT_EQ((*reply)["agents"].items().size(), 2u);
    else
      EXPECT_EQ(reply.error().exit_code, 124) << text_of(reply.error());
  }
}

}  // namespace
}  // namespace pawl::api
