// Whole nights through the daemon's own engine, and the files that tell of them.

#include "sim/world/night/night.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/source_dir.h"
#include "perceive/test_dialog.h"
#include "sim/world/night/draw.h"
#include "sim/world/night/marks.h"
#include "sim/world/night/shrink.h"
#include "sim/world/night/story_file.h"

namespace pawl::sim {
namespace {

NightOrder order_of(uint64_t seed, size_t agents, double hours, const char* faults) {
  NightOrder order;
  order.seed = seed;
  order.agents = agents;
  order.hours = hours;
  order.faults = *faults_from(faults);
  order.policy.mode = "active";
  order.policy.restart = model::Restart::resume;
  order.policy.prompt = "Go on with the next step.";
  return order;
}

NightReport play(const NightStory& story) {
  return Night(story, perceive::test::all_profiles()).run();
}

std::string first(const NightReport& report) {
  return report.violations.empty()
             ? ""
             : report.violations.front().checker + ": " + report.violations.front().what;
}

TEST(Night, TheSameSeedIsTheSameNight) {
  const auto one = play(draw(order_of(4, 5, 6, "all")));
  const auto again = play(draw(order_of(4, 5, 6, "all")));
  const auto other = play(draw(order_of(5, 5, 6, "all")));
  EXPECT_EQ(one.digest, again.digest);
  EXPECT_EQ(one.decisions, again.decisions);
  EXPECT_NE(one.digest, other.digest);
  EXPECT_GT(one.decisions, 20u);
}

TEST(Night, AgentsAreKeptAtWorkInACalmNight) {
  NightOrder order = order_of(1, 4, 6, "none");
  NightStory story = draw(order);
  story.doings.clear();
  for (auto& actor : story.actors) {
    actor.model = actor.spec.runtime = "claude";
    actor.behaviour = {};
    actor.behaviour.turn_from = std::chrono::minutes{1};
    actor.behaviour.turn_to = std::chrono::minutes{2};
  }
  const auto report = play(story);
  EXPECT_EQ(first(report), "");
  EXPECT_GT(report.did.at("nudge"), 200u) << "each of them, five minutes after each turn";
  EXPECT_GT(report.hours[static_cast<size_t>(model::State::busy)], 1.0);
}

TEST(Night, ATextArrivesOnceAlsoWhenTheDaemonIsKilledAnywhere) {
  NightOrder order = order_of(9, 1, 1, "none");
  NightStory story = draw(order);
  story.actors[0].behaviour = {};
  for (size_t point = 0; point < 24; ++point) {
    story.doings.clear();
    Doing kill{std::chrono::seconds{100}, Does::kills_daemon};
    kill.number = point;
    kill.length = std::chrono::seconds{2};
    Doing text{std::chrono::seconds{100}, Does::sends, story.actors[0].spec.name};
    text.text = "please look at " + mark_of(1);
    story.doings = {kill, text};
    EXPECT_EQ(first(play(story)), "") << "killed at point " << point;
  }
}

// S15: what was being typed when its program died was lost, although Enter had not been pressed.
TEST(Night, ATextThatWasNotSentWhenItsProgramDiedArrivesInItsNextLife) {
  NightStory story = draw(order_of(9, 1, 1, "none"));
  story.actors[0].model = story.actors[0].spec.runtime = "claude";
  story.actors[0].spec.restart = model::Restart::fresh;
  story.actors[0].spec.prompt.clear();
  story.actors[0].behaviour = {};
  Doing text{std::chrono::seconds{100}, Does::sends, story.actors[0].spec.name};
  text.text = "please look at " + mark_of(1);
  Doing crash{std::chrono::seconds{90}, Does::befalls, story.actors[0].spec.name, "crash"};
  crash.upon = model::Action::send;
  crash.after = std::chrono::milliseconds{60};
  story.doings = {crash, text};
  Night night(story, perceive::test::all_profiles());
  std::vector<std::string> outcomes;
  night.saw = [&](const Clock&, const model::Event& event) {
    const auto* finished = std::get_if<model::Finished>(&event.fact);
    if (finished && finished->action == model::Action::send)
      outcomes.emplace_back(word(finished->verdict));
  };
  EXPECT_EQ(first(night.run()), "");
  EXPECT_EQ(outcomes, (std::vector<std::string>{"failed", "confirmed"}));
}

// The daemon was woken again and again for what it does not do while the journal refuses: counting what conversations used.
TEST(Night, TheDaemonRestsWhileTheDiskIsFull) {
  const auto story = read_night(R"(
night_hours = 2
seed = 6
[[actor]]
name = "claude-7"
program = "claude"
seed = 536564160206247387
[actor.agent]
runtime = "claude"
command = ["claude"]
dir = "/home/dev/claude-7"
mode = "active"
restart = "fresh"
prompt = "Go on with the next step of your work."
[actor.behaviour]
turn_from_s = 44.558776
turn_to_s = 505.341396
[[doing]]
at_s = 29.476063
does = "fills disk"
)",
                                "night.toml");
  ASSERT_TRUE(story) << story.error().what;
  EXPECT_EQ(first(play(*story)), "");
}

// "resets 12:11am", first read at 12:21am because no daemon was running or a dialog was over it, was waited for until tomorrow.
TEST(Night, ALimitThatWasOverBeforeItWasReadIsNotTomorrows) {
  for (const bool dialog : {false, true}) {
    NightStory story = draw(order_of(9, 1, 3, "none"));
    story.actors[0].model = story.actors[0].spec.runtime = "claude";
    story.actors[0].behaviour = {};
    const std::string& name = story.actors[0].spec.name;
    Doing works{std::chrono::seconds{100}, Does::befalls, name, "work 3m"};
    Doing limit{std::chrono::seconds{110}, Does::befalls, name, "fail limit 10m"};
    Doing covers{std::chrono::seconds{111}, Does::befalls, name, "ask command rm -rf build"};
    if (!dialog) covers = {std::chrono::seconds{99}, Does::kills_daemon};
    covers.length = std::chrono::minutes{20};
    Doing answers{std::chrono::minutes{20}, Does::answers, name};
    story.doings = {covers, works, limit, answers};
    std::stable_sort(story.doings.begin(), story.doings.end(),
                     [](const Doing& a, const Doing& b) { return a.at < b.at; });
    const auto report = play(story);
    EXPECT_EQ(first(report), "");
    EXPECT_LT(report.hours[static_cast<size_t>(model::State::limited)], 0.5) << dialog;
    EXPECT_GT(report.did.at("nudge"), 2u) << dialog;
  }
}

// What a program does not show as it was typed came back and was given again at once, every few seconds, for ever.
TEST(Night, WorkThatComesBackIsNotGivenAgainAtOnce) {
  NightStory story = draw(order_of(9, 1, 2, "none"));
  story.actors[0].model = story.actors[0].spec.runtime = "claude";
  story.actors[0].behaviour = {};
  story.actors[0].behaviour.eats_paste = 1;
  Doing work{std::chrono::seconds{60}, Does::gives_work, story.actors[0].spec.name};
  work.text = "work-1.md";
  story.doings = {work};
  Night night(story, perceive::test::all_profiles());
  size_t given = 0, told = 0;
  night.saw = [&](const Clock&, const model::Event& event) {
    const auto* decided = std::get_if<model::Decided>(&event.fact);
    if (!decided || decided->rule != model::kWorkRule) return;
    ++(decided->action == model::Action::wake ? given : told);
  };
  EXPECT_EQ(first(night.run()), "");
  EXPECT_GE(given, 3u);
  EXPECT_LE(given, 30u);
  EXPECT_EQ(told, 1u);
}

TEST(Night, AStoryIsWrittenAndReadAgainWithoutADifference) {
  const NightStory story = draw(order_of(6, 6, 6, "all"));
  const std::string text = write_night(story, {"a comment", "with\na line"});
  ASSERT_TRUE(is_night(text));
  const auto back = read_night(text, "night.toml");
  ASSERT_TRUE(back) << back.error().what;
  EXPECT_EQ(write_night(*back, {}), write_night(story, {}));
  EXPECT_EQ(play(*back).digest, play(story).digest);
}

// Each went wrong once, in the way its first lines say: test/nights.
TEST(Night, WhatWasFoundOnceDoesNotComeBack) {
  size_t played = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(source_dir()) + "/test/nights")) {
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    const std::string name = entry.path().filename().string();
    const auto story = read_night(text.str(), name);
    ASSERT_TRUE(story) << text_of(story.error());
    EXPECT_EQ(first(play(*story)), "") << name;
    ++played;
  }
  EXPECT_GT(played, 10u);
}

