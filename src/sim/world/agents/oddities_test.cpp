// What modelled programs do wrong, and whether their log tells the truth about it.

#include <gtest/gtest.h>

#include <csignal>

#include "base/json.h"
#include "sim/world/agents/test_agent.h"

namespace pawl::sim {
namespace {

using What = Entry::What;
using State = model::State;

TestAgent up(const Model& model, Launch launch = {}) {
  launch.hooks = true;
  TestAgent agent(model, quick_turns(), launch, {});
  agent.until(7);
  return agent;
}

void order(TestAgent& agent, const std::string& words) {
  EXPECT_TRUE(agent.program.order(agent.now(), words))
      << agent.program.model().name << ": " << words;
  agent.wait(0.4);
}

// Of the last text it took.
Reached reached(TestAgent& agent) {
  const auto took = entries(agent, What::took);
  return took.empty() ? Reached::nothing : took.back().reached;
}

TEST(Oddities, AnEnterThatIsLostLeavesTheTextInTheBox) {
  TestAgent agent = up(kClaude);
  order(agent, "expect lose_enter");
  say(agent, "go on");
  EXPECT_EQ(agent.program.box().whole(), "go on");
  EXPECT_TRUE(entries(agent, What::took).empty());
  enter(agent);
  EXPECT_EQ(reached(agent), Reached::model);
}

TEST(Oddities, WhatIsEatenOfAPasteIsInTheLog) {
  TestAgent agent = up(kCodex);
  order(agent, "expect eat_paste");
  paste(agent, "go on");
  EXPECT_TRUE(agent.program.box().empty());
  EXPECT_EQ(entries(agent, What::lost).at(0).text, "go on");
  order(agent, "expect eat_part");
  paste(agent, "go on, please");
  const auto lost = entries(agent, What::lost);
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_EQ(lost[0].text.size() + agent.program.box().shown().size(),
            std::string("go on, please").size());
}

TEST(Oddities, ATextThatComesTwiceIsInTheLog) {
  TestAgent agent = up(kPi);
  order(agent, "expect double_text");
  say(agent, "once");
  auto log = agent.program.take_log();
  ASSERT_GE(log.size(), 2u);
  EXPECT_EQ(log[log.size() - 2].what, What::doubled);
  EXPECT_EQ(log.back().text, "onceonce");
}

TEST(Oddities, ARefusedPromptIsBackInTheBoxAndReachedNobody) {
  TestAgent agent = up(kClaude);
  order(agent, "expect refuse");
  say(agent, "go on");
  EXPECT_EQ(agent.program.box().whole(), "go on");
  EXPECT_FALSE(agent.program.working());
  EXPECT_EQ(reached(agent), Reached::refused);
}

TEST(Oddities, TextInAnotherModeReachesWhatThatModeIs) {
  TestAgent shell = up(kClaude);
  order(shell, "open shell");
  say(shell, "touch f");
  EXPECT_EQ(reached(shell), Reached::shell);
  EXPECT_FALSE(shell.program.working());
  say(shell, "!touch g");  // a paste opens the mode, too
  EXPECT_EQ(reached(shell), Reached::shell);
  TestAgent memory = up(kClaude);
  memory.type("#");
  memory.wait(0.4);
  say(memory, "remember this");
  EXPECT_EQ(reached(memory), Reached::memory);
  TestAgent search = up(kGemini);
  order(search, "open search");
  say(search, "hello");
  EXPECT_EQ(reached(search), Reached::search);
  TestAgent pi = up(kPi);
  say(pi, "!ls");
  EXPECT_EQ(reached(pi), Reached::shell);
}

TEST(Oddities, ATextInTheAgentsViewBeginsAnotherConversation) {
  TestAgent agent = up(kClaude);
  const std::string before = agent.program.conversation();
  agent.type("\x1b[D");
  agent.wait(1);
  EXPECT_EQ(agent.tracker().verdict().input, "agents");
  say(agent, "go on");
  EXPECT_EQ(reached(agent), Reached::agents);
  EXPECT_NE(agent.program.conversation(), before);
}

TEST(Oddities, AnEnterWrittenBeforeTheModeWasSeenIsBlind) {
  TestAgent agent = up(kClaude);
  paste(agent, "go on");
  agent.type("\r");  // still on its way when the view comes up
  order(agent, "open agents");
  const auto took = entries(agent, What::took);
  ASSERT_EQ(took.size(), 1u);
  EXPECT_EQ(took.back().reached, Reached::agents);
  EXPECT_TRUE(took.back().blind);
}

TEST(Oddities, NothingIsReadyInAModeThatTakesNoPrompt) {
  for (const Model* model : models())
    for (const Mode mode : {Mode::shell, Mode::memory, Mode::agents, Mode::view, Mode::search,
                            Mode::picker, Mode::editor}) {
      if (!model->has(mode)) continue;
      TestAgent agent = up(*model);
      order(agent, "open " + std::string(word(mode)));
      agent.wait(5);
      EXPECT_NE(agent.tracker().verdict().state, State::ready) << model->name << " " << word(mode);
    }
}

TEST(Oddities, AHungProgramNeitherPrintsNorReadsAndGoesOnLater) {
  TestAgent agent = up(kCodex);
  paste(agent, "before");
  order(agent, "hang 100");
  const size_t printed = agent.printed;
  enter(agent);
  agent.wait(90);
  EXPECT_EQ(agent.printed, printed);
  EXPECT_TRUE(entries(agent, What::took).empty());
  agent.wait(20);
  EXPECT_EQ(reached(agent), Reached::model);
  order(agent, "hang");
  EXPECT_EQ(agent.program.wake_at(), std::nullopt);
}

TEST(Oddities, AStoppedProgramGoesOnWhenItIsContinued) {
  TestAgent agent = up(kClaude);
  agent.program.signal(agent.now(), SIGSTOP);
  say(agent, "go");
  agent.wait(100);
  EXPECT_TRUE(entries(agent, What::took).empty());
  agent.program.signal(agent.now(), SIGCONT);
  agent.wait(1);
  EXPECT_EQ(reached(agent), Reached::model);
}

TEST(Oddities, ADialogThatDiesWithItsProgramWasNotAnswered) {
  TestAgent agent = up(kCodex);
  order(agent, "ask command rm -rf tmp");
  order(agent, "oom");
  EXPECT_EQ(entries(agent, What::withdrawn).at(0).subject, "rm -rf tmp");
}

TEST(Oddities, AllFaultsMayEnd) {
  Behaviour faulty = quick_turns();
  faulty.lost_enter = faulty.eats_paste = 1;
  TestAgent agent = up(kGemini);
  agent.program.behave(faulty);
  say(agent, "go");
  EXPECT_TRUE(entries(agent, What::took).empty());
  agent.program.behave(quick_turns());
  say(agent, "go");
  EXPECT_EQ(reached(agent), Reached::model);
}

TEST(Oddities, AHungTurnIsSeenToBeStuck) {
  TestAgent agent = up(kClaude);
  say(agent, "go");
  order(agent, "hang");
  agent.wait(60);
  EXPECT_EQ(agent.tracker().verdict().state, State::stuck);
}

TEST(Oddities, ItsEndIsSeenAsWhatItWas) {
  struct Case {
    const char* order;
    State state;
    int code, signal;
  };
  for (const Case& c :
       {Case{"leave", State::exited, 0, 0}, Case{"crash", State::crashed, -1, SIGSEGV},
        Case{"oom", State::crashed, -1, SIGKILL}})
    for (const Model* model : models()) {
      TestAgent agent = up(*model);
      order(agent, c.order);
      ASSERT_TRUE(agent.program.ended()) << model->name;
      EXPECT_EQ(agent.program.ended()->exit_code, c.code) << model->name;
      EXPECT_EQ(agent.program.ended()->signal, c.signal) << model->name;
      EXPECT_EQ(agent.tracker().verdict().state, c.state) << model->name;
      EXPECT_EQ(agent.program.wake_at(), std::nullopt) << model->name;
    }
}

TEST(Oddities, TextForAProgramThatLeftItsShellBehindReachesTheShell) {
  Launch launch;
  launch.shell = true;
  TestAgent agent = up(kGemini, launch);
  order(agent, "crash");
  agent.wait(2);
  EXPECT_EQ(agent.tracker().verdict().state, State::shell);
  say(agent, "rm -rf everything");
  EXPECT_EQ(reached(agent), Reached::shell);
  EXPECT_EQ(agent.program.facts(agent.now()).front, "bash");
}

TEST(Oddities, AnUpdateStartsItAgainWithTheSameConversation) {
  for (const Model* model : {&kClaude, &kCodex, &kGemini, &kPi}) {
    TestAgent agent = up(*model);
    const std::string before = agent.program.conversation();
    agent.program.take_log();
    order(agent, "update");
    agent.wait(10);
    const auto began = entries(agent, What::began);
    ASSERT_EQ(began.size(), 1u) << model->name;
    EXPECT_TRUE(began[0].resumed) << model->name;
    EXPECT_EQ(agent.program.conversation(), before) << model->name;
    EXPECT_EQ(agent.tracker().verdict().state, State::ready) << model->name;
  }
}

TEST(Oddities, ARestartGoesOnWithTheConversationInItsArgumentsOrSaysThatItCannot) {
  Launch launch;
  launch.argv = {"codex", "resume", "abc"};
  TestAgent agent = up(kCodex, launch);
  EXPECT_EQ(agent.program.conversation(), "abc");
  launch.conversation_exists = false;
  TestAgent another = up(kCodex, launch);  // begins another one, without a word
  EXPECT_NE(another.program.conversation(), "abc");
  EXPECT_FALSE(entries(another, What::began).at(0).resumed);
  launch.argv = {"claude", "--resume", "abc"};
  TestAgent refuses = up(kClaude, launch);
  ASSERT_TRUE(refuses.program.ended());
  EXPECT_EQ(refuses.program.ended()->exit_code, 1);
}

TEST(Oddities, HooksAreLostDoubledAndLate) {
  const auto stops = [](TestAgent& agent) {
    size_t count = 0;
    for (const auto& hook : agent.hooks)
      count += hook.find("\"Stop\"") != std::string::npos ? 1 : 0;
    return count;
  };
  TestAgent agent = up(kClaude);
  say(agent, "one");
  order(agent, "expect lose_hook");
  agent.wait(5);
  EXPECT_EQ(stops(agent), 0u);
  say(agent, "two");
  order(agent, "expect double_hook");
  agent.wait(5);
  EXPECT_EQ(stops(agent), 2u);
  say(agent, "three");
  order(agent, "expect late_hook");
  agent.wait(2);
  EXPECT_EQ(stops(agent), 2u);
  agent.wait(30);
  EXPECT_EQ(stops(agent), 3u);
}

TEST(Oddities, AReportMayContradictThePicture) {
  TestAgent agent = up(kCodex);
  order(agent, "expect wrong_status");
  say(agent, "go");
  ASSERT_NE(agent.terminal.screen().status().root(), nullptr);
  EXPECT_EQ(agent.terminal.screen().status().root()->state, term::ProgramState::idle);
  EXPECT_TRUE(agent.program.working());
}

TEST(Oddities, AJobOutlivesItsTurnAndThenATurnBeginsByItself) {
  TestAgent agent = up(kClaude);
  say(agent, "go");
  order(agent, "job 60");
  agent.wait(10);
  EXPECT_FALSE(agent.program.working());
  EXPECT_NE(agent.hooks.back().find("running"), std::string::npos) << agent.hooks.back();
  EXPECT_EQ(agent.tracker().verdict().state, State::ready);
  EXPECT_EQ(agent.tracker().verdict().background, 1);
  agent.wait(50);
  EXPECT_TRUE(agent.program.working());
}

TEST(Oddities, EveryOrderHasItsWord) {
  TestAgent agent = up(kClaude);
  for (const char* words :
       {"draft x", "vim", "vim", "compact", "garble", "expect mute", "job 5m", "fail auth"})
    EXPECT_TRUE(agent.program.order(agent.now(), words)) << words;
  for (const char* words : {"", "sing", "work", "work long", "ask", "ask money", "open door",
                            "fail", "expect nothing", "hang on", "ask update"})
    EXPECT_FALSE(agent.program.order(agent.now(), words)) << words;
}

}  // namespace
}  // namespace pawl::sim
