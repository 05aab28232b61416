#include <csignal>

#include "base/test_full_disk.h"
#include "core/engine_world.h"
#include "core/parts/ground.h"
#include "os/file.h"
#include "store/task_files.h"

namespace pawl::core {
namespace {

struct TaskWorld : EngineWorld {
  std::string dir, format = "plain", project = "/";
  double deadline_s = 18000;

  void give() {
    dir = store::make_task_dir(engine->files().disk(), home.path(), "t", {"do it\n", {}})
              .value_or(store::TaskDir{})
              .path;
    TaskAsked ask;
    ask.spec.name = "task-t";
    ask.spec.command = {"prog"};
    ask.spec.dir = project;
    ask.order.name = "t";
    ask.order.dir = dir;
    ask.order.start = {"prog"};
    ask.order.format = format;
    ask.spec.task_health.deadline_s = deadline_s;
    engine->submit(ask);
    turn();
  }
  SessionId begin() {
    give();
    host.runs(session("task-t"));
    turn();
    engine->take_folders();
    return session("task-t");
  }
  // Until it counts as over.
  void ends(int code, int signal = 0) {
    host.ends(session("task-t"), code, signal);
    for (int i = 0; i < 4; ++i) turn(std::chrono::seconds{1});
  }
  std::string last_alert() const {
    std::string out;
    for (const auto& event : journal.events)
      if (const auto* alert = std::get_if<model::Alerted>(&event.fact))
        out = alert->matter + ": " + alert->text;
    return out;
  }
  std::vector<std::string> finished() {
    std::vector<std::string> names;
    for (const auto& one : engine->take_finished()) names.push_back(one.agent);
    return names;
  }
  // In the fleet, or filed.
  model::Agent its() {
    if (const model::Agent* known = agent("task-t")) return *known;
    return journal.filed.rows.at("task-t");
  }
  model::TaskStatus status() { return its().task->status; }
};

const std::vector<std::string> kIt{"task-t"};

TEST(EngineTasks, AFinishedTaskKeepsNoTerminal) {
  TaskWorld world;
  const SessionId session = world.begin();
  world.host.prints(session, "the result\r\n");
  world.host.ends(session, 0);
  world.turn();
  EXPECT_NE(world.screen("task-t"), "?") << "it is looked at again";
  for (int i = 0; i < 4; ++i) world.turn(std::chrono::seconds{1});
  EXPECT_EQ(world.status(), model::TaskStatus::completed);
  EXPECT_EQ(world.screen("task-t"), "?");
  EXPECT_EQ(world.agent("task-t"), nullptr) << "it is a row of the journal";
  EXPECT_EQ(world.finished(), kIt);
  EXPECT_EQ(world.host.closes, std::vector<SessionId>{session});
  EXPECT_EQ(world.recorded(session, "task-t"), "the result\r\n");
  EXPECT_EQ(os::read_file(world.dir + "/output.log").value_or(""), "the result\n");
  EXPECT_EQ(world.engine->wake_at(), std::nullopt) << "nothing is to be done about it";
}

TEST(EngineTasks, WhatWasAmissBeforeItsStartIsInItsLog) {
  TaskWorld fine, world;
  fine.begin();
  world.project = "/nowhere";
  world.give();
  const auto log = [](const TaskWorld& one) {
    return os::read_file(one.dir + "/monitor.log").value_or("");
  };
  EXPECT_NE(log(world).find("before it starts: folder: /nowhere is not there"), std::string::npos);
  EXPECT_EQ(log(fine).find("folder:"), std::string::npos) << log(fine);
}

TEST(EngineTasks, AFolderThatWasRemovedUnderItIsThereAgainWithWhatItPrinted) {
  TaskWorld world;
  const SessionId session = world.begin();
  world.host.prints(session, "before\r\n");
  world.turn();
  ASSERT_TRUE(os::remove_tree(world.dir));
  world.host.prints(session, "after\r\n");
  world.ends(0);
  EXPECT_EQ(world.status(), model::TaskStatus::completed);
  EXPECT_EQ(os::read_file(world.dir + "/output.log").value_or(""), "before\nafter\n");
  EXPECT_TRUE(os::exists(world.dir + "/done"));
  EXPECT_FALSE(os::exists(world.dir + "/prompt"));
  const auto told = [](const auto& event) {
    const auto* alert = std::get_if<model::Alerted>(&event.fact);
    return alert && alert->matter == "task folder";
  };
  EXPECT_EQ(std::count_if(world.journal.events.begin(), world.journal.events.end(), told), 1);
  ASSERT_TRUE(os::remove_tree(world.dir));
  world.turn(kRetryEvery);
  EXPECT_FALSE(os::exists(world.dir))
      << "of one that is over nothing is kept against somebody's will";
}

TEST(EngineTasks, TheFolderOfASilentOneIsMissedToo) {
  TaskWorld world;
  const SessionId session = world.begin();
  world.host.prints(session, "said\r\n");
  world.turn();
  ASSERT_TRUE(os::remove_tree(world.dir));
  world.turn(std::chrono::minutes{1});
  EXPECT_EQ(os::read_file(world.dir + "/output.log").value_or(""), "said\n");
  EXPECT_NE(os::read_file(world.dir + "/manifest").value_or("").find("status=running"),
            std::string::npos);
}

TEST(EngineTasks, AFolderThatCannotBeMadeAgainIsToldOnceAndTriedUntilItCan) {
  TaskWorld world;
  const SessionId session = world.begin();
  world.host.prints(session, "said\r\n");
  for (int i = 0; i < 3; ++i) world.turn(kRetryEvery);  // it is recorded
  const auto told = [&](const std::string& part) {
    return std::count_if(world.journal.events.begin(), world.journal.events.end(),
                         [&](const auto& event) {
                           const auto* alert = std::get_if<model::Alerted>(&event.fact);
                           return alert && alert->matter.ends_with("task folder") &&
                                  alert->text.find(part) != part.npos;
                         });
  };
  {
    FullDisk full(0);
    ASSERT_TRUE(os::remove_tree(world.dir));
    world.turn(std::chrono::minutes{1});
    for (int i = 0; i < 5; ++i) world.turn(kRetryEvery);
    EXPECT_EQ(told("cannot be made again"), 1);
    EXPECT_FALSE(os::exists(world.dir)) << "a half would not be missed";
  }
  world.turn(kRetryEvery);
  EXPECT_EQ(told("it is there again"), 1);
  EXPECT_EQ(os::read_file(world.dir + "/output.log").value_or(""), "said\n");
}

TEST(EngineTasks, OneWhoseLastBytesAreNotOnDiskIsKeptUntilTheyAre) {
  TaskWorld world;
  const SessionId session = world.begin();
  world.host.prints(session, std::string(5000, 'x'));
  {
    FullDisk full(1000);
    world.ends(0);
    EXPECT_EQ(world.finished(), std::vector<std::string>{});
    EXPECT_NE(world.engine->terminal("task-t"), nullptr);
  }
  for (int i = 0; i < 5; ++i) world.turn(kRetryEvery);
  EXPECT_EQ(world.finished(), kIt);
  EXPECT_EQ(world.engine->terminal("task-t"), nullptr);
  EXPECT_EQ(world.recorded(session, "task-t"), std::string(5000, 'x'));
}

TEST(EngineTasks, TheNextDaemonDoesNotOpenItAgain) {
  TaskWorld world;
  world.begin();
  world.ends(0);
  world.live();
  world.turn();
  EXPECT_EQ(world.engine->terminal("task-t"), nullptr);
  EXPECT_EQ(world.engine->take_folders(), std::vector<std::string>{});
  EXPECT_EQ(world.finished(), std::vector<std::string>{});
  EXPECT_EQ(world.engine->wake_at(), std::nullopt);
}

// Killed between its row and the fleet's event, in each of both orders.
TEST(EngineTasks, OneThatWasBeingFiledIsInOnePlace) {
  TaskWorld world;
  world.begin();
  world.ends(0);
  ASSERT_EQ(world.agent("task-t"), nullptr);
  const auto row = world.journal.filed.rows.at("task-t");
  std::erase_if(world.journal.events, [](const auto& event) {
    return std::holds_alternative<model::TaskFiled>(event.fact);
  });
  world.live();
  EXPECT_NE(world.agent("task-t"), nullptr);
  EXPECT_TRUE(world.journal.filed.rows.empty()) << "the fleet has it";
  for (int i = 0; i < 3; ++i) world.turn(std::chrono::seconds{1});
  EXPECT_EQ(world.agent("task-t"), nullptr);
  EXPECT_EQ(world.journal.filed.rows.at("task-t"), row);
}

TEST(EngineTasks, OneThatCannotBeFiledIsTriedAgain) {
  TaskWorld world;
  world.begin();
  world.host.ends(world.session("task-t"), 0);
  for (int i = 0; i < 3; ++i) world.turn(std::chrono::seconds{1});
  world.journal.filed.stuck = true;
  for (int i = 0; i < 3; ++i) world.turn(kRetryEvery);
  EXPECT_NE(world.agent("task-t"), nullptr);
  world.journal.filed.stuck = false;
  for (int i = 0; i < 2; ++i) world.turn(kRetryEvery);
  EXPECT_EQ(world.agent("task-t"), nullptr);
  world.check_outcomes();
}

TEST(EngineTasks, OneThatIsRecalledAndNotGoneOnWithIsFiledAgain) {
  TaskWorld world;
  world.begin();
  world.ends(0);
  ASSERT_TRUE(world.engine->recall("t")) << "by its own name as well";
  const RequestId request = world.ask<GoOnAsked>("task-t");
  world.turn();
  ASSERT_EQ(world.answers.back().request, request);
  EXPECT_EQ(world.answers.back().done.error().what, "'t' has its result already");
  EXPECT_NE(world.agent("task-t"), nullptr);
  EXPECT_TRUE(world.journal.filed.rows.empty());
  for (int i = 0; i < 3; ++i) world.turn(std::chrono::seconds{1});
  EXPECT_EQ(world.agent("task-t"), nullptr);
  EXPECT_EQ(world.status(), model::TaskStatus::completed);
  EXPECT_FALSE(world.engine->recall("other"));
  world.check_outcomes();
}

TEST(EngineTasks, WhatWasFiledIsForgottenWithItsFolders) {
  TaskWorld world;
  world.begin();
  world.ends(0);
  const std::string rec = world.engine->files().recordings("task-t");
  ASSERT_TRUE(os::is_dir(rec));
  ForgetTasks forget{world.engine->next_request(), {{"task-t", world.dir}}};
  world.engine->submit(forget);
  world.turn();
  EXPECT_TRUE(world.answers.back().done);
  EXPECT_FALSE(os::exists(world.dir));
  EXPECT_FALSE(os::exists(rec));
  EXPECT_TRUE(world.journal.filed.rows.empty());
}

// Five at once left four folders.
TEST(EngineTasks, ATaskThatIsRefusedLeavesNoFolder) {
  TaskWorld world;
  world.begin();
  const std::string first = world.dir;
  world.give();
  EXPECT_FALSE(os::exists(world.dir));
  EXPECT_TRUE(os::exists(first));
  world.journal.broken = true;
  world.host.ends(world.session("task-t"), 0);
  world.give();
  EXPECT_FALSE(os::exists(world.dir));
  world.engine->drain();
  world.give();
  EXPECT_FALSE(os::exists(world.dir));
  EXPECT_TRUE(os::exists(first));
}

TEST(EngineTasks, OneThatWasGivenUpIsGoneOnWithByItsFile) {
  TaskWorld world;
  const SessionId session = world.begin();
  CancelAsked cancel;
  cancel.agent = "task-t";
  cancel.reason = "cancelled";
  world.engine->submit(cancel);
  world.turn();
  world.ends(-1, SIGTERM);
  ASSERT_EQ(world.status(), model::TaskStatus::cancelled);
  EXPECT_EQ(world.engine->terminal("task-t"), nullptr);
  ASSERT_TRUE(os::write_atomically(world.dir + "/resume", ""));
  world.live();
  world.turn();
  ASSERT_EQ(world.finished(), kIt) << "its file is looked for";
  ASSERT_TRUE(world.engine->recall("task-t"));
  world.engine->look_for_wakeup("task-t");
  world.turn();
  world.turn();
  ASSERT_NE(world.session("task-t"), session);
  EXPECT_EQ(world.engine->take_folders(), kIt) << "its folders are watched again";
  world.host.runs(world.session("task-t"));
  world.turn();
  EXPECT_NE(world.engine->terminal("task-t"), nullptr);
  world.ends(0);
  EXPECT_EQ(world.status(), model::TaskStatus::completed);
  EXPECT_EQ(world.engine->terminal("task-t"), nullptr);
}

// It told its result in the time between being asked to end and being killed, and was called abandoned.
TEST(EngineTasks, OneThatCameToItsEndWhileItWasBeingEndedHasItsResult) {
  for (const bool tells : {true, false}) {
    TaskWorld world;
    world.format = "claude";
    world.deadline_s = 60;
    const SessionId session = world.begin();
    world.turn(std::chrono::seconds{61});
    ASSERT_EQ(world.agent("task-t")->intent->action, model::Action::abandon);
    if (tells)
      world.host.prints(session,
                        "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,"
                        "\"result\":\"done\"}\r\n");
    world.host.ends(session, 0);
    world.turn(std::chrono::seconds{1});
    EXPECT_EQ(world.agent("task-t")->task->status,
              tells ? model::TaskStatus::completed : model::TaskStatus::abandoned);
    EXPECT_EQ(world.last_alert(),
              tells ? "task result: its task is completed after all: it came to its end "
                      "while it was being ended"
                    : "task over: its task is abandoned: its time is over");
    world.check_outcomes();
  }
}

// What a person gave up was started again, by the next daemon.
TEST(EngineTasks, OneThatWasBeingCancelledWhenTheMachineWentDownStaysSo) {
  for (const bool stopped : {false, true}) {
    TaskWorld world;
    const SessionId session = world.begin();
    if (stopped) {
      world.ask<StopAsked>("task-t");
    } else {
      CancelAsked cancel;
      cancel.agent = "task-t";
      world.engine->submit(cancel);
    }
    world.turn();
    ASSERT_FALSE(world.host.sessions.at(session).signals.empty());
    world.host.sessions.clear();
    world.live();
    for (int i = 0; i < 9; ++i) world.turn(std::chrono::seconds{1});
    EXPECT_EQ(world.its().session, session) << "it does not run again";
    EXPECT_EQ(world.status(),
              stopped ? model::TaskStatus::abandoned : model::TaskStatus::cancelled);
    world.check_outcomes();
  }
}

TEST(EngineTasks, OneThatWasOpenedWhileNoDaemonRanIsAtWork) {
  TaskWorld world;
  world.give();
  world.live();
  world.turn();
  EXPECT_EQ(world.agent("task-t")->state, model::State::busy);
}

// Killed between the end in the journal and the sweep.
TEST(EngineTasks, WhatATaskLeftIsEndedByTheNextDaemon) {
  TaskWorld world;
  const SessionId session = world.begin();
  world.host.ends(session, 0);
  world.journal.deadly = world.journal.events.size() + 1;
  EXPECT_THROW(world.turn(), Killed);
  world.host.sweeps.clear();
  world.live();
  world.turn();
  ASSERT_EQ(world.host.sweeps.size(), 1u);
  EXPECT_EQ(world.host.sweeps[0].first, std::vector<SessionId>{session});
}

}  // namespace
}  // namespace pawl::core
