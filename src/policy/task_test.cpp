#include <gtest/gtest.h>

#include "policy/decide.h"
#include "policy/rules.h"
#include "policy/test_clock.h"

namespace pawl::policy {
namespace {

using model::TaskStatus;

struct TaskTest : testing::Test {
  model::Fleet fleet;
  model::Agent agent;
  Signs signs;

  void SetUp() override {
    agent.spec.name = "claude-t";
    agent.starts = 1;
    agent.state = State::busy;
    agent.since = at(0);
    agent.session_id = "id-1";
    agent.task = model::Task{};
    agent.task->order.name = "t";
    agent.task->order.format = "claude";
    agent.task->started = at(0);
    signs.launched = at(0);
    signs.wrote = at(1);
  }
  void ends(double s, int code, int signal = 0) {
    agent.state = code == 0 && signal == 0 ? State::exited : State::crashed;
    agent.ending = model::Ending{code, signal, true};
    agent.since = at(s);
  }
  Decision look(double s) { return decide({at(s), agent, fleet, {}, signs, ""}); }
  // "finish completed", "restart resume", "until 4", "nothing"
  std::string says(double s) {
    const Choice choice = look(s).choice;
    if (choice.action)
      return std::string(word(*choice.action)) + (choice.how.empty() ? "" : " " + choice.how);
    if (!choice.until) return "nothing";
    return "until " +
           std::to_string(
               std::chrono::duration_cast<std::chrono::seconds>(*choice.until - kStart).count());
  }
};

TEST_F(TaskTest, ItsResultIsTakenAtItsWord) {
  ends(10, 0);
  agent.task->report.finished = true;
  EXPECT_EQ(says(11), "until 12") << "it is looked at twice";
  EXPECT_EQ(says(12), "finish completed");
  agent.task->report.denials = 2;
  agent.task->report.denied = "Bash";
  EXPECT_EQ(says(12), "finish completed-with-denials");
  EXPECT_NE(look(12).choice.because.find("refused 2 times, first: Bash"), std::string::npos);
  agent.task->report.denials = 0;
  agent.task->report.background = 1;
  EXPECT_EQ(says(12), "finish failed");
  agent.task->report = {};
  agent.task->report.finished = agent.task->report.failed = true;
  agent.task->report.message = "I give up";
  EXPECT_EQ(says(12), "finish failed");
  EXPECT_EQ(look(12).choice.because, "I give up");
}

TEST_F(TaskTest, WithoutALeaseThatLastsNothingIsBegunAndAResultIsAResult) {
  const auto waits = [&](double s) {
    Situation situation{at(s), agent, fleet, {}, signs, ""};
    situation.lease = "its lease ends in 4s";
    return decide(situation).choice;
  };
  ends(10, -1, 9);
  EXPECT_EQ(says(12), "restart resume");
  EXPECT_FALSE(waits(12).action);
  EXPECT_NE(waits(12).because.find("its lease ends in 4s; else: it ended"), std::string::npos);
  EXPECT_TRUE(waits(12).until) << "its time ends all the same";
  agent.task->report.finished = true;
  EXPECT_EQ(waits(12).action, Action::finish);
  EXPECT_TRUE(begins(Action::wake) && begins(Action::nudge) && begins(Action::start));
  EXPECT_FALSE(begins(Action::abandon) || begins(Action::stop));
}

TEST_F(TaskTest, AnEndWithoutAResultIsNone) {
  ends(10, 0);
  EXPECT_EQ(says(12), "restart resume") << "exit code 0 alone says nothing";
  ends(10, -1, 9);
  EXPECT_EQ(says(12), "restart resume");
  agent.session_id.clear();
  EXPECT_EQ(says(12), "restart fresh");
}

TEST_F(TaskTest, WhatItWasKilledForIsItsCauseToTheEnd) {
  ends(10, -1, 9);
  agent.because = std::string(model::kEndedItself) + "killed for memory (peak 98 MiB of 100 MiB)";
  EXPECT_EQ(says(12), "restart resume") << "it is a crash";
  EXPECT_EQ(look(12).choice.because, "killed for memory (peak 98 MiB of 100 MiB)");
  agent.task->retries = 10;
  EXPECT_EQ(look(12).choice.because,
            "gave up after 10 tries: killed for memory (peak 98 MiB of 100 MiB)");
}

TEST_F(TaskTest, AResultThatCameBeforeAKillHolds) {
  ends(10, -1, 9);
  agent.task->report.finished = true;
  EXPECT_EQ(says(12), "finish completed");
}

TEST_F(TaskTest, FailuresInARowWaitLonger) {
  ends(100, 1);
  agent.task->report.spoke = true;
  const double waits[] = {2, 30, 60, 120, 240, 300, 300};
  for (int failures = 0; failures < 7; ++failures) {
    agent.task->failures = agent.task->retries = failures;
    EXPECT_EQ(says(100 + waits[failures] - 0.5),
              "until " + std::to_string(static_cast<int>(100 + waits[failures])));
    EXPECT_EQ(says(100 + waits[failures]), "restart resume");
  }
  agent.task->retries = 10;
  EXPECT_EQ(says(500), "abandon max_retries_exceeded");
}

TEST_F(TaskTest, WhatDoesNotSayAWordIsNotTriedForHours) {
  ends(10, 2);
  EXPECT_EQ(says(12), "restart resume");
  agent.task->failures = agent.task->retries = 1;
  agent.task->report.message = "unknown option --x";
  EXPECT_EQ(says(12), "finish failed");
  EXPECT_EQ(look(12).choice.because, "it cannot be run: unknown option --x");
  agent.task->report.spoke = true;
  EXPECT_EQ(says(12), "until 40");
}

TEST_F(TaskTest, OverItsBudgetItIsNotTriedAgain) {
  ends(10, -1, 9);
  agent.spec.budget.tokens_per_day = 1000;
  model::spend(agent.memory.spending, {model::day_of(at(0)), 999}, at(0));
  EXPECT_EQ(says(12), "restart resume");
  model::spend(agent.memory.spending, {model::day_of(at(0)), 1}, at(0));
  EXPECT_EQ(says(12), "abandon budget");
  EXPECT_NE(look(12).choice.because.find("it has used 1000 of 1000 tokens today"),
            std::string::npos);
  agent.task->report.finished = true;
  EXPECT_EQ(says(12), "finish completed") << "a result is a result";
}

TEST_F(TaskTest, APlainProgramIsKnownByItsExitCode) {
  agent.task->order.format = "plain";
  ends(10, 0);
  EXPECT_EQ(says(12), "finish completed");
  ends(10, 3);
  EXPECT_EQ(says(12), "finish failed");
  EXPECT_EQ(look(12).choice.because, "exit code 3");
  ends(10, -1, 11);
  EXPECT_EQ(says(12), "restart resume");
}

TEST_F(TaskTest, ALimitIsWaitedForAndCostsNoTry) {
  ends(10, 1);
  agent.task->report.trouble = "limit";
  agent.task->report.until = at(600);
  EXPECT_EQ(says(12), "limit-wait");
  agent.memory.matter.id = "limit";
  EXPECT_EQ(says(12), "until 660");
  EXPECT_EQ(says(660), "restart resume");
  EXPECT_EQ(look(660).choice.matter, "limit");
  agent.task->report.until.reset();
  EXPECT_EQ(says(12), "until 1810");
}

TEST_F(TaskTest, ALoginIsRenewedOrNot) {
  ends(10, 1);
  agent.task->report.trouble = "auth";
  EXPECT_EQ(says(12), "finish failed");
  agent.spec.recovery.auth_refresh = {"renew"};
  EXPECT_EQ(says(12), "refresh-auth");
  agent.memory.matter = {"auth", 1, at(13), false};
  EXPECT_EQ(says(14), "restart resume");
  agent.since = at(20);
  EXPECT_EQ(says(23), "refresh-auth") << "that was for the run before";
  agent.task->renewals = 4;
  EXPECT_EQ(says(23), "finish failed");
}

TEST_F(TaskTest, AFullConversationIsLeftBehindTwice) {
  ends(10, 1);
  agent.task->report.trouble = "context";
  EXPECT_EQ(says(12), "restart fresh");
  agent.task->fresh = 2;
  EXPECT_EQ(says(12), "finish failed");
  agent.task->fresh = 0;
  agent.task->report.trouble = "session";
  EXPECT_EQ(says(12), "restart fresh");
}

TEST_F(TaskTest, SilenceIsAHang) {
  EXPECT_EQ(says(5), "until 121") << "3 x 30 s and 30 s more";
  EXPECT_EQ(says(121), "restart resume");
  EXPECT_EQ(look(121).choice.matter, "hung");
  signs.wrote = at(100);
  EXPECT_EQ(says(121), "until 220");
  signs.wrote.reset();
  EXPECT_EQ(says(5), "until 120") << "never a word";
  EXPECT_EQ(says(120), "restart resume");
  EXPECT_EQ(look(120).choice.because, "it hangs: it never said a word");
  agent.task->report.finished = true;
  EXPECT_EQ(says(120), "finish completed") << "its process does not end, its task did";
}

// A daemon that comes while it waits for its model has not heard it yet; the journal knows that it spoke.
TEST_F(TaskTest, OneThatSpokeToTheDaemonBeforeIsNotTakenForOneThatNeverDid) {
  agent.task->report.spoke = true;
  signs.launched = at(500);
  signs.wrote.reset();
  EXPECT_EQ(says(560), "until 620") << "3 x 30 s and 30 s more";
  EXPECT_EQ(says(620), "restart resume");
  EXPECT_EQ(look(620).choice.because, "it hangs: no word for a long time");
}

TEST_F(TaskTest, OneWhoseTerminalOpensLateHasItsTimeForAFirstWord) {
  agent.since = at(119);
  signs.wrote.reset();
  EXPECT_EQ(says(120), "until 239");
  EXPECT_EQ(says(239), "restart resume");
}

TEST_F(TaskTest, ASilentProgramIsLeftToItsDeadline) {
  agent.task->order.format = "plain";
  signs.wrote.reset();
  EXPECT_EQ(says(5), "until 18000") << "nothing but its deadline";
  EXPECT_EQ(says(17999), "until 18000");
  signs.wrote = at(1);
  EXPECT_EQ(says(17999), "until 18000");
  EXPECT_EQ(says(18000), "abandon deadline");
}

TEST_F(TaskTest, AQuestionOnATerminalIsLookedAtTwice) {
  agent.task->order.format = "plain";
  agent.state = State::waiting;
  agent.because = "it asks on its terminal: 'Go on? [y/N]'";
  agent.since = at(50);
  signs.asked = at(50);
  EXPECT_EQ(says(60), "until 80");
  EXPECT_EQ(says(80), "until 95") << "nobody has looked since";
  signs.asked = at(80);
  EXPECT_EQ(says(80), "abandon waiting_for_input");
  EXPECT_NE(look(80).choice.because.find("[y/N]"), std::string::npos) << look(80).choice.because;
  signs.asked.reset();
  EXPECT_EQ(says(200), "until 215") << "it is not there any more";
}

TEST_F(TaskTest, SilenceIsAHangWhereSomebodySaysSo) {
  agent.task->order.format = "plain";
  agent.session_id.clear();
  agent.spec.task_health.stale_s = 600;
  signs.wrote = at(100);
  EXPECT_EQ(says(200), "until 700");
  EXPECT_EQ(says(700), "until 900") << "nobody has looked whether it works";
  signs.idle = at(50);
  EXPECT_EQ(says(700), "until 900") << "it worked after that look";
  signs.idle = at(650);
  EXPECT_EQ(says(700), "restart fresh");
  EXPECT_EQ(look(700).choice.matter, "hung");
  agent.task->retries = 10;
  EXPECT_EQ(says(700), "abandon max_retries_exceeded");
  EXPECT_EQ(look(700).choice.because,
            "gave up after 10 tries: it hung: no output and no CPU for 10m");
  signs.wrote = at(690);
  EXPECT_EQ(says(700), "until 1290") << "it said something";
  signs.wrote.reset();
  EXPECT_EQ(says(500), "until 600") << "since it was launched";
}

TEST_F(TaskTest, OfAnAgentStaleIsItsPatience) {
  agent.spec.task_health.stale_s = 7;
  signs.idle = at(7);
  EXPECT_EQ(says(7), "until 8");
  EXPECT_EQ(says(8), "restart resume");
  agent.spec.task_health = {};
  agent.spec.task_health.base_s = 3;
  agent.spec.task_health.grace_s = 2;
  signs.wrote = at(1);
  EXPECT_EQ(says(2), "until 12") << "K14: 3 x 3 s and 2 s more";
  EXPECT_EQ(says(12), "restart resume");
}

TEST_F(TaskTest, NobodyAnswers) {
  agent.state = State::waiting;
  agent.since = at(50);
  EXPECT_EQ(says(60), "until 80");
  EXPECT_EQ(says(80), "abandon waiting_for_input");
}

TEST_F(TaskTest, ItsTimeAndItsBoundsHold) {
  agent.spec.task_health.deadline_s = 100;
  EXPECT_EQ(says(5), "until 100") << "nothing is waited for longer";
  EXPECT_EQ(says(100), "abandon deadline");
  agent.spec.task_health.deadline_s = 18000;
  agent.task->order.max_tokens = 1000;
  agent.task->tokens = 600;
  agent.task->report.tokens = 400;
  EXPECT_EQ(says(5), "until 121");
  agent.task->report.tokens = 401;
  EXPECT_EQ(says(5), "abandon max_tokens_exceeded");
  agent.task->order.max_tokens = 0;
  agent.task->order.max_cost_usd = 1.5;
  agent.task->report.cost_usd = 1.6;
  EXPECT_EQ(says(5), "abandon max_cost_exceeded");
}

// The disk was full when it ended, or it ended in its last second: it was called abandoned, and its result was lost.
TEST_F(TaskTest, AResultThatIsSeenAfterTheDeadlineHolds) {
  agent.spec.task_health.deadline_s = 100;
  agent.task->report.finished = true;
  signs.wrote = at(99);
  EXPECT_EQ(says(100), "finish completed") << "its process does not end, its task did";
  ends(99, 0);
  agent.task->report.finished = true;
  EXPECT_EQ(says(100), "until 101") << "it is looked at twice";
  EXPECT_EQ(says(5000), "finish completed");
  agent.task->report.failed = true;
  EXPECT_EQ(says(5000), "finish failed");
  agent.task->report.trouble = "overload";
  EXPECT_EQ(says(5000), "abandon deadline") << "it would be tried again";
  agent.task->report = {};
  EXPECT_EQ(says(5000), "abandon deadline");
  agent.task->order.format = "plain";
  EXPECT_EQ(says(5000), "finish completed");
  ends(99, 3);
  EXPECT_EQ(says(5000), "finish failed");
  ends(99, -1, 9);
  EXPECT_EQ(says(5000), "abandon deadline");
}

TEST_F(TaskTest, WhatIsOverIsLeftAlone) {
  ends(10, 1);
  for (const TaskStatus status :
       {TaskStatus::completed, TaskStatus::completed_with_denials, TaskStatus::failed,
        TaskStatus::abandoned, TaskStatus::cancelled}) {
    agent.task->status = status;
    EXPECT_EQ(says(1e6), "nothing") << word(status);
  }
}

TEST_F(TaskTest, OneWithAnInterfaceIsOverWhenItsTurnIs) {
  agent.task->order.interactive = true;
  agent.spec.mode = "task-only";
  agent.spec.prompt = "p";
  agent.state = State::ready;
  agent.since = at(50);
  EXPECT_EQ(look(60).rule, "begin") << "it has not been told yet";
  agent.memory.told = true;
  EXPECT_EQ(says(52), "until 55");
  EXPECT_EQ(says(55), "finish completed");
  agent.state = State::busy;
  EXPECT_EQ(says(60), "until 18000") << "its time ends, whoever waits for what";
  agent.paused = true;
  EXPECT_EQ(says(18001), "nothing") << "a pause holds, and nobody asks again and again";
  agent.paused = false;
  agent.state = State::waiting;
  agent.memory.matter.told = true;
  EXPECT_EQ(says(80), "abandon waiting_for_input");
}

TEST_F(TaskTest, AProgramOfOnesOwnWithAnInterfaceIsOverWhenItEnds) {
  agent.task->order.interactive = true;
  agent.task->order.format.clear();
  agent.spec.runtime = "generic";
  agent.spec.restart = model::Restart::resume;
  ends(10, 0);
  EXPECT_EQ(says(12), "finish completed");
  ends(10, 3);
  EXPECT_EQ(says(12), "finish failed");
  agent.spec.runtime = "claude";
  EXPECT_EQ(look(12).rule, "restart") << "a known one is gone on with";
}

TEST_F(TaskTest, ATimeThatNobodySawIsNoTimeOfItsDeadline) {
  agent.spec.task_health.deadline_s = 300;
  signs.wrote = at(3600);
  agent.memory.task_unseen = seconds(3400);
  EXPECT_EQ(says(3650), "until 3700");
  EXPECT_EQ(says(3700), "abandon deadline");
}

// S19: with a window of five hours and a deadline of five hours it was given up about when it could go on.
TEST_F(TaskTest, WaitingForALimitIsNoTimeOfItsDeadline) {
  agent.spec.task_health.deadline_s = 600;
  ends(100, 1);
  agent.task->report.trouble = "limit";
  agent.task->report.until = at(5000);
  agent.memory.matter.id = "limit";
  EXPECT_EQ(says(700), "until 5060");
  EXPECT_EQ(says(5060), "restart resume");
  agent.task->report.trouble.clear();
  EXPECT_EQ(says(5060), "abandon deadline") << "any other wait is";
}

}  // namespace
}  // namespace pawl::policy
