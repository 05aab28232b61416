// Nights with tasks through the daemon's own engine.

#include <gtest/gtest.h>

#include <algorithm>

#include "perceive/test_dialog.h"
#include "sim/world/night/draw.h"
#include "sim/world/night/night.h"
#include "sim/world/night/shrink.h"
#include "sim/world/night/story_file.h"

namespace pawl::sim {
namespace {

using namespace std::chrono_literals;

NightOrder order_with_tasks(uint64_t seed, const char* faults) {
  NightOrder order;
  order.seed = seed;
  order.agents = 1;
  order.hours = 12;
  order.faults = *faults_from(faults);
  order.policy.mode = "active";
  order.policy.restart = model::Restart::resume;
  order.policy.prompt = "Go on with the next step.";
  return order;
}

// One task, run a minute after the night began.
NightStory with_task(const char* program, const TaskWays& ways = {}) {
  NightStory story;
  story.length = 8h;
  TaskActor task;
  task.program = program;
  task.seed = 5;
  task.ways = ways;
  task.spec.name = std::string(task.program == "plain" ? "task" : program) + "-t1";
  task.spec.runtime = task.program == "plain" ? "generic" : program;
  task.spec.command = {program};
  task.spec.dir = "/home/dev/t1";
  task.spec.restart = model::Restart::never;
  story.tasks.push_back(task);
  story.doings.push_back({1min, Does::runs_task, task.spec.name});
  return story;
}

// What became of its task, with what was decided on the way, and the first violation if there is one.
struct Outcome {
  std::string status, wrong;
  int restarts = 0;
};

Outcome outcome(const NightStory& story) {
  Night night(story, perceive::test::all_profiles());
  Outcome out;
  night.saw = [&](const Clock&, const model::Event& event) {
    if (const auto* ended = std::get_if<model::TaskEnded>(&event.fact))
      out.status += std::string(word(ended->status)) + ": " + ended->reason;
    const auto* decided = std::get_if<model::Decided>(&event.fact);
    if (decided && decided->action == model::Action::restart) ++out.restarts;
  };
  const auto report = night.run();
  if (!report.violations.empty())
    out.wrong = report.violations.front().checker + ": " + report.violations.front().what;
  return out;
}

void expect(const NightStory& story, const char* status, int restarts = 0) {
  const auto came = outcome(story);
  EXPECT_EQ(came.status, status);
  EXPECT_EQ(came.wrong, "");
  EXPECT_EQ(came.restarts, restarts);
}

TaskWays always(double TaskWays::*way) {
  TaskWays out;
  out.*way = 1;
  return out;
}

TEST(NightTasks, EachWayComesToItsOwnEnd) {
  expect(with_task("plain"), "completed: exit code 0");
  expect(with_task("claude"), "completed: it came to its end");
  expect(with_task("claude", always(&TaskWays::silent)), "completed: it came to its end");
  expect(with_task("claude", always(&TaskWays::floods)), "completed: it came to its end");
  expect(with_task("claude", always(&TaskWays::lingers)), "completed: it came to its end");
  expect(with_task("claude", always(&TaskWays::fails)), "failed: I give up");
  expect(with_task("claude", always(&TaskWays::denied)),
         "completed-with-denials: it was refused 1 time, first: Bash");
  expect(with_task("claude", always(&TaskWays::auth)),
         "failed: its login fails: Invalid API key, please run /login");
  expect(with_task("claude", always(&TaskWays::hangs)), "abandoned: max_retries_exceeded", 10);
  expect(with_task("plain", always(&TaskWays::crashes)), "abandoned: max_retries_exceeded", 10);
  expect(with_task("claude", always(&TaskWays::vanishes)), "abandoned: max_retries_exceeded", 10);
  expect(with_task("plain", always(&TaskWays::hangs)), "abandoned: deadline");
}

TEST(NightTasks, APersonCancelsOneAndGoesOnWithIt) {
  NightStory story = with_task("claude", always(&TaskWays::hangs));
  story.doings.push_back({90s, Does::cancels_task, "claude-t1"});
  expect(story, "cancelled: cancelled");
  story.doings.push_back({10min, Does::resumes_task, "claude-t1", "file"});
  story.doings.push_back({11min, Does::calms});
  expect(story, "cancelled: cancelledcompleted: it came to its end", 2);
}

// It was run again, and its result was taken away from it.
TEST(NightTasks, OneThatHasItsResultIsNotStartedAgain) {
  for (const Does does : {Does::starts, Does::restarts, Does::resumes_task}) {
    NightStory story = with_task("plain");
    story.doings.push_back({7h, does, "task-t1"});
    expect(story, "completed: exit code 0");
  }
}

// Asleep, or without a daemon, or with another time on the clock: it says something every hundred seconds, and that is its way.
TEST(NightTasks, OneThatIsSilentForAMomentIsNotTakenForHung) {
  TaskWays slow;
  slow.works_from = slow.works_to = 20min;
  slow.says_every = 110s;
  for (const Does does : {Does::suspends, Does::sets_clock, Does::kills_daemon}) {
    NightStory story = with_task("claude", slow);
    for (int i = 0; i < 8; ++i) {
      story.doings.push_back({2min + 140s * i, does});
      story.doings.back().length = does == Does::kills_daemon ? Duration{30s} : Duration{1h};
    }
    expect(story, "completed: it came to its end");
  }
}

// The simulated host took the end for told, although nobody had been there to hear it.
TEST(NightTasks, OneThatBeginsAndEndsWhileNoDaemonRunsIsHeardOf) {
  NightStory story = with_task("plain");
  story.doings.insert(story.doings.begin(), {30s, Does::slows_host});
  story.doings.front().length = 30s;
  story.doings.push_back({70s, Does::kills_daemon});
  story.doings.back().length = 1h;
  expect(story, "completed: exit code 0");
}

TEST(NightTasks, TheDaemonIsKilledAnywhereInItsLife) {
  for (const auto upon : {model::Action::start, model::Action::finish, model::Action::restart})
    for (size_t point = 0; point < 6; ++point) {
      NightStory story = with_task("plain");
      Doing kill{30s, Does::kills_daemon, "task-t1"};
      kill.upon = upon;
      kill.number = point;
      kill.length = 20s;
      Doing crash{90s, Does::befalls, "task-t1", "oom"};
      story.doings.insert(story.doings.begin(), kill);
      story.doings.push_back(crash);
      EXPECT_EQ(outcome(story).wrong, "") << word(upon) << ", killed at point " << point;
      EXPECT_EQ(outcome(story).status, "completed: exit code 0") << word(upon) << " " << point;
    }
}

// Nights keep little (night_retention); those with an odd seed are read.
TEST(NightTasks, WhatIsOverGoesAndAnUnreadOneAfterAWord) {
  for (const uint64_t seed : {4, 5}) {
    NightStory story = with_task("plain");
    story.tasks[0].seed = seed;
    Night night(story, perceive::test::all_profiles());
    int told = 0, gone = 0;
    night.saw = [&](const Clock&, const model::Event& event) {
      const auto* fact = std::get_if<model::Forgotten>(&event.fact);
      if (fact && fact->what == model::Forget::tasks) ++(fact->upto ? told : gone);
    };
    EXPECT_TRUE(night.run().violations.empty()) << seed;
    EXPECT_EQ(told, seed % 2 == 0 ? 1 : 0) << seed;
    EXPECT_EQ(gone, 1) << seed;
  }
}

TEST(NightTasks, SomeNightsHaveThemAndTheRestOfANightIsTheSame) {
  size_t with = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const auto story = draw(order_with_tasks(seed, "all"));
    if (story.tasks.empty()) continue;
    ++with;
    for (const auto& task : story.tasks)
      EXPECT_TRUE(std::any_of(story.doings.begin(), story.doings.end(), [&](const Doing& one) {
        return one.does == Does::runs_task && one.agent == task.spec.name;
      }));
  }
  EXPECT_GT(with, 10u);
  EXPECT_LT(with, 35u);
}

TEST(NightTasks, AStoryWithTasksIsWrittenReadAndShortened) {
  uint64_t seed = 1;
  NightStory story = draw(order_with_tasks(seed, "all"));
  while (story.tasks.size() < 3) story = draw(order_with_tasks(++seed, "all"));
  const std::string text = write_night(story, {});
  const auto back = read_night(text, "night.toml");
  ASSERT_TRUE(back) << back.error().what;
  EXPECT_EQ(write_night(*back, {}), text);
  EXPECT_EQ(Night(*back, perceive::test::all_profiles()).run().digest,
            Night(story, perceive::test::all_profiles()).run().digest);
  const std::string needed = story.tasks[1].spec.name;
  const Play goes_wrong = [&](const NightStory& shorter) -> std::vector<Violation> {
    for (const auto& doing : shorter.doings)
      if (doing.does == Does::runs_task && doing.agent == needed)
        return {{{}, "tasks", needed, "it is wrong"}};
    return {};
  };
  const auto shortest = shrink(story, {{}, "tasks", needed, "it is wrong"}, goes_wrong, 1000).story;
  EXPECT_TRUE(shortest.actors.empty());
  ASSERT_EQ(shortest.tasks.size(), 1u);
  EXPECT_EQ(shortest.doings.size(), 1u);
}

TEST(NightTasks, AWordNobodyKnowsIsNamed) {
  const auto wrong = [](const std::string& more) {
    const auto story =
        read_night("night_hours = 1.0\n[[task]]\nname = \"task-a\"\n" + more, "n.toml");
    return story ? std::string("it was read") : story.error().what;
  };
  EXPECT_EQ(wrong("program = \"plain\"\n"), "it was read");
  EXPECT_EQ(wrong("program = \"vim\"\n"),
            "n.toml:2:1: there is no task program 'vim' in this world");
  EXPECT_EQ(wrong("program = \"plain\"\n[task.ways]\nlazy = 1\n"),
            "n.toml:6:1: unknown key 'lazy' in 'ways'");
  EXPECT_EQ(wrong("program = \"plain\"\n[[doing]]\ndoes = \"runs task\"\nagent = \"b\"\n"),
            "n.toml:1:1: there is no [[task]] 'b'");
}

}  // namespace
}  // namespace pawl::sim