TEST(Night, AWordNobodyKnowsIsNamedWithItsLine) {
  const auto wrong = [](const std::string& text) {
    const auto story = read_night(text, "n.toml");
    return story ? std::string("it was read") : story.error().what;
  };
  const std::string head = "night_hours = 1.0\n[[actor]]\nname = \"a\"\nprogram = \"claude\"\n";
  EXPECT_EQ(wrong(head), "it was read");
  EXPECT_EQ(wrong("night_hours = 1\nseeed = 3\n"), "n.toml:2:1: unknown key 'seeed' in the night");
  EXPECT_EQ(wrong(head + "[[doing]]\ndoes = \"dances\"\n"), "n.toml:5:1: nobody 'dances'");
  EXPECT_EQ(wrong(head + "[[doing]]\ndoes = \"sends\"\nagent = \"b\"\n"),
            "n.toml:1:1: there is no [[actor]] 'b'");
  EXPECT_EQ(wrong("night_hours = 1\n[[actor]]\nname = \"a\"\nprogram = \"vim\"\n"),
            "n.toml:2:1: there is no program 'vim' in this world");
  EXPECT_EQ(wrong(head + "[actor.behaviour]\nlazy = 1\n"),
            "n.toml:6:1: unknown key 'lazy' in 'behaviour'");
}

