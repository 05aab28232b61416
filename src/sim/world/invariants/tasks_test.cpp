// The checker of tasks notices what it is there for.

#include <gtest/gtest.h>

#include "sim/world/invariants/test_told.h"

namespace pawl::sim {
namespace {

using namespace std::chrono_literals;
using model::Action;
using model::TaskStatus;

TEST(TasksChecker, SeesAResultThatIsNotTrue) {
  const auto called = [](const char* format, const char* words, int code, TaskStatus status) {
    Told told(check_tasks());
    told.task(format);
    if (*words) told.happens(Entry::What::told, words);
    told.ends(code);
    told.result(status);
    return told.found();
  };
  EXPECT_EQ(called("plain", "", 0, TaskStatus::completed), "");
  EXPECT_EQ(called("plain", "", 3, TaskStatus::failed), "");
  EXPECT_EQ(called("claude", "completed", 0, TaskStatus::completed), "");
  EXPECT_EQ(called("claude", "denied", 0, TaskStatus::completed_with_denials), "");
  EXPECT_EQ(called("claude", "failed", 1, TaskStatus::failed), "");
  EXPECT_NE(called("plain", "", 3, TaskStatus::completed), "");
  EXPECT_NE(called("plain", "", 0, TaskStatus::failed), "");
  EXPECT_NE(called("claude", "", 0, TaskStatus::completed), "") << "exit code 0 alone says nothing";
  EXPECT_NE(called("claude", "completed", 0, TaskStatus::failed), "");
  EXPECT_NE(called("claude", "denied", 0, TaskStatus::completed), "");
  EXPECT_NE(called("plain", "", 0, TaskStatus::cancelled), "") << "nobody asked for it";
  EXPECT_NE(called("plain", "", 0, TaskStatus::hung), "") << "that is no end";
}

TEST(TasksChecker, SeesASecondResultAndARunAfterTheFirst) {
  Told told(check_tasks());
  told.task("plain");
  told.ends(0);
  told.result(TaskStatus::completed);
  EXPECT_EQ(told.found(), "");
  told.result(TaskStatus::completed);
  EXPECT_EQ(told.found(), "a second result: completed: because");
  told.again("crashed");
  EXPECT_EQ(told.found(), "restart after its end");
  told.runs();
  EXPECT_EQ(told.found(), "a run after its end");
}

TEST(TasksChecker, SeesOneTryTooManyAndOneTooSoon) {
  Told told(check_tasks());
  told.task("plain", 2);
  for (int i = 0; i < 2; ++i) {
    told.ends(-1, 11);
    told.pass(60s);
    told.again("crashed");
    told.runs();
    EXPECT_EQ(told.found(), "") << i;
  }
  told.ends(-1, 11);
  told.again("crashed");
  EXPECT_EQ(told.found(), "tried again 3 times, and may be 2");
  told.runs();
  EXPECT_EQ(told.found(), "run 4 of a task that may be tried 2 times more");
  Told soon(check_tasks());
  soon.task("plain", 9);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(soon.found(), "");
    soon.ends(-1, 11);
    soon.again("crashed");
    soon.runs();
  }
  EXPECT_EQ(soon.found(), "tried again 4 s after its end, within its pause of 30 s");
}

TEST(TasksChecker, SeesOneThatIsCalledHungForATimeInWhichNobodyLooked) {
  Told told(check_tasks());
  told.task("claude", 5);
  told.pass(110s);
  told.again("hung");
  EXPECT_EQ(told.found(), "") << "the kernel is asked now and then only";
  told.runs();
  told.pass(150s);
  told.checker().died(told.now.mono, told.now.mono + 1h);
  told.pass(1h + 60s);
  told.again("hung");
  EXPECT_EQ(told.found(), "called hung after 60 s without a word, of 120 s");
  told.runs();
  told.checker().took(
      "a", Entry{.at = told.now.mono, .until = told.now.mono + 10min, .what = Entry::What::works});
  told.pass(5min);
  told.again("hung");
  EXPECT_EQ(told.found(), "called hung after 0 s without a word, of 120 s");
}

TEST(TasksChecker, SeesWhatIsGivenUpForNothingOrByNobody) {
  Told told(check_tasks());
  told.task("plain");
  told.pass(1h);
  told.result(TaskStatus::abandoned, "deadline");
  EXPECT_EQ(told.found(), "called abandoned (deadline): after 3604 s of 18000 s");
  Told over(check_tasks());
  over.task("plain");
  over.pass(5h);
  over.ends(0);
  over.result(TaskStatus::abandoned, "deadline");
  EXPECT_NE(over.found(), "") << "it came to its end";
  for (const bool speaks : {false, true}) {
    Told ended(check_tasks());
    ended.task(speaks ? "claude" : "plain");
    ended.pass(6h);
    ended.write(model::Decided{.action = Action::abandon, .because = "late", .rule = "task"});
    ended.write(model::Alerted{model::Severity::info, "its task is over", "task over"});
    ended.pass(10s);
    if (speaks) ended.happens(Entry::What::told, "completed");
    ended.ends(0);
    ended.write(model::TaskEnded{TaskStatus::abandoned, "deadline", {}});
    ended.pass(1s);
    ended.turn();
    EXPECT_EQ(ended.found() != "", speaks) << "an exit code alone may mean anything";
  }
  Told asked(check_tasks());
  asked.task("plain");
  asked.write(model::Decided{Action::abandon, "a person"});
  asked.ends(-1, 15);
  asked.again("crashed");
  EXPECT_EQ(asked.found(), "restart of one that a person gave up");
}

TEST(TasksChecker, JudgesAnEndByTheStoryThatEndsWithIt) {
  Told told(check_tasks());
  told.task("plain");
  told.pass(6h);
  told.write(model::Decided{.action = Action::abandon, .because = "late", .rule = "task"});
  told.write(model::Alerted{model::Severity::info, "its task is over", "task over"});
  told.write(model::TaskEnded{TaskStatus::abandoned, "deadline", {}});
  told.write(model::TaskGiven{model::TaskOrder{}});  // a person asked for it again meanwhile
  told.pass(1s);
  told.turn();
  EXPECT_EQ(told.found(), "");
}

TEST(TasksChecker, SeesOneThatNobodyCaresFor) {
  const auto after = [](Duration time, const char* format, bool ends) {
    Told told(check_tasks());
    told.task(format);
    if (ends) told.ends(-1, 11);
    told.pass(time);
    told.turn();
    return told.found();
  };
  EXPECT_EQ(after(15min, "plain", true), "");
  EXPECT_NE(after(30min, "plain", true), "") << "no run is under way, and none is ahead";
  EXPECT_EQ(after(4h, "plain", false), "") << "it may be silent as long as it likes";
  EXPECT_NE(after(6h, "plain", false), "") << "beyond its time";
  EXPECT_EQ(after(15min, "claude", false), "");
  EXPECT_NE(after(30min, "claude", false), "") << "it hangs";
}

}  // namespace
}  // namespace pawl::sim
