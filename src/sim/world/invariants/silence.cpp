// For every agent there is at each instant an action under way, a deadline ahead, or a person who was told and has not answered yet:
// nothing waits for ever without anybody knowing. Looked at once a minute.

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "sim/world/invariants/checker.h"

namespace pawl::sim {
namespace {

constexpr Duration kEvery = std::chrono::minutes{1};
constexpr Duration kAState = std::chrono::minutes{60};  // that is no work and no rest
constexpr Duration kAfterALimit =
    std::chrono::minutes{30};                          // its margin, and the others of its account
constexpr Duration kAText = std::chrono::minutes{90};  // in the outbox
constexpr Duration kAtRest =
    std::chrono::hours{4};  // of somebody who is to go on: above the longest nudge
constexpr Duration kATurn = std::chrono::hours{5};
constexpr Duration kJustNow = std::chrono::minutes{10};  // somebody's a moment ago: it slept, say

using model::State;

class Silence : public Checker {
 public:
  std::string_view name() const override { return "silence"; }
  void event(const Clock& now, const model::Event& event, const model::Fleet& before) override {
    Wait& wait = waits_[event.agent];
    if (const auto* alert = std::get_if<model::Alerted>(&event.fact)) {
      const auto* agent = before.find(event.agent);
      if (!agent || !agent->intent) wait.told = now.mono;  // else it says what is being done
      if (alert->matter == "nobody's")
        violated(now.mono, event.agent, "no rule knew of it: " + alert->text);
    }
    if (std::holds_alternative<model::Queued>(event.fact)) {
      const auto* agent = before.find(event.agent);
      if (!agent || agent->outbox.empty()) wait.text = now.mono;
    }
    if (std::holds_alternative<model::Decided>(event.fact)) wait.acted = now.mono;
    // A person took it up.
    if (std::holds_alternative<model::HumanSeen>(event.fact) ||
        std::holds_alternative<model::Paused>(event.fact))
      wait.acted = now.mono;
    if (const auto* changed = std::get_if<model::StateChanged>(&event.fact)) {
      if (changed->from != changed->to) wait.state = now.mono;
      if (changed->to == State::busy || changed->to == State::limited) wait.progress = now.mono;
    }
  }
  void died(MonoTime, MonoTime until) override { alive_ = until; }
  void turned(const Look& look) override {
    if (look.full) alive_ = look.now.mono;
    if (look.now.mono < next_) return;
    next_ = look.now.mono + kEvery;
    for (const auto& [name, agent] : look.live.agents) ask(look, name, agent);
  }
  void ended(const Look& look) override {
    next_ = {};
    turned(look);
  }

 private:
  struct Wait {
    MonoTime state{}, text{}, told{}, acted{}, progress{}, attended{};
    bool said = false;
  };
  // Somebody knows, or nothing is to be done, or what is awaited has a time.
  static bool attended(const Look& look, const model::Agent& agent) {
    if (agent.intent || agent.paused || agent.parked || !agent.quarantined.empty()) return true;
    if (agent.memory.dismissed || agent.never_started()) return true;
    if (agent.memory.matter.told && !agent.memory.matter.id.empty()) return true;
    for (const auto& notice : agent.notices)  // also behind a draft
      if (notice.kind == "limit" && notice.until && *notice.until + kAfterALimit > look.now.wall)
        return true;
    if (const auto* elsewhere = look.live.limit_of(agent);
        elsewhere && elsewhere->free() + kAfterALimit > look.now.wall)
      return true;
    return std::any_of(look.live.agents.begin(), look.live.agents.end(), [&](const auto& one) {
      const model::Agent& other = one.second;  // … or another of its account
      return other.state == State::limited && other.limited_until &&
             other.account() == agent.account() &&
             *other.limited_until + kAfterALimit > look.now.wall;
    });
  }
  static Duration patience(const model::Agent& agent) {
    switch (agent.state) {
      case State::starting:
      case State::typing:
      case State::waiting:
      case State::limited:
      case State::stuck:
      case State::shell:
      case State::unknown:
        return kAState;
      case State::exited:
      case State::crashed:
        return agent.spec.restart == model::Restart::never ? Duration::max() : kAState;
      case State::ready:
        return agent.spec.effective_mode() == "active" ? kAtRest : Duration::max();
      case State::busy:
        return kATurn;
    }
    return kAState;
  }
  void ask(const Look& look, const std::string& name, const model::Agent& agent) {
    Wait& wait = waits_[name];
    if (wait.said) return;
    const MonoTime now = look.now.mono;
    const MonoTime since = std::max({wait.state, wait.acted, alive_});
    const bool draft =
        agent.state == State::typing && agent.outbox.empty();  // a person's own affair
    if (!draft && patience(agent) != Duration::max() && now - since > patience(agent) &&
        wait.told < wait.state)
      return silent(look, name, agent, wait, "in this state");
    const MonoTime queued = std::max({wait.text, wait.state, wait.acted, wait.progress, alive_});
    if (!agent.outbox.empty() && now - queued > kAText &&
        wait.told < std::max(wait.state, wait.progress))
      silent(look, name, agent, wait, "with a text that waits");
  }
  void silent(const Look& look, const std::string& name, const model::Agent& agent, Wait& wait,
              const char* how) {
    if (attended(look, agent)) wait.attended = look.now.mono;
    if (wait.attended != MonoTime{} && look.now.mono - wait.attended <= kJustNow) return;
    wait.said = true;
    violated(look.now.mono, name,
             fmt::format(
                 "nobody's: {} since {:.0f} min, {}, nobody was told, nothing is ahead ({})",
                 word(agent.state),
                 std::chrono::duration<double, std::ratio<60>>(look.now.mono - wait.state).count(),
                 how, agent.because));
  }

  std::map<std::string, Wait> waits_;
  MonoTime next_{}, alive_{};
};

}  // namespace

std::unique_ptr<Checker> check_silence() {
  return std::make_unique<Silence>();
}

std::vector<std::unique_ptr<Checker>> all_checkers() {
  std::vector<std::unique_ptr<Checker>> out;
  out.push_back(check_fold());
  out.push_back(check_intents());
  out.push_back(check_texts());
  out.push_back(check_answers());
  out.push_back(check_people());
  out.push_back(check_restarts());
  out.push_back(check_limits());
  out.push_back(check_silence());
  out.push_back(check_consent());
  out.push_back(check_conversations());
  out.push_back(check_tries());
  out.push_back(check_tasks());
  out.push_back(check_leases());
  out.push_back(check_retention(night_retention()));
  return out;
}

}  // namespace pawl::sim
