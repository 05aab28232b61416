// Profiles learnt from a few screens of real agents, judged on that agent's other recordings.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "perceive/learn/learn.h"
#include "perceive/test_recording.h"

namespace pawl::perceive {
namespace {

using model::State;

constexpr double kGuard = 0.35;  // seconds at each border of a label: the screen follows later
constexpr double kStep = 0.1;

struct Pick {
  Shown shown;
  const char* recording;
  double at;
};

std::vector<Still> stills_of(const std::string& agent, const std::vector<Pick>& picks) {
  const Catalog catalog = Catalog::built_in();
  std::vector<Still> out;
  for (const Pick& pick : picks) {
    const TestRecording recording = test_recording(agent + "/" + pick.recording);
    Player player(catalog, recording.header.size, {});
    test_play(player, recording, pick.at);
    player.advance_to(pick.at);
    out.push_back(still_of(pick.shown, player.terminal().screen()));
  }
  return out;
}

// What a label asks for; nothing when it is not judged. Errors that give the prompt back count as ready.
std::optional<State> wanted(const TestLabel& label) {
  static const std::map<std::string, State> states{{"ready", State::ready},
                                                   {"typing", State::typing},
                                                   {"busy", State::busy},
                                                   {"dialog", State::waiting},
                                                   {"context_exhausted", State::ready}};
  if (label.state == "rate_limited" || label.state == "auth_error")
    return label.sub == "retrying" ? State::busy : State::ready;
  const auto it = states.find(label.state);
  if (it == states.end() || label.sub == "noninteractive") return std::nullopt;
  return it->second;
}

struct Score {
  size_t judged = 0, right = 0;
  double false_ready = 0;  // seconds in which work or a dialog was taken for ready
  double early = 0;        // … a start; the end of one is the weakest of the labels
  std::string where;
  std::map<std::string, size_t> confused;
  double accuracy() const {
    return judged == 0 ? 0 : static_cast<double>(right) / static_cast<double>(judged);
  }
};

void judge(const Catalog& catalog, const std::string& name, const TestRecording& recording,
           Score& score) {
  TrackerOptions options;
  options.runtime = name;
  Player player(catalog, recording.header.size, options);
  test_play(player, recording);
  player.finish();
  const auto edges = player.take();
  size_t edge = 0;
  State now = State::starting;
  for (const TestLabel& label : recording.labels) {
    const auto want = wanted(label);
    for (double t = label.from + kGuard; t < label.to - kGuard; t += kStep) {
      while (edge < edges.size() && edges[edge].t <= t) now = edges[edge++].verdict.state;
      const State said = now == State::limited ? State::ready : now;
      const bool works = want == State::busy || want == State::waiting;
      if (want) {
        ++score.judged;
        if (said == *want)
          ++score.right;
        else
          ++score.confused[fmt::format("{} as {} in {}", model::word(*want), model::word(said),
                                       recording.name)];
      }
      if (said == State::ready && label.state == "starting") score.early += kStep;
      if (said != State::ready || !works) continue;
      score.false_ready += kStep;
      score.where += fmt::format(" {}@{:.1f}", recording.name, t);
    }
  }
}

class Learnt : public ::testing::Test {
 protected:
  void learn_from(const std::string& agent, const std::vector<Pick>& picks) {
    const auto stills = stills_of(agent, picks);
    const auto learnt = learn({"mine", {"mine"}, {}}, stills);
    ASSERT_TRUE(learnt) << text_of(learnt.error());
    if (std::getenv("PAWL_SHOW_LEARNT")) fmt::print("{}\n", learnt->toml);
    const auto trial = try_profile(learnt->toml, "mine.toml", stills);
    ASSERT_TRUE(trial) << text_of(trial.error()) << learnt->toml;
    for (const auto& wrong : trial->wrong)
      ADD_FAILURE() << picks[wrong.index].recording << "@" << picks[wrong.index].at << " read as "
                    << model::word(wrong.verdict.state) << ": " << wrong.verdict.because << "\n"
                    << learnt->toml;
    EXPECT_GE(trial->right, trial->generic_right);
    Catalog catalog = Catalog::built_in();
    ASSERT_TRUE(catalog.add(learnt->toml, "mine.toml"));
    for (const auto& name : test_recordings(agent)) {
      const bool shown = std::any_of(picks.begin(), picks.end(), [&](const Pick& pick) {
        return name == agent + "/" + pick.recording;
      });
      if (shown || name.find("/print_") != std::string::npos) continue;
      const TestRecording recording = test_recording(name);
      judge(catalog, "mine", recording, score);
      judge(catalog, agent, recording, built_in);
      judge(catalog, "generic", recording, generic);
    }
    if (std::getenv("PAWL_SHOW_LEARNT"))
      for (const auto& [what, looks] : score.confused) fmt::print("  {} {}\n", looks, what);
    for (const auto& [whose, one] : {std::pair{"learnt", &score}, std::pair{"built-in", &built_in},
                                     std::pair{"generic", &generic}})
      fmt::print("{} {}: {:.1f} % of {} looks right, {:.1f} s falsely ready{}, {:.1f} s early\n",
                 agent, whose, 100 * one->accuracy(), one->judged, one->false_ready, one->where,
                 one->early);
    EXPECT_GT(score.accuracy(), 0.9);
    EXPECT_EQ(score.false_ready, 0) << score.where;
    EXPECT_LE(score.early, built_in.early + 5)
        << "stills do not show how long a start takes (opencode: a message over its box, 4.8 s)";
  }
  Score score, built_in, generic;
};

TEST_F(Learnt, Pi) {
  learn_from("pi", {{Shown::idle, "idle", 10},
                    {Shown::idle, "slow", 25},
                    {Shown::typing, "typing", 12},
                    {Shown::busy, "slow", 9},
                    {Shown::busy, "tool5", 10}});
  EXPECT_GT(score.right, generic.right);
}

TEST_F(Learnt, Copilot) {
  learn_from("copilot", {{Shown::idle, "idle", 20},
                         {Shown::idle, "slow", 32},
                         {Shown::typing, "typing", 20},
                         {Shown::busy, "slow", 17},
                         {Shown::busy, "slow", 20.1},
                         {Shown::busy, "tool5", 15},
                         {Shown::dialog, "perm_bash", 20}});
  EXPECT_GT(score.right, generic.right);
}

TEST_F(Learnt, Opencode) {
  learn_from("opencode", {{Shown::idle, "idle", 20},
                          {Shown::idle, "slow", 40},
                          {Shown::typing, "typing", 30},
                          {Shown::busy, "slow", 25},
                          {Shown::busy, "tool5", 26},
                          {Shown::dialog, "perm_bash", 22}});
  EXPECT_GT(score.right, generic.right);
}

TEST_F(Learnt, Gemini) {
  learn_from("gemini", {{Shown::idle, "idle", 20},
                        {Shown::idle, "slow", 32},
                        {Shown::typing, "typing", 15},
                        {Shown::busy, "slow", 18},
                        {Shown::busy, "tool5", 16},
                        {Shown::dialog, "perm_bash", 15},
                        {Shown::dialog, "trust", 8}});
  EXPECT_GT(score.right, generic.right);
}

}  // namespace
}  // namespace pawl::perceive
