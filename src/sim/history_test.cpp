// Random histories in virtual time: whatever happens to an agent, in whatever order, the rules keep their promises. The seed
// is in every message: a failure can be told again.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "base/text.h"
#include "sim/simulation.h"
#include "sim/test_profiles.h"

namespace pawl::sim {
namespace {

using model::Action;
using model::State;

constexpr int kHistories = 400;
constexpr double kHours = 1000;  // each

class Dice {
 public:
  explicit Dice(uint64_t seed) : random_(seed) {}
  int below(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  bool one_in(int n) { return below(n) == 0; }
  // Mostly short, sometimes hours: as agents are.
  double pause() {
    const double scale[] = {2, 30, 200, 600, 3000, 20000};
    return scale[below(6)] * (0.2 + below(1000) / 600.0);
  }
  template <class T, size_t N>
  const T& of(const T (&list)[N]) {
    return list[below(static_cast<int>(N))];
  }

 private:
  std::mt19937_64 random_;
};

model::AgentSpec some_spec(Dice& dice) {
  constexpr const char* kModes[] = {"active", "task-only", "", "paused"};
  using model::Restart;
  constexpr Restart kRestarts[] = {Restart::fresh, Restart::resume, Restart::never};
  constexpr const char* kAnswers[] = {"ask", "deny", "allow"};
  model::AgentSpec spec;
  spec.name = "a";
  spec.runtime = "claude";
  spec.mode = dice.of(kModes);
  spec.restart = dice.of(kRestarts);
  spec.answer_permissions = dice.of(kAnswers);
  if (dice.one_in(2)) spec.prompt = "go on";
  if (dice.one_in(3)) spec.recovery.auth_refresh = {"refresh"};
  if (dice.one_in(4)) spec.dialogs = "off";
  return spec;
}

model::Happening something(Dice& dice, double at) {
  constexpr State kStates[] = {State::ready,   State::ready,   State::busy,    State::busy,
                               State::typing,  State::waiting, State::limited, State::stuck,
                               State::unknown, State::shell};
  constexpr const char* kKinds[] = {"permission", "trust", "limit", "question", "other"};
  constexpr const char* kNotices[] = {"auth", "credit", "context", "overload"};
  model::Happening it;
  it.at_s = at;
  switch (dice.below(12)) {
    case 0:
      it.human = true;
      break;
    case 1:
      it.exit = model::Ending{dice.below(3), 0, true};
      break;
    case 2:
      it.pause = dice.one_in(2);
      break;
    case 3:
      it.work = model::WorkSeen{"t" + std::to_string(dice.below(3)), "alice",
                                std::to_string(dice.below(4))};
      break;
    default:
      it.state = dice.of(kStates);
      if (*it.state == State::waiting) it.kind = dice.of(kKinds);
      if (*it.state == State::limited && dice.one_in(2)) it.until_s = at + dice.pause();
      if (*it.state == State::ready && dice.one_in(12)) it.notice = dice.of(kNotices);
  }
  return it;
}

model::Scenario history(uint64_t seed) {
  Dice dice(seed);
  model::Scenario story;
  story.spec = some_spec(dice);
  story.until_s = kHours * 3600;
  if (dice.one_in(4)) story.auto_continue = dice.one_in(2);
  for (double at = 1; at < story.until_s; at += dice.pause())
    story.happenings.push_back(something(dice, at));
  return story;
}

// Goes through a journal and complains.
class Judge {
 public:
  Judge(const model::Scenario& story, const std::vector<model::Event>& journal) : story_(story) {
    for (const auto& event : journal) {
      std::visit([&](const auto& fact) { see(event, fact); }, event.fact);
      model::apply(fleet_, event);
    }
    for (const auto& [seq, outcomes] : outcomes_)
      if (outcomes != 1) say(fmt::format("decision {} has {} outcomes", seq, outcomes));
  }
  const std::vector<std::string>& complaints() const { return complaints_; }
  size_t decisions() const { return decisions_; }

 private:
  const model::Agent& agent() const { return fleet_.agents.at("a"); }
  void say(const std::string& what) {
    if (complaints_.size() < 10) complaints_.push_back(what);
  }

  template <class Fact>
  void see(const model::Event&, const Fact&) {}
  void see(const model::Event&, const model::Finished& fact) { ++outcomes_[fact.decision.value]; }
  void see(const model::Event& event, const model::Decided& fact) {
    outcomes_[event.seq.value] += 0;
    if (fact.rule.empty()) return;
    ++decisions_;
    const std::string what = std::to_string(event.seq.value) + " " + std::string(word(fact.action));
    if (fact.because.empty()) say(what + " without a reason");
    if (agent().paused || story_.spec.mode == "paused") say(what + " while it is paused");
    if (agent().parked) say(what + " while it is parked");
    const bool quiet = fact.action == Action::park || fact.action == Action::escalate ||
                       fact.action == Action::limit_wait;
    if (!quiet) touches(event, fact, what);
    if (fact.action == Action::restart) restarts(event, fact, what);
    if (fact.action == Action::answer) answers(fact, what);
  }

