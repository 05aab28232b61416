#include <gtest/gtest.h>

#include "policy/decide.h"
#include "policy/rules.h"
#include "policy/test_clock.h"

namespace pawl::policy {
namespace {

// An agent with a text in its outbox.
struct OutboxTest : testing::Test {
  model::Fleet fleet;
  model::Agent agent;
  std::string held = "docs is not ready";

  void SetUp() override {
    agent.spec.name = "docs";
    agent.spec.runtime = "claude";
    agent.spec.prompt = "write the docs";
    agent.starts = 1;
    agent.since = at(0);
    agent.memory.told = agent.memory.seen = true;
    agent.memory.rested = at(0);
    agent.outbox = {{1, Action::send, 10, "", false}};
  }
  Decision look(double s) {
    Situation situation{at(s), agent, fleet, {}};
    situation.held = held;
    return decide(situation);
  }
  // "dialog: answer No"
  std::string says(double s) {
    const Decision decision = look(s);
    const Choice& choice = decision.choice;
    return decision.rule + ": " +
           (choice.action ? std::string(word(*choice.action)) : std::string("nothing")) +
           (choice.action && !choice.how.empty() ? " " + choice.how : "");
  }
  void asks_permission() {
    agent.state = State::waiting;
    agent.kind = "permission";
    model::Dialog dialog;
    dialog.question = "Do you want to proceed?";
    dialog.known = true;
    dialog.rows = {{"Yes", model::Cost::allow}, {"No", model::Cost::deny}};
    agent.dialog = dialog;
  }
};

TEST_F(OutboxTest, ADialogIsAnsweredAllTheSame) {
  asks_permission();
  agent.spec.answer_permissions = "deny";
  EXPECT_EQ(says(5), "dialog: answer No");
}

TEST_F(OutboxTest, APersonIsToldOfADialogAllTheSame) {
  asks_permission();
  EXPECT_EQ(says(5), "dialog: escalate");
}

TEST_F(OutboxTest, ALoginIsRenewedAllTheSame) {
  agent.state = State::typing;
  agent.notices.emplace_back();
  agent.notices[0].kind = "auth";
  agent.spec.recovery.auth_refresh = {"true"};
  EXPECT_EQ(says(5), "trouble: refresh-auth");
}

TEST_F(OutboxTest, AStuckOneIsCuredAllTheSame) {
  agent.state = State::stuck;
  EXPECT_EQ(says(5), "stuck: interrupt Escape");
}

TEST_F(OutboxTest, ALimitIsWaitedForAllTheSame) {
  agent.state = State::limited;
  agent.limited_until = at(3600);
  EXPECT_EQ(says(5), "limit: limit-wait");
  agent.memory.matter.id = "limit " + rfc3339(at(3600));
  EXPECT_EQ(look(5).choice.until, at(3660));
  held.clear();
  EXPECT_EQ(says(3660), "limit: nothing") << "the text is what wakes it";
  held = "docs has reached its usage limit";
  EXPECT_EQ(says(3660), "limit: wake limit") << "nothing else would";
}

TEST_F(OutboxTest, AShellIsReplacedAllTheSame) {
  agent.state = State::shell;
  agent.spec.restart = model::Restart::fresh;
  agent.last_alive = at(0);
  EXPECT_EQ(says(10), "restart: restart fresh");
}

TEST_F(OutboxTest, NothingElseIsSaidToItBeforeTheText) {
  agent.state = State::ready;
  held.clear();
  EXPECT_EQ(says(10'000), "outbox: nothing");
  agent.memory.told = false;
  EXPECT_EQ(says(10'000), "begin: nothing");
  agent.memory.told = true;
  agent.memory.desk.waiting = {{"t1", "alice", 0}};
  EXPECT_EQ(says(10'000), "work: nothing");
  agent.spec.loop.one_task = true;
  agent.memory.sessions.given = 1;
  EXPECT_EQ(says(10'000), "work: nothing") << "the conversation it is meant for must not end";
}

TEST_F(OutboxTest, OneThatCannotBeTypedIsAPersonsAfterAWhile) {
  agent.state = State::typing;  // somebody left a draft in the box
  EXPECT_EQ(says(299), "outbox: nothing");
  EXPECT_EQ(look(299).choice.until, at(300));
  EXPECT_EQ(says(300), "outbox: escalate") << "no nudge: that would go before the text";
  agent.memory.matter = {"outbox", 0, at(300), true};
  EXPECT_EQ(says(301), "outbox: nothing") << "once";
  for (const State state : {State::unknown, State::starting}) {
    agent.state = state;
    agent.memory.matter = {};
    EXPECT_EQ(says(300), "outbox: escalate") << model::word(state);
  }
  agent.state = State::busy;
  EXPECT_EQ(says(300), "outbox: nothing") << "it will have an end";
}

TEST_F(OutboxTest, ATaskIsNotOverWhileItIsTold) {
  agent.task = model::Task{};
  agent.task->order.interactive = true;
  agent.task->started = at(0);
  agent.state = State::ready;
  held.clear();
  EXPECT_EQ(says(600), "outbox: nothing");
  agent.outbox.clear();
  EXPECT_EQ(look(600).choice.action, Action::finish);
}

}  // namespace
}  // namespace pawl::policy
