// Nights with tasks of the fleet: leases that are renewed, heard of late, or lost.

#include <gtest/gtest.h>

#include "base/test_sanitized.h"
#include "perceive/test_dialog.h"
#include "sim/world/invariants/test_told.h"
#include "sim/world/night/draw.h"
#include "sim/world/night/night.h"
#include "sim/world/night/story_file.h"

namespace pawl::sim {
namespace {

using namespace std::chrono_literals;

// One task, which works for ten minutes, run a minute after the night began.
NightStory one_leased(uint64_t seed = 5) {
  NightStory story;
  story.length = 2h;
  TaskActor task;
  task.program = "plain";
  task.seed = seed;
  task.leased = true;
  task.ways.works_from = task.ways.works_to = 10min;
  task.spec.name = "task-t1";
  task.spec.runtime = "generic";
  task.spec.command = {"work"};
  task.spec.dir = "/home/dev/t1";
  task.spec.restart = model::Restart::never;
  story.tasks.push_back(task);
  story.doings.push_back({1min, Does::runs_task, task.spec.name});
  return story;
}

Doing for_long(Duration at, Does does, Duration length) {
  Doing doing;
  doing.at = at;
  doing.does = does;
  doing.length = length;
  return doing;
}

// How it ended, and the first violation if there is one.
std::string how_it_came(const NightStory& story) {
  Night night(story, perceive::test::all_profiles());
  std::string out;
  night.saw = [&](const Clock&, const model::Event& event) {
    if (const auto* ended = std::get_if<model::TaskEnded>(&event.fact))
      out += std::string(word(ended->status)) + ": " + ended->reason;
  };
  const auto report = night.run();
  if (!report.violations.empty())
    out += "; " + report.violations.front().checker + ": " + report.violations.front().what;
  return out;
}

std::string and_then(const std::vector<Doing>& doings) {
  NightStory story = one_leased();
  story.doings.insert(story.doings.end(), doings.begin(), doings.end());
  return how_it_came(story);
}

constexpr const char* kLeaseDone = "completed: exit code 0";
constexpr const char* kLeaseGone = "abandoned: lease_lost";

TEST(NightLeases, OneThatIsRenewedComesToItsEnd) {
  EXPECT_EQ(how_it_came(one_leased()), kLeaseDone);
  EXPECT_EQ(how_it_came(one_leased(6)), kLeaseDone);
}

TEST(NightLeases, ABusThatIsAwayForLongEndsIt) {
  EXPECT_EQ(and_then({for_long(2min, Does::cuts_bus, 5s)}), kLeaseDone);
  EXPECT_EQ(and_then({for_long(2min, Does::cuts_bus, 1min)}), kLeaseGone);
}

TEST(NightLeases, SomebodyElseHasIt) {
  EXPECT_EQ(and_then({{2min, Does::loses_lease, "task-t1"}}), kLeaseGone);
}

TEST(NightLeases, ADaemonThatIsAwayForLongEndsItToo) {
  EXPECT_EQ(and_then({for_long(2min, Does::kills_daemon, 5s)}), kLeaseDone);
  EXPECT_EQ(and_then({for_long(2min, Does::kills_daemon, 1min)}), kLeaseGone);
  EXPECT_EQ(
      and_then({for_long(2min, Does::kills_daemon, 5s), for_long(122s, Does::cuts_bus, 1min)}),
      kLeaseGone)
      << "it is not gone on with before it was confirmed";
}

TEST(NightLeases, AMachineThatSleepsOverItsEnd) {
  EXPECT_EQ(and_then({for_long(2min, Does::suspends, 10s)}), kLeaseDone);
  EXPECT_EQ(and_then({for_long(2min, Does::suspends, 1h)}), kLeaseGone);
  EXPECT_EQ(and_then({for_long(2min, Does::reboots, 5min)}), kLeaseGone);
}

TEST(NightLeases, ADiskThatIsFullEndsNoMoreThanItsRun) {
  const std::string came = and_then({{2min, Does::fills_disk}, {4min, Does::frees_disk}});
  EXPECT_TRUE(came == kLeaseDone || came == kLeaseGone) << came;
}

TEST(NightLeases, AStoryThatIsWrittenDownHasThem) {
  const NightStory story = one_leased();
  const auto read = read_night(write_night(story, {}), "n.toml");
  ASSERT_TRUE(read) << text_of(read.error());
  EXPECT_TRUE(read->tasks[0].leased);
}

TEST(NightLeases, WhateverDiesNothingRunsAfterItsLeasesEnd) {
  for (uint64_t seed = 1; seed <= (kSanitized ? 6 : 40); ++seed) {
    NightOrder order;
    order.seed = seed;
    order.agents = 1;
    order.hours = 6;
    order.faults = *faults_from("kill,holder,suspend,clock,disk,slow,reboot,bus");
    order.policy.mode = "active";
    order.policy.restart = model::Restart::resume;
    order.policy.prompt = "Go on with the next step.";
    NightStory story = draw(order);
    for (auto& task : story.tasks) task.leased = true;
    Night night(story, perceive::test::all_profiles());
    const auto report = night.run();
    for (const auto& one : report.violations)
      ADD_FAILURE() << "seed " << seed << ": " << one.checker << ": " << one.agent << ": "
                    << one.what;
  }
}

// The judge of beginnings.
struct ToldLease : Told {
  ToldLease() : Told(check_leases()) {
    now.boot = BootTime{1h};
    model::TaskOrder order;
    order.name = "t";
    order.lease = {"u", "n", 7};
    write(model::Registered{spec});
    write(model::TaskGiven{order});
  }
  void heard(Duration left) { checker().leased(now, "a", now.boot + left); }
};

TEST(LeasesChecker, SeesABeginningWithoutTimeAndAnEventWithoutItsFence) {
  ToldLease told;
  told.heard(30s);
  told.decide(model::Action::start);
  EXPECT_EQ(told.found(), "an event without its fence");
  ToldLease late;
  late.heard(8s);
  late.decide(model::Action::restart);
  EXPECT_NE(late.all_found().find("restart with 8 s of its lease left"), std::string::npos);
  ToldLease unheard;
  unheard.heard(30s);
  unheard.checker().died({}, {});
  unheard.decide(model::Action::restart);
  EXPECT_NE(unheard.all_found().find("restart with 0 s of its lease left"), std::string::npos);
}

}  // namespace
}  // namespace pawl::sim
