// Nothing is typed where a text would be run as a command or start another session.

#include <gtest/gtest.h>

#include "act/gate.h"
#include "act/inject_play.h"
#include "act/press.h"

namespace pawl::act {
namespace {

using namespace std::chrono_literals;

const std::string kShell = "its box is in shell mode";

TEST(Mode, HoldsEveryTextBackWhateverTheState) {
  for (const auto state : {model::State::typing, model::State::busy, model::State::ready})
    for (const char* input : {"shell", "memory", "agents"})
      for (const bool eager : {false, true}) {
        model::Agent agent;
        agent.spec.name = "docs";
        agent.spec.runtime = "claude";
        agent.starts = 1;
        agent.state = state;
        agent.input = input;
        model::Queued item;
        item.action = eager ? model::Action::wake : model::Action::send;
        const auto held = held_back(agent, item, WallTime{});
        ASSERT_TRUE(held) << input;
        EXPECT_TRUE(held->person);
        EXPECT_NE(held->because.find("docs"), std::string::npos);
        agent.input.clear();
        EXPECT_EQ(held_back(agent, item, WallTime{}).has_value(),
                  !eager && state != model::State::ready);
      }
}

TEST(Mode, ABoxThatTurnsToShellModeBeforeThePasteGetsNoByte) {
  for (const bool eager : {false, true}) {
    Inject inject(order(eager), MonoTime{100s});
    View view;
    view.now = MonoTime{100s};
    view.state = model::State::ready;
    view.box = true;
    view.mode = kShell;
    const Step step = inject.look(view);
    EXPECT_TRUE(step.write.empty());
    ASSERT_TRUE(step.outcome);
    EXPECT_EQ(step.outcome->verdict, Verdict::withdrawn) << "it may be tried again";
    EXPECT_EQ(step.outcome->witness, kShell);
  }
}

TEST(Mode, ADraftInShellModeIsNotCleared) {
  Inject inject(order(true), MonoTime{100s});
  View view;
  view.now = MonoTime{100s};
  view.state = model::State::typing;
  view.box = view.draft = true;
  view.rows = {"ls"};
  view.mode = kShell;
  const Step step = inject.look(view);
  EXPECT_TRUE(step.write.empty());
  EXPECT_FALSE(step.keep);
  EXPECT_TRUE(step.outcome);
}

TEST(Mode, NoEnterWhenItTurnsToShellModeAfterThePaste) {
  Play play(order());
  EXPECT_EQ(play.writes, Writes{kPaste});
  play.view.mode = kShell;
  play.box({"hello you"}).pass(20s);
  EXPECT_EQ(play.enters(), 0u);
  EXPECT_EQ(play.verdict(), Verdict::stuck);
  EXPECT_TRUE(play.outcome && play.outcome->left) << "what is in the box is Pawl's";
}

TEST(Mode, ATextThatLedToShellModeIsTakenOutAgain) {
  Play play(order());
  play.view.mode = kShell;
  play.box({"hello you"});
  EXPECT_EQ(play.writes, (Writes{kPaste, kErase}));
  play.box({}).pass(500ms);
  EXPECT_FALSE(play.outcome) << "the mode is still there";
  play.view.mode.clear();
  play.pass(2s);
  EXPECT_EQ(play.verdict(), Verdict::stuck);
  EXPECT_EQ(play.outcome->witness,
            kShell + ": Enter was not pressed; it was taken out of the box again");
  EXPECT_FALSE(play.outcome->left);
  EXPECT_EQ(play.enters(), 0u);
}

TEST(Mode, WhatSomebodyElseTypedIsNotTakenOut) {
  Play play(order());
  play.view.mode = kShell;
  play.box({"rm -rf x"}).pass(20s);
  EXPECT_EQ(play.writes, Writes{kPaste});
  EXPECT_EQ(play.verdict(), Verdict::stuck);
}

TEST(Mode, ATextThatWouldBeRunIsRefusedBeforeItIsTyped) {
  Order its = order();
  its.cannot = "pi would run it";
  Play play(its);
  EXPECT_EQ(play.verdict(), Verdict::refused);
  EXPECT_EQ(play.outcome->witness, "pi would run it");
  EXPECT_TRUE(play.writes.empty());
}

TEST(Mode, WhatMakesItAPromptIsTypedBeforeIt) {
  Order its = order();
  its.lead = " ";
  Play play(its);
  EXPECT_EQ(play.writes, Writes{"\x1b[200~ hello you\x1b[201~"});
  play.box({"hello you"}).pass(400ms);
  EXPECT_EQ(play.enters(), 1u);
}

TEST(Mode, ADraftThatWasClearedIsKeptAndNotTypedIntoAShell) {
  Play play(order(true));
  Inject inject(order(true), MonoTime{100s});
  View view = play.view;
  view.draft = true;
  view.rows = {"half a thought"};
  Step step = inject.look(view);
  ASSERT_TRUE(step.keep);
  view.now += 100ms;
  view.draft = false;
  view.rows.clear();
  view.mode = kShell;
  step = inject.look(view);
  EXPECT_TRUE(step.write.empty());
  ASSERT_TRUE(step.outcome);
  EXPECT_TRUE(step.outcome->draft_lost) << "the file has it";
}

TEST(Mode, NoSecondEnterWhenItTurnsToShellModeAfterTheFirst) {
  Play play(order());
  play.box({"hello you"}).pass(400ms);
  ASSERT_EQ(play.enters(), 1u);
  play.view.mode = kShell;
  play.pass(20s);
  EXPECT_EQ(play.enters(), 1u);
  EXPECT_EQ(play.verdict(), Verdict::unverified);
}

struct Asked {
  View view;
  Asked() {
    view.now = MonoTime{100s};
    view.menu = true;
    view.dialog = "a";
    view.question = "Do you want to proceed?";
    view.options = {"❯ 1. Yes", "2. No"};
    view.chosen = 0;
  }
};

TEST(PressMeant, NoKeyIntoAnotherDialogUnderTheSameRows) {
  Asked asked;
  Press press("1", asked.view.now, {}, "another");
  std::optional<Outcome> outcome;
  for (int i = 0; i < 100 && !outcome; ++i, asked.view.now += 50ms) {
    const Step step = press.look(asked.view);
    EXPECT_TRUE(step.write.empty());
    outcome = step.outcome;
  }
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->verdict, Verdict::withdrawn);
  EXPECT_NE(outcome->witness.find("Do you want to proceed?"), std::string::npos);
}

TEST(PressMeant, NoEnterWhenItTurnsIntoAnotherOnTheWay) {
  Asked asked;
  Press press("2", asked.view.now, {}, "a");
  std::vector<std::string> keys;
  std::optional<Outcome> outcome;
  for (int i = 0; i < 100 && !outcome; ++i, asked.view.now += 50ms) {
    const Step step = press.look(asked.view);
    outcome = step.outcome;
    if (step.write.empty()) continue;
    keys.push_back(step.write);
    asked.view.chosen = 1;  // it follows, and in the same moment it asks something else
    asked.view.dialog = "b";
  }
  EXPECT_EQ(keys, std::vector<std::string>{"\x1b[B"});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->verdict, Verdict::unverified);
}

TEST(PressMeant, TheOneThatIsMeantIsPressed) {
  Asked asked;
  Press press("1", asked.view.now, {}, "a");
  std::vector<std::string> keys;
  for (int i = 0; i < 10; ++i, asked.view.now += 50ms)
    if (const Step step = press.look(asked.view); !step.write.empty()) keys.push_back(step.write);
  EXPECT_EQ(keys, std::vector<std::string>{"\r"});
}

}  // namespace
}  // namespace pawl::act
