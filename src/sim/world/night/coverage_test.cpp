// Rare meetings, each brought about by a story of its own.

#include "sim/world/night/coverage.h"

#include <gtest/gtest.h>

#include <set>

#include "perceive/test_dialog.h"
#include "sim/world/night/marks.h"
#include "sim/world/night/night.h"

namespace pawl::sim {
namespace {

using namespace std::chrono_literals;

NightStory one_agent() {
  NightStory story;
  story.length = 1h;
  Actor& actor = story.actors.emplace_back();
  actor.model = actor.spec.runtime = actor.spec.name = "claude";
  actor.spec.command = {"claude"};
  actor.spec.dir = "/home/dev/claude";
  actor.spec.restart = model::Restart::resume;
  actor.seed = 7;
  return story;
}

Doing& add(NightStory& story, Duration at, Does does, std::string text = {}) {
  story.doings.push_back({at, does, "claude", std::move(text)});
  return story.doings.back();
}

uint64_t reached(const NightStory& story, Mark mark) {
  const auto report = Night(story, perceive::test::all_profiles()).run();
  EXPECT_TRUE(report.violations.empty()) << report.violations.front().what;
  return report.marks[static_cast<size_t>(mark)];
}

TEST(Coverage, EveryMarkHasWordsOfItsOwn) {
  std::set<std::string_view> words;
  for (size_t i = 0; i < kMarks; ++i) words.insert(word(static_cast<Mark>(i)));
  EXPECT_EQ(words.size(), kMarks);
  EXPECT_FALSE(words.contains(""));
}

TEST(Coverage, AnOrdinaryTextIsNoMark) {
  NightStory story = one_agent();
  add(story, 100s, Does::sends, "please look at " + mark_of(1));
  const auto report = Night(story, perceive::test::all_profiles()).run();
  EXPECT_EQ(report.taken, 1u);
  for (size_t i = 0; i < kMarks; ++i) EXPECT_EQ(report.marks[i], 0u) << word(static_cast<Mark>(i));
}

TEST(Coverage, ATextComesWhileItsAgentIsLimited) {
  NightStory story = one_agent();
  add(story, 60s, Does::submits, "go on");
  add(story, 61s, Does::befalls, "fail limit 20m");
  add(story, 200s, Does::sends, "please look at " + mark_of(1));
  EXPECT_EQ(reached(story, Mark::text_while_limited), 1u);
}

TEST(Coverage, TheDaemonIsKilledBeforeAndAfterATextIsTyped) {
  for (const bool typed : {false, true}) {
    NightStory story = one_agent();
    Doing& kill = add(story, 100s, Does::kills_daemon);
    kill.length = 2s;
    if (typed) {
      kill.upon = model::Action::send;
      kill.after = 50ms;
    } else {
      kill.number = 3;  // its second batch: the decision
    }
    add(story, 100s, Does::sends, "please look at " + mark_of(1));
    EXPECT_EQ(reached(story, Mark::killed_before_effect), typed ? 0u : 1u);
    EXPECT_EQ(reached(story, Mark::killed_before_outcome), typed ? 1u : 0u);
  }
}

TEST(Coverage, AKeptAnswerIsUsed) {
  NightStory story = one_agent();
  const char* asks = "ask question Which database? // SQLite\nPostgres";
  add(story, 100s, Does::befalls, asks);
  add(story, 120s, Does::answers);
  add(story, 140s, Does::answers, std::string(kKeep));
  add(story, 900s, Does::befalls, asks);
  EXPECT_EQ(reached(story, Mark::answer_kept), 1u);
}

}  // namespace
}  // namespace pawl::sim