  void touches(const model::Event& event, const model::Decided& fact, const std::string& what) {
    const auto human = agent().memory.human;
    if (fact.rule != "work" && human && event.at - *human < std::chrono::seconds{120})
      say(what + " within the human gate");
    if (fact.action == Action::nudge && agent().state != State::ready &&
        agent().state != State::typing)
      say(what + " in the state " + std::string(word(agent().state)));
  }

  void restarts(const model::Event& event, const model::Decided& fact, const std::string& what) {
    if (!restarted_.empty() && event.at - restarted_.back() < std::chrono::seconds{90})
      say(what + " within the cooldown");
    restarted_.push_back(event.at);
    const auto hour = std::count_if(restarted_.begin(), restarted_.end(), [&](WallTime at) {
      return event.at - at < std::chrono::hours{1};
    });
    if (hour > 40) say(what + ": more than 40 in an hour");
    if (story_.auto_continue == false && fact.rule == "restart")
      say(what + " against its env file");
    if (fact.rule != "restart") return;
    if (!agent().last_alive || event.at - *agent().last_alive > std::chrono::seconds{600})
      say(what + " outside the window");
    if (event.at - agent().since < std::chrono::seconds{3}) say(what + " before it settled");
  }

  void answers(const model::Decided& fact, const std::string& what) {
    if (!agent().dialog) return say(what + " without a dialog");
    for (const auto& row : agent().dialog->rows) {
      if (row.text != fact.how) continue;
      const bool by_rule =
          row.cost == model::Cost::free ||
          (row.cost == model::Cost::allow && story_.spec.answer_permissions == "allow") ||
          (row.cost == model::Cost::deny && story_.spec.answer_permissions == "deny");
      if (!by_rule) say(what + " with a row that is not ours to press: " + row.text);
      return;
    }
    say(what + " with a row that is not there");
  }

  const model::Scenario& story_;
  model::Fleet fleet_;
  std::map<uint64_t, int> outcomes_;
  std::vector<WallTime> restarted_;
  std::vector<std::string> complaints_;
  size_t decisions_ = 0;
};

// It runs, rules are waiting for a time, or a person knows, or nobody wanted it back.
bool accounted_for(const model::Agent& agent, const model::Scenario& story) {
  const bool wanted = story.auto_continue != false &&
                      (story.spec.restart != model::Restart::never || story.auto_continue == true);
  return agent.running() || !wanted || agent.parked || agent.paused || agent.memory.dismissed ||
         story.spec.mode == "paused" || agent.memory.matter.told;
}

TEST(History, WhateverHappensTheRulesKeepTheirPromises) {
  size_t decisions = 0;
  for (uint64_t seed = 1; seed <= kHistories; ++seed) {
    const model::Scenario story = history(seed);
    Simulation simulation(story, test_profiles());
    const auto& journal = simulation.run();
    const Judge judge(story, journal);
    EXPECT_EQ(join(judge.complaints(), "\n"), "") << "seed " << seed;
    decisions += judge.decisions();
  }
  EXPECT_GT(decisions, 1000u) << "histories in which nothing is decided prove nothing";
  std::printf("%d histories, %.0f agent-hours, %zu decisions\n", kHistories, kHistories * kHours,
              decisions);
}

// The last thing that happens is its death: ten minutes later nobody is left in the dark.
TEST(History, EveryDeadAgentEndsRunningParkedOrWithAPersonTold) {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    model::Scenario story = history(seed);
    story.happenings.resize(std::min<size_t>(story.happenings.size(), 40));
    double end = story.happenings.back().at_s + 1;
    model::Happening death;
    death.at_s = end;
    death.exit = model::Ending{1, 0, true};
    story.happenings.push_back(death);
    story.until_s = end + 1200;
    Simulation simulation(story, test_profiles());
    simulation.run();
    EXPECT_TRUE(accounted_for(*simulation.fleet().find("a"), story)) << "seed " << seed;
  }
}

TEST(History, TheSameHistoryGivesTheSameDecisions) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    model::Scenario story = history(seed);
    story.until_s = 100 * 3600;
    Simulation one(story, test_profiles()), other(story, test_profiles());
    EXPECT_EQ(one.run(), other.run()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace pawl::sim
