// What modelled programs ask: perceived as what it is, and answered in their log as it was.

#include <gtest/gtest.h>

#include "sim/world/agents/test_agent.h"

namespace pawl::sim {
namespace {

using What = Entry::What;
using model::Cost;
using model::State;

TestAgent up_to_ask(const Model& model, Launch launch = {}) {
  Behaviour behaviour;
  behaviour.turn_from = behaviour.turn_to = std::chrono::seconds{5};
  TestAgent agent(model, behaviour, launch, {});
  agent.until(7);
  return agent;
}

void work(TestAgent& agent) {
  EXPECT_TRUE(agent.program.work(agent.now(), std::chrono::seconds{60}));
  agent.wait(1);
}

Entry answer(TestAgent& agent) {
  Entry last;
  for (auto& entry : agent.program.take_log())
    if (entry.what == What::answered) last = std::move(entry);
  return last;
}

std::string kind_of(Ask ask) {
  switch (ask) {
    case Ask::command:
    case Ask::write:
    case Ask::edit:
      return "permission";
    case Ask::plan:
      return "question";
    case Ask::resume:
      return "resume-picker";
    case Ask::trust:
    case Ask::login:
    case Ask::limit:
    case Ask::update:
    case Ask::survey:
    case Ask::question:
    case Ask::strange:
      break;
  }
  return std::string(word(ask));
}

constexpr Ask kAsks[] = {Ask::command,  Ask::write, Ask::edit,   Ask::trust,
                         Ask::login,    Ask::limit, Ask::update, Ask::survey,
                         Ask::question, Ask::plan,  Ask::resume};

TEST(Dialogs, OneThatNobodyDescribedIsSeenAndIsNotKnown) {
  for (const Model* model : {&kClaude, &kCodex, &kGemini}) {
    TestAgent agent = up_to_ask(*model);
    ASSERT_TRUE(agent.program.ask(agent.now(), Ask::strange)) << model->name;
    agent.wait(2);
    EXPECT_EQ(agent.tracker().verdict().state, State::waiting) << model->name;
    const auto dialog = perceive::dialog_in(agent.tracker().evidence());
    ASSERT_TRUE(dialog) << model->name;
    EXPECT_FALSE(dialog->known) << model->name;
    EXPECT_EQ(dialog->rows.size(), 3u) << model->name;
  }
}

// A row that pays, widens or destroys is never taken for less than it is.
TEST(Dialogs, EveryoneIsSeenAndNoRowIsTakenForLessThanItIs) {
  size_t seen = 0;
  for (const Model* model : {&kClaude, &kCodex, &kGemini})
    for (const Ask ask : kAsks) {
      TestAgent agent = up_to_ask(*model);
      if (!agent.program.ask(agent.now(), ask)) continue;
      agent.wait(2);
      ++seen;
      const std::string name = std::string(model->name) + " " + std::string(word(ask));
      ASSERT_EQ(agent.tracker().verdict().state, State::waiting) << name;
      EXPECT_EQ(agent.tracker().verdict().kind, kind_of(ask)) << name;
      const auto dialog = perceive::dialog_in(agent.tracker().evidence());
      ASSERT_TRUE(dialog) << name;
      const auto& truth = agent.program.asked()->rows;
      const bool beside = ask == Ask::survey;  // only what may be pressed there is a row
      ASSERT_EQ(dialog->rows.size(), beside ? 1u : truth.size()) << name;
      for (size_t i = 0; i < dialog->rows.size(); ++i) {
        const auto& row = dialog->rows[i];
        EXPECT_TRUE(truth[i].text.starts_with(row.text)) << name << ": " << row.text;
        EXPECT_TRUE(row.cost == truth[i].cost || row.cost == Cost::question)
            << name << ": " << row.text << " is " << model::word(truth[i].cost) << ", perceived as "
            << model::word(row.cost);
      }
    }
  EXPECT_GE(seen, 20u);
}

TEST(Dialogs, TheRowThatWasChosenIsInTheLogWithWhatItMeans) {
  TestAgent agent = up_to_ask(kClaude);
  work(agent);
  ASSERT_TRUE(agent.program.ask(agent.now(), Ask::command, {.subject = "rm -rf tmp"}));
  agent.wait(1);
  agent.type("\x1b[B");
  agent.wait(0.2);
  agent.type("\r");
  agent.wait(0.2);
  const Entry entry = answer(agent);
  EXPECT_EQ(entry.row, 1u);
  EXPECT_EQ(entry.cost, Cost::permission);
  EXPECT_EQ(entry.subject, "rm -rf tmp");
  EXPECT_FALSE(entry.blind);
  EXPECT_TRUE(agent.program.working());
}

TEST(Dialogs, DigitsLettersAndEscapeChooseToo) {
  struct Case {
    const Model* model;
    const char* key;
    Cost cost;
    bool goes_on;
  };
  for (const Case& c :
       {Case{&kClaude, "4", Cost::deny, false}, Case{&kClaude, "\x1b", Cost::deny, false},
        Case{&kCodex, "y", Cost::allow, true}, Case{&kCodex, "p", Cost::permission, true},
        Case{&kGemini, "1", Cost::allow, true}, Case{&kGemini, "\x03", Cost::deny, false},
        Case{&kPlain, "y", Cost::allow, true}, Case{&kPlain, "n", Cost::deny, false}}) {
    TestAgent agent = up_to_ask(*c.model);
    work(agent);
    ASSERT_TRUE(agent.program.ask(agent.now(), Ask::command));
    agent.wait(1);
    agent.type(c.key);
    agent.wait(0.2);
    EXPECT_EQ(answer(agent).cost, c.cost) << c.model->name;
    EXPECT_EQ(agent.program.working(), c.goes_on) << c.model->name;
  }
}

TEST(Dialogs, AnEnterWrittenBeforeTheDialogWasSeenIsBlind) {
  TestAgent agent = up_to_ask(kClaude);
  work(agent);
  agent.type("\r");  // still on its way when the dialog comes up
  ASSERT_TRUE(agent.program.ask(agent.now(), Ask::command));
  agent.wait(0.5);
  const Entry entry = answer(agent);
  EXPECT_EQ(entry.what, What::answered);
  EXPECT_TRUE(entry.blind);
}

TEST(Dialogs, APasteIntoADialogIsLost) {
  TestAgent agent = up_to_ask(kCodex);
  work(agent);
  ASSERT_TRUE(agent.program.ask(agent.now(), Ask::command));
  agent.wait(1);
  agent.type("\x1b[200~a prompt\x1b[201~");
  agent.wait(0.2);
  EXPECT_EQ(agent.program.take_log().back().what, What::lost);
  EXPECT_NE(agent.program.asked(), nullptr);
}

TEST(Dialogs, AnUntrustedFolderIsAskedAboutBeforeAnythingElse) {
  for (const Model* model : {&kClaude, &kCodex, &kGemini}) {
    Launch launch;
    launch.trusted = false;
    TestAgent agent = up_to_ask(*model, launch);
    ASSERT_NE(agent.program.asked(), nullptr) << model->name;
    EXPECT_FALSE(agent.program.up()) << model->name;
    agent.type(model == &kClaude ? "\x1b[B\r" : "\r");  // Claude Code stands on "No, exit"
    agent.wait(5);
    EXPECT_TRUE(agent.program.up()) << model->name;
    EXPECT_EQ(agent.tracker().verdict().state, State::ready) << model->name;
  }
}

TEST(Dialogs, EnterInClaudeCodesTrustDialogEndsIt) {
  Launch launch;
  launch.trusted = false;
  TestAgent agent = up_to_ask(kClaude, launch);
  agent.type("\r");
  agent.wait(1);
  ASSERT_TRUE(agent.program.ended());
  EXPECT_EQ(agent.program.ended()->exit_code, 1);
  EXPECT_EQ(answer(agent).cost, Cost::destroys);
}

TEST(Dialogs, GeminisQuotaMenuStandsInTheTurnUntilItIsStopped) {
  TestAgent agent = up_to_ask(kGemini);
  ASSERT_TRUE(agent.program.order(agent.now(), "fail limit 2h"));
  work(agent);
  agent.wait(2);
  EXPECT_EQ(agent.tracker().verdict().kind, "limit");
  agent.type("2");
  agent.wait(3);
  EXPECT_EQ(answer(agent).cost, Cost::free);
  EXPECT_EQ(agent.tracker().verdict().state, State::limited);
}

TEST(Dialogs, ASurveyLeavesTheBoxToPrompts) {
  TestAgent agent = up_to_ask(kClaude);
  ASSERT_TRUE(agent.program.ask(agent.now(), Ask::survey));
  agent.wait(1);
  agent.type("go");
  agent.wait(0.3);
  agent.type("\r");
  agent.wait(0.3);
  EXPECT_TRUE(agent.program.working());
}

}  // namespace
}  // namespace pawl::sim
