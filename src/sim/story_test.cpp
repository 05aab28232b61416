// Every story in test/policy, told in virtual time. They are named by the requirement they are about.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/source_dir.h"
#include "base/text.h"
#include "sim/simulation.h"
#include "sim/test_profiles.h"

namespace pawl::sim {
namespace {

struct Story {
  std::string name, text;
};

std::vector<Story> stories() {
  std::vector<Story> out;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(source_dir()) + "/test/policy")) {
    if (entry.path().extension() != ".toml") continue;
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    out.push_back({entry.path().filename().string(), text.str()});
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return out;
}

std::vector<model::Event> told(const std::string& text, const std::string& name) {
  auto story = model::parse_scenario(text, name);
  EXPECT_TRUE(story) << text_of(story.error());
  if (!story) return {};
  Simulation simulation(*story, test_profiles());
  return simulation.run();
}

TEST(Story, EachGoesAsItSays) {
  for (const auto& [name, text] : stories()) {
    const auto story = model::parse_scenario(text, name);
    ASSERT_TRUE(story) << text_of(story.error());
    EXPECT_TRUE(story->expected) << name << " expects nothing: write [[expect]], or expect = []";
    EXPECT_FALSE(story->about.empty()) << name;
    Simulation simulation(*story, test_profiles());
    simulation.run();
    EXPECT_EQ(join(simulation.surprises(), "\n"), "") << name;
  }
}

// A row of the requirements without a story is a promise nobody keeps.
TEST(Story, EveryRowHasOne) {
  const auto all = stories();
  for (const std::string row :
       {"A4", "A5", "A6", "A7", "A8", "A9",  "A10", "A14", "A15", "W2", "W3",
        "W4", "W5", "W6", "W8", "W9", "W10", "W11", "C6",  "X1",  "X12"})
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Story& story) {
      return story.name.starts_with(row + "-");
    })) << row;
}

TEST(Story, ToldTwiceItIsTheSame) {
  for (const auto& [name, text] : stories()) EXPECT_EQ(told(text, name), told(text, name)) << name;
}

// Every decision has exactly one outcome, and every restart, park and escalation an alert a person sees (A11, W13).
TEST(Story, DecisionsHaveOutcomesAndPeopleAreTold) {
  for (const auto& [name, text] : stories()) {
    std::map<uint64_t, int> open;
    size_t told_of = 0, alerts = 0;
    for (const auto& event : told(text, name)) {
      if (const auto* fact = std::get_if<model::Decided>(&event.fact)) {
        open[event.seq.value] = 0;
        const bool tells =
            fact->action == model::Action::restart || fact->action == model::Action::park ||
            fact->action == model::Action::escalate || fact->action == model::Action::limit_wait;
        if (!fact->rule.empty() && tells) ++told_of;
        EXPECT_FALSE(fact->because.empty()) << name;
      }
      if (const auto* fact = std::get_if<model::Finished>(&event.fact))
        ++open[fact->decision.value];
      if (std::holds_alternative<model::Alerted>(event.fact)) ++alerts;
    }
    for (const auto& [seq, outcomes] : open) EXPECT_EQ(outcomes, 1) << name << " decision " << seq;
    EXPECT_EQ(alerts, told_of) << name;
  }
}

}  // namespace
}  // namespace pawl::sim
