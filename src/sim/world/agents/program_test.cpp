// What every modelled program does, whoever it looks like.

#include "sim/world/agents/program.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "sim/world/agents/test_agent.h"

namespace pawl::sim {
namespace {

using What = Entry::What;
using State = model::State;

constexpr double kUp = 7;

Launch hooked(const Model& model) {
  Launch launch;
  launch.argv = {std::string(model.name)};
  launch.hooks = true;
  return launch;
}

TestAgent started(const Model& model, const Behaviour& behaviour = quick_turns(),
                  Channels channels = {}) {
  TestAgent agent(model, behaviour, hooked(model), channels);
  agent.until(kUp);
  return agent;
}

State state(const TestAgent& agent) {
  return agent.tracker().verdict().state;
}

std::vector<std::string> hook_events(const TestAgent& agent) {
  std::vector<std::string> out;
  for (const auto& hook : agent.hooks) {
    const auto json = Json::parse(hook);
    EXPECT_TRUE(json) << hook;
    if (json) out.push_back((*json)[json->has("type") ? "type" : "hook_event_name"].as_string());
  }
  return out;
}

TEST(Program, APromptReachesTheModelOnceAndItIsReadyAgain) {
  for (const Model* model : models()) {
    TestAgent agent = started(*model);
    say(agent, "explain the project");
    EXPECT_TRUE(agent.program.working()) << model->name;
    agent.wait(10);
    EXPECT_FALSE(agent.program.working()) << model->name;
    const auto took = entries(agent, What::took);
    ASSERT_EQ(took.size(), 1u) << model->name;
    EXPECT_EQ(took[0].text, "explain the project") << model->name;
    EXPECT_EQ(took[0].reached, Reached::model) << model->name;
    EXPECT_EQ(state(agent), State::ready) << model->name;
  }
}

TEST(Program, ALongPasteIsSentWhole) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "line " + std::to_string(i) + "\n";
  text += "end";
  for (const Model* model : models()) {
    TestAgent agent = started(*model);
    say(agent, text);
    const auto took = entries(agent, What::took);
    ASSERT_EQ(took.size(), 1u) << model->name;
    EXPECT_EQ(took[0].text, text) << model->name;
  }
}

TEST(Program, AtRestItPrintsNothingWantsNoWakeUpAndIsSmall) {
  for (const Model* model : models()) {
    TestAgent agent = started(*model);
    for (int i = 0; i < 5; ++i) {
      say(agent, "a prompt of a usual length, as people write them to their agents");
      agent.wait(5);
    }
    agent.wait(120);
    agent.program.take_log();
    const size_t printed = agent.printed;
    EXPECT_EQ(agent.program.wake_at(), std::nullopt) << model->name;
    agent.wait(3600);
    EXPECT_EQ(agent.printed, printed) << model->name;
    EXPECT_LT(agent.program.weight(), 4096u) << model->name;
  }
}

// Its turning line is drawn far less often than the real one's, but for one that nobody described: it is known by its silence.
TEST(Program, AWorkingProgramIsSeenToWorkAllTheTime) {
  Behaviour behaviour;
  behaviour.turn_from = behaviour.turn_to = std::chrono::hours{2};
  for (const Model* model : models())
    for (const bool osc : {true, false}) {
      if (model->name == "plain") behaviour.pace = std::chrono::seconds{1};
      TestAgent agent = started(*model, behaviour, {.osc = osc});
      say(agent, "go");
      agent.wait(3);
      for (int i = 0; i < 400; ++i) {
        ASSERT_EQ(state(agent), State::busy)
            << model->name << " (osc " << osc << ") after " << i * 5
            << " s: " << agent.tracker().verdict().because;
        agent.wait(5);
      }
      if (model->name != "plain") {
        EXPECT_LT(agent.prints, 200u) << model->name;
      }
    }
}

TEST(Program, ATurningLineDrawnAloneIsThePictureDrawnWhole) {
  Behaviour behaviour;
  behaviour.turn_from = behaviour.turn_to = std::chrono::hours{2};
  behaviour.pace = std::chrono::seconds{10};
  for (const Model* model : models()) {
    TestAgent agent = started(*model, behaviour);
    say(agent, "go");
    for (int i = 0; i < 7; ++i) {
      const size_t prints = agent.prints;
      while (agent.prints == prints) agent.wait(0.02);
      const std::string turned = agent.terminal.screen().text();
      agent.program.resize(agent.now(), Launch{}.size);
      agent.wait(0.1);
      EXPECT_EQ(agent.terminal.screen().text(), turned) << model->name;
    }
  }
}

TEST(Program, TheSameSeedIsTheSameLife) {
  Behaviour wild = quick_turns();
  wild.asks = wild.tool = wild.limits = wild.overload = wild.jobs = 0.3;
  wild.eats_part = wild.lost_enter = wild.halves = wild.slow_echo = wild.hook_late = 0.3;
  const auto life = [&](const Model& model, uint64_t seed) {
    Program program(model, wild, seed);
    Launch launch = hooked(model);
    program.start(MonoTime{}, launch);
    std::string out;
    for (int s = 0; s < 600; ++s) {
      if (s % 30 == 10) program.read(at_s(s), "\x1b[200~do the thing\x1b[201~");
      if (s % 30 == 11) program.read(at_s(s), "\r");
      out += program.print(at_s(s));
      for (const auto& hook : program.take_hooks(at_s(s))) out += hook;
    }
    for (const auto& entry : program.take_log()) out += entry.text + std::string(word(entry.what));
    return out;
  };
  for (const Model* model : models()) {
    EXPECT_EQ(life(*model, 7), life(*model, 7)) << model->name;
    EXPECT_NE(life(*model, 7), life(*model, 8)) << model->name;
  }
}

TEST(Program, HooksTellOfATurnAsTheRealOnesDo) {
  TestAgent claude = started(kClaude);
  say(claude, "go");
  claude.wait(70);
  EXPECT_EQ(hook_events(claude),
            (std::vector<std::string>{"SessionStart", "UserPromptSubmit", "Stop", "Notification"}));
  const auto hook = perceive::read_hook(*test_profiles().find("claude"), claude.hooks[1]);
  ASSERT_TRUE(hook);
  EXPECT_TRUE(hook->prompt);
  EXPECT_EQ(hook->prompt_text, "go");
  EXPECT_EQ(hook->session_id, claude.program.conversation());
  TestAgent codex = started(kCodex);
  say(codex, "go");
  codex.wait(10);
  EXPECT_EQ(hook_events(codex), (std::vector<std::string>{"agent-turn-complete"}));
}

TEST(Program, AFailedTurnIsToldByStopFailureAndInItsTranscript) {
  TestAgent agent = started(kClaude);
  ASSERT_TRUE(agent.program.order(agent.now(), "fail limit 2h"));
  say(agent, "go");
  agent.wait(3);
  const auto hook = perceive::read_hook(*test_profiles().find("claude"), agent.hooks.back());
  ASSERT_TRUE(hook);
  EXPECT_EQ(hook->event, "StopFailure");
  EXPECT_EQ(hook->notice, perceive::NoticeKind::limit);
  const auto files = agent.program.files(agent.now());
  ASSERT_EQ(files.size(), 2u);
  const auto transcript = perceive::read_transcript(*test_profiles().find("claude"), files[1].text);
  ASSERT_TRUE(transcript.error);
  EXPECT_EQ(transcript.error->status, 429);
  EXPECT_EQ(state(agent), State::limited);
}

TEST(Program, ItsSessionFileSaysWhatItDoes) {
  TestAgent agent = started(kClaude);
  int behind = 0;
  const auto told = [&] {
    const auto files = agent.program.files(agent.now());
    const auto read = perceive::read_session_file(files.at(0).text, Launch{}.process);
    EXPECT_TRUE(read);
    behind = read ? read->word.behind : -1;
    return read ? read->word.told : perceive::Told::nothing;
  };
  EXPECT_EQ(told(), perceive::Told::idle);
  say(agent, "go");
  EXPECT_EQ(told(), perceive::Told::busy);
  ASSERT_TRUE(agent.program.order(agent.now(), "ask command rm -rf tmp"));
  EXPECT_EQ(told(), perceive::Told::waiting);
  agent.type("\r");
  agent.wait(10);
  ASSERT_TRUE(agent.program.order(agent.now(), "job 1h"));
  EXPECT_EQ(told(), perceive::Told::idle);
  EXPECT_EQ(behind, 1);
}

TEST(Program, OnlyCodexReportsToATerminalThatDoesNotAnswer) {
  for (const Model* model : models()) {
    EXPECT_EQ(started(*model, quick_turns()).terminal.screen().status().root() != nullptr,
              model == &kCodex)
        << model->name;
    EXPECT_EQ(started(*model, quick_turns(), {.answers = true}).terminal.screen().status().root() !=
                  nullptr,
              model == &kCodex || model == &kClaude)
        << model->name;
  }
}

TEST(Program, AnotherTerminalSizeIsDrawnAnew) {
  for (const Model* model : models()) {
    TestAgent agent = started(*model);
    const Size narrow{70, 20};
    agent.terminal.resize(narrow);
    agent.program.resize(agent.now(), narrow);
    agent.wait(5);
    EXPECT_EQ(state(agent), State::ready) << model->name;
    agent.type("a draft");
    agent.wait(2);
    EXPECT_EQ(state(agent), State::typing) << model->name;
  }
}

}  // namespace
}  // namespace pawl::sim
