#include "model/words.h"

#include <gtest/gtest.h>

#include <vector>

#include "model/event.h"

namespace pawl::model {
namespace {

template <class Enum>
void expect_words(std::optional<Enum> (*from)(std::string_view),
                  const std::vector<std::string>& words) {
  for (size_t i = 0; i < words.size(); ++i) {
    ASSERT_TRUE(from(words[i])) << words[i];
    EXPECT_EQ(*from(words[i]), static_cast<Enum>(i)) << words[i];
    EXPECT_EQ(word(static_cast<Enum>(i)), words[i]);
  }
  EXPECT_EQ(word(static_cast<Enum>(words.size())), "") << "there is one more";
  EXPECT_FALSE(from("chatter"));
  EXPECT_FALSE(from(""));
}

// These are in journals and in what programs read: they stay.
TEST(Words, AreThoseOfTheJournal) {
  expect_words(severity_from, {"info", "warning", "error"});
  expect_words(tier_from,
               {"process", "status", "hook", "file", "osc", "screen", "silence", "pattern"});
  expect_words(restart_from, {"never", "fresh", "resume"});
  expect_words(launch_from, {"fresh", "resume", "reset", "typed", "first"});
  expect_words(topic_from, {"limit", "auth", "outage", "compact"});
  expect_words(archived_from, {"conversation", "all"});
  expect_words(budget_mark_from, {"soft", "hard", "unpriced"});
}

TEST(Words, NobodyKnowsDisturbNobody) {
  const auto alert = fact_from("alert", *Json::parse(R"({"severity":"chatter","text":"x"})"));
  ASSERT_TRUE(alert);
  EXPECT_EQ(std::get<Alerted>(*alert).severity, Severity::info);
  const auto state = fact_from(
      "state", *Json::parse(R"({"from":"busy","to":"ready","tier":"a dream","because":"x"})"));
  ASSERT_TRUE(state);
  EXPECT_FALSE(std::get<StateChanged>(*state).tier);
}

TEST(Words, AnUnknownOneIsKeptAsItWasWritten) {
  const AgentSpec spec = spec_from_json(*Json::parse(R"({"name":"a","restart":"often"})"));
  EXPECT_FALSE(spec.restart.known());
  EXPECT_EQ(spec.restart, Restart::never);
  EXPECT_EQ(to_json(spec)["restart"].as_string(), "often");
  EXPECT_NE(spec.restart, AgentSpec{}.restart);
}

}  // namespace
}  // namespace pawl::model
