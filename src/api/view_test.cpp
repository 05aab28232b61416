#include "api/view.h"

#include <gtest/gtest.h>

#include "model/everything.h"

namespace pawl::api {
namespace {

const Clock kNow{MonoTime{}, model::wall(1'763'172'331'123'000)};

// interfaces: "pawl ls --json"
const std::vector<std::string> kPromised{"name",   "runtime",       "backend",         "dir",
                                         "mode",   "strategy",      "state",           "kind",
                                         "since",  "tier",          "because",         "confidence",
                                         "pid",    "session_id",    "last_alive",      "restarts",
                                         "nudges", "limited_until", "human_last_seen", "paused",
                                         "parked", "tokens",        "cost_usd",        "machine",
                                         "input",  "background",    "quarantined"};

TEST(View, HasThePromisedKeysInOrderAndSomeMore) {
  for (const auto& agent : {model::Agent{}, model::full_agent("a")}) {
    std::vector<std::string> keys;
    const Json view = view_of(agent, kNow);
    for (const auto& [key, value] : view.members()) keys.push_back(key);
    auto expected = kPromised;
    for (const char* more : {"spent", "notices", "dialog", "parked_because", "quarantined_because",
                             "matter", "decision", "pane", "command", "exit_code", "signal",
                             "outbox", "inbox", "repairs", "permission", "move"})
      expected.push_back(more);
    EXPECT_EQ(keys, expected);
  }
}

TEST(View, ShowsWhatIsKnown) {
  const Json view = view_of(model::full_agent("a"), kNow);
  EXPECT_EQ(view["name"].as_string(), "a");
  EXPECT_EQ(view["runtime"].as_string(), "claude");
  EXPECT_EQ(view["backend"].as_string(), "tmux");
  EXPECT_EQ(view["mode"].as_string(), "active");
  EXPECT_EQ(view["state"].as_string(), "waiting");
  EXPECT_EQ(view["kind"].as_string(), "permission");
  EXPECT_EQ(view["since"].as_string(), "2023-11-14T22:13:20.023Z");
  EXPECT_EQ(view["confidence"].as_double(), 0.75);
  EXPECT_EQ(view["pid"].as_int(), 4242);
  EXPECT_EQ(view["session_id"].as_string(), "0f7c-1");
  EXPECT_EQ(view["last_alive"].as_string(), rfc3339(kNow.wall)) << "it lives now";
  EXPECT_EQ(view["restarts"].as_int(), 3);
  EXPECT_EQ(view["limited_until"].as_string(), "2023-11-14T22:13:23.000Z");
  EXPECT_TRUE(view["paused"].as_bool());
}

TEST(View, SaysWhatWasUsedToday) {
  model::Agent agent;
  const Json nothing = view_of(agent, kNow)["spent"];
  EXPECT_EQ(nothing["day"].as_string(), "2025-11-15");
  for (const char* key : {"tokens", "cost_usd", "budget_tokens", "budget_usd"})
    EXPECT_TRUE(nothing.has(key) && nothing[key].is_null()) << key;
  agent.spec.budget = {1000, 2.5, 80};
  model::spend(agent.memory.spending, {"2025-11-15", 1000, 0.25}, kNow.wall);
  const Json view = view_of(agent, kNow);
  EXPECT_EQ(view["spent"]["tokens"].as_int(), 1000);
  EXPECT_EQ(view["spent"]["cost_usd"].as_double(), 0.25);
  EXPECT_EQ(view["spent"]["budget_tokens"].as_int(), 1000);
  EXPECT_EQ(view["spent"]["budget_usd"].as_double(), 2.5);
  EXPECT_TRUE(view["spent"]["used_up"].as_bool());
  EXPECT_EQ(view["cost_usd"].as_double(), 0.25);
  const Clock tomorrow{MonoTime{}, kNow.wall + std::chrono::hours{24}};
  EXPECT_EQ(view_of(agent, tomorrow)["spent"]["tokens"].as_int(-1), 0);
  EXPECT_FALSE(view_of(agent, tomorrow)["spent"]["used_up"].as_bool());
}

TEST(View, UnknownIsNullAndNeverAbsent) {
  const Json view = view_of(model::Agent{}, kNow);
  for (const char* key : {"kind", "tier", "pid", "session_id", "last_alive", "limited_until",
                          "human_last_seen", "tokens", "cost_usd", "exit_code", "signal"}) {
    EXPECT_TRUE(view.has(key)) << key;
    EXPECT_TRUE(view[key].is_null()) << key;
  }
}

TEST(View, AnEndedProgramHasNoPidAndAnEnd) {
  model::Agent agent = model::full_agent("a");
  agent.state = model::State::crashed;
  agent.ending = model::Ending{3, 0, true};
  Json view = view_of(agent, kNow);
  EXPECT_TRUE(view["pid"].is_null());
  EXPECT_EQ(view["last_alive"].as_string(), "2023-11-14T22:13:21.000Z");
  EXPECT_EQ(view["exit_code"].as_int(), 3);
  EXPECT_TRUE(view["signal"].is_null());
  agent.ending = model::Ending{-1, 9, true};
  view = view_of(agent, kNow);
  EXPECT_TRUE(view["exit_code"].is_null());
  EXPECT_EQ(view["signal"].as_int(), 9);
  agent.ending = model::Ending{-1, 0, false};
  view = view_of(agent, kNow);
  EXPECT_TRUE(view["exit_code"].is_null());
  EXPECT_TRUE(view["signal"].is_null());
}

std::vector<std::string> keys_of(const Json& view) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : view.members()) keys.push_back(key);
  return keys;
}

TEST(View, HasWhatWasAskedForAndNothingElse) {
  const auto agent = model::full_agent("a");
  const Json all = view_of(agent, kNow);
  for (const auto& [key, value] : all.members())
    EXPECT_EQ(view_of(agent, kNow, fields_of({key})).dump(), Json::object({{key, value}}).dump());
  const Json some = view_of(agent, kNow, fields_of({"state", "no-such-key", "name", "state"}));
  EXPECT_EQ(keys_of(some), (std::vector<std::string>{"name", "state"}));
}

TEST(View, AListSaysTheLastLineWhenThatIsAskedFor) {
  model::Fleet fleet;
  fleet.agents["a"] = model::full_agent("a");
  int looks = 0;
  const auto said = [&](const std::string& name) {
    ++looks;
    return Json("of " + name);
  };
  const auto first = [&](const std::vector<std::string>& keys) {
    return list_view(fleet, kNow, said, keys)["agents"].items().at(0);
  };
  EXPECT_EQ(first({"name"}).dump(), R"({"name":"a"})");
  EXPECT_EQ(looks, 0) << "a screen is not read for nothing";
  EXPECT_EQ(first({"last_line", "name"}).dump(), R"({"name":"a","last_line":"of a"})");
  auto everything = keys_of(view_of(fleet.agents["a"], kNow));
  everything.emplace_back("last_line");
  EXPECT_EQ(keys_of(first({})), everything);
}

TEST(View, AListHasAVersion) {
  model::Fleet fleet;
  EXPECT_EQ(list_view(fleet, kNow).dump(), R"({"version":1,"agents":[]})");
  fleet.agents["b"] = model::full_agent("b");
  fleet.agents["a"] = model::full_agent("a");
  const Json list = list_view(fleet, kNow);
  ASSERT_EQ(list["agents"].items().size(), 2u);
  EXPECT_EQ(list["agents"].items()[0]["name"].as_string(), "a");
}

}  // namespace
}  // namespace pawl::api
