#include "core/engine_world.h"
#include "core/parts/forgetting.h"
#include "os/file.h"
#include "store/survey.h"
#include "store/task_files.h"

namespace pawl::core {
namespace {

using namespace std::chrono_literals;

constexpr double kDay = 1;

// Tasks of one word each, and somebody who looks at the disk when that is asked for.
struct ForgetWorld : EngineWorld {
  ForgetWorld() {
    keep = model::Retention{};
    live();
  }

  std::map<std::string, std::string> dirs;

  void give(const std::string& name) {
    dirs[name] = store::make_task_dir(engine->files().disk(), home.path(), name, {"do it\n", {}})
                     .value_or(store::TaskDir{})
                     .path;
    TaskAsked ask;
    ask.spec.name = "task-" + name;
    ask.spec.command = {"prog"};
    ask.spec.dir = "/";
    ask.order.name = name;
    ask.order.dir = dirs[name];
    ask.order.start = {"prog"};
    ask.order.format = "plain";
    ask.spec.task_health.deadline_s = ask.spec.task_health.base_s = 1e9;
    engine->submit(ask);
    turn();
    host.runs(session("task-" + name));
    turn();
  }
  void over(const std::string& name, bool read = true) {
    give(name);
    host.prints(session("task-" + name), "its words\r\n");
    host.ends(session("task-" + name), 0);
    turn();
    for (int i = 0; i < 4; ++i) turn(1s);
    ASSERT_TRUE(journal.filed.rows.contains("task-" + name));
    journal.filed.rows.at("task-" + name).task->read = read;
  }
  // Files are of the machine's time, rows of the world's: a survey is told the world's.
  void survey() {
    auto held = store::survey(engine->files().disk(), home.path());
    for (auto* all : {&held.tasks, &held.recordings, &held.archive})
      for (auto& one : *all) one.changed = now.wall;
    engine->surveyed(now, std::move(held));
  }
  // So long, with a look whenever one is asked for.
  void pass(Duration time) {
    const MonoTime until = now.mono + time;
    while (now.mono < until) {
      const auto wake = engine->wake_at();
      turn(std::max(Duration{1ms}, std::min(wake.value_or(until), until) - now.mono));
      if (engine->take_survey()) survey();
    }
  }
  void pass_days(double days) {
    pass(std::chrono::duration_cast<Duration>(std::chrono::duration<double>(days * 86400)));
  }
  std::vector<model::Forgotten> forgotten() const {
    std::vector<model::Forgotten> out;
    for (const auto& event : journal.events)
      if (const auto* fact = std::get_if<model::Forgotten>(&event.fact)) out.push_back(*fact);
    return out;
  }
  std::vector<std::string> alerts() const {
    std::vector<std::string> out;
    for (const auto& event : journal.events)
      if (const auto* alert = std::get_if<model::Alerted>(&event.fact);
          alert && alert->matter == "unread results")
        out.push_back(alert->text);
    return out;
  }
  bool there(const std::string& name) {
    const bool folder = os::exists(dirs[name]);
    EXPECT_EQ(folder, os::exists(engine->files().dir("task-" + name))) << name;
    EXPECT_EQ(folder, agent("task-" + name) || journal.filed.rows.contains("task-" + name)) << name;
    return folder;
  }
};

using Names = std::vector<std::string>;

TEST(EngineForget, WhatIsOldGoesAndWhatRunsStays) {
  ForgetWorld world;
  world.give("runs");
  world.over("old");
  world.pass_days(20 * kDay);
  world.over("new");
  EXPECT_TRUE(world.there("old"));
  world.pass_days(11 * kDay);
  EXPECT_FALSE(world.there("old"));
  EXPECT_TRUE(world.there("new"));
  EXPECT_TRUE(world.there("runs"));
  ASSERT_EQ(world.forgotten().size(), 1u);
  const model::Forgotten fact = world.forgotten()[0];
  EXPECT_EQ(fact.names, Names{"task-old"});
  EXPECT_EQ(fact.why, model::Bound::age);
  EXPECT_EQ(world.alerts(), Names{});
  EXPECT_TRUE(world.agent("task-runs")->running());
  world.check_outcomes();
}

TEST(EngineForget, AnUnreadResultGoesADayAfterTheWord) {
  ForgetWorld world;
  world.over("unread", false);
  world.pass_days(88.9 * kDay);
  EXPECT_EQ(world.alerts(), Names{});
  world.pass_days(0.2 * kDay);
  EXPECT_EQ(world.alerts(),
            Names{"1 unread task result will be removed in 1d00h (nobody has read them): unread"});
  EXPECT_TRUE(world.there("unread"));
  world.live();  // … which the next daemon knows
  world.pass_days(0.8 * kDay);
  EXPECT_TRUE(world.there("unread"));
  world.pass_days(0.3 * kDay);
  EXPECT_FALSE(world.there("unread"));
  EXPECT_EQ(world.alerts().size(), 1u);
  ASSERT_EQ(world.forgotten().size(), 2u);
  EXPECT_TRUE(world.forgotten()[0].upto);
  world.check_outcomes();
}

TEST(EngineForget, ManyGoAFewAtATime) {
  ForgetWorld world;
  world.over("t");
  world.pass_days(29.9 * kDay);
  const model::Agent row = world.journal.filed.rows.at("task-t");
  for (int i = 0; i < 1200; ++i) {
    model::Agent other = row;
    other.spec.name = "task-" + std::to_string(i);
    other.task->order.name = std::to_string(i);
    other.task->order.dir = world.home / "tasks" + "/" + std::to_string(i) + ".X";
    world.journal.filed.rows[other.spec.name] = other;
  }
  world.pass_days(0.2 * kDay);
  EXPECT_TRUE(world.journal.filed.rows.empty());
  size_t names = 0;
  for (const auto& fact : world.forgotten()) {
    EXPECT_LE(fact.count, kGoingAtOnce);
    EXPECT_EQ(fact.names.size(), fact.folders.size());
    names += fact.names.size();
  }
  EXPECT_EQ(names, 1201u);
  EXPECT_FALSE(world.there("t"));
}

TEST(EngineForget, AKillAfterTheJournalLeavesNothingHalf) {
  ForgetWorld world;
  world.over("a");
  world.over("b");
  world.pass_days(29.9 * kDay);
  world.journal.deadly = world.journal.events.size() + 1;
  EXPECT_THROW(world.pass_days(kDay), Killed);
  EXPECT_TRUE(world.journal.filed.rows.empty()) << "the rows went with the event";
  EXPECT_TRUE(os::exists(world.dirs["a"])) << "and the folders did not";
  world.live();
  EXPECT_FALSE(world.there("a"));
  EXPECT_FALSE(world.there("b"));
  EXPECT_EQ(world.forgotten().size(), 1u);
  world.check_outcomes();
}

TEST(EngineForget, OneThatIsWantedAgainMeanwhileStays) {
  ForgetWorld world;
  world.over("t");
  world.pass_days(29.98 * kDay);
  world.journal.broken = true;  // what was decided waits …
  world.pass_days(0.1 * kDay);
  world.journal.broken = false;
  ASSERT_TRUE(world.engine->recall("t"));
  world.turn(kRetryEvery);
  EXPECT_TRUE(world.there("t"));
  world.check_outcomes();
}

TEST(EngineForget, AClockThatWasSetMakesNothingOldForADay) {
  ForgetWorld world;
  world.over("t");
  const Duration year = 24h * 365;
  world.now.wall += year;
  world.engine->slept(world.now, Slept{year, "the clock was set", year});
  world.pass_days(0.9 * kDay);
  EXPECT_TRUE(world.there("t"));
  world.pass_days(0.3 * kDay);
  EXPECT_FALSE(world.there("t")) << "it stayed set";
}

TEST(EngineForget, WithoutALimitNobodyLooks) {
  ForgetWorld world;
  world.keep = {};
  world.live();
  world.over("t");
  EXPECT_EQ(world.engine->wake_at(), std::nullopt);
  EXPECT_FALSE(world.engine->take_survey());
}

TEST(EngineForget, WhoCannotLookIsAskedAgainInAnHour) {
  ForgetWorld world;
  world.pass(30s);
  world.turn(31s);
  ASSERT_TRUE(world.engine->take_survey());
  EXPECT_FALSE(world.engine->take_survey()) << "once";
  EXPECT_EQ(world.engine->wake_at(), std::nullopt);
  world.engine->surveyed(world.now, std::nullopt);
  EXPECT_EQ(world.engine->wake_at(), world.now.mono + 1h);
  EXPECT_FALSE(world.engine->held());
}

// Recordings of 40 days ago stayed with recordings_days = 1, when no new part was begun.
TEST(EngineForget, RecordingsOfWhoDoesNotRunGo) {
  ForgetWorld world;
  world.over("t");
  world.give("runs");
  world.keep->tasks_days = world.keep->unread_days = 0;
  world.keep->recordings_days = 1;
  world.live();
  world.turn(1min);
  ASSERT_TRUE(world.engine->take_survey());
  auto held = store::survey(world.engine->files().disk(), world.home.path());
  ASSERT_EQ(held.recordings.size(), 2u);
  for (auto& one : held.recordings) one.changed = world.now.wall - 24h * 40;
  world.engine->surveyed(world.now, held);
  for (int i = 0; i < 5; ++i) world.turn(kForgetPace);
  const auto& files = world.engine->files();
  EXPECT_TRUE(store::parts_in(files.disk(), files.recordings("task-t")).empty());
  EXPECT_FALSE(store::parts_in(files.disk(), files.recordings("task-runs")).empty());
  EXPECT_TRUE(world.there("t"));
}

}  // namespace
}  // namespace pawl::core