TEST(Night, FaultsByTheirNames) {
  EXPECT_TRUE(faults_from("none")->empty());
  EXPECT_EQ(faults_from("all")->size(), kFaults);
  EXPECT_EQ(*faults_from("kill,limit"), (Faults{Fault::kill, Fault::limit}));
  EXPECT_EQ(faults_from("kill,rain").error().what, "--faults: there is no fault 'rain'");
  for (const auto& doing : draw(order_of(3, 5, 12, "none")).doings)
    EXPECT_TRUE(doing.does < Does::kills_daemon || doing.does == Does::calms) << word(doing.does);
}

TEST(Night, TheShortestStoryHasOnlyWhatIsNeeded) {
  const NightStory story = draw(order_of(7, 12, 12, "all"));
  const auto sends = std::find_if(story.doings.begin(), story.doings.end(),
                                  [](const Doing& doing) { return doing.does == Does::sends; });
  ASSERT_NE(sends, story.doings.end());
  const Doing needed = *sends;
  size_t plays = 0;
  const Play goes_wrong = [&](const NightStory& shorter) -> std::vector<Violation> {
    ++plays;
    for (const auto& doing : shorter.doings)
      if (doing.text == needed.text) return {{{}, "texts", needed.agent, "it is wrong"}};
    return {};
  };
  const auto shortest = shrink(story, {{}, "texts", needed.agent, "it is wrong"}, goes_wrong, 1000);
  ASSERT_EQ(shortest.story.actors.size(), 1u);
  EXPECT_EQ(shortest.story.actors[0].spec.name, needed.agent);
  ASSERT_EQ(shortest.story.doings.size(), 1u);
  EXPECT_EQ(shortest.story.doings[0].text, needed.text);
  EXPECT_EQ(shortest.plays, plays);
  EXPECT_LE(shrink(story, {{}, "texts", needed.agent, ""}, goes_wrong, 5).plays, 5u);
}

}  // namespace
}  // namespace pawl::sim
