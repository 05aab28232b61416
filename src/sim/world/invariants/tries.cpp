// Rules try not more often than they may, and not sooner, and a person is told of what they try in vain.

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>

#include "act/gate.h"
#include "sim/world/invariants/checker.h"

namespace pawl::sim {
namespace {

using model::Action;
using model::State;

constexpr int kInVain = 8;  // tries at one matter: by then somebody knows

constexpr Duration kACure = std::chrono::seconds{25};

bool rests(State state) {
  return state == State::ready || state == State::typing || state == State::limited;
}

class Tries : public Checker {
 public:
  std::string_view name() const override { return "tries"; }
  void died(MonoTime, MonoTime) override {
    for (auto& [name, its] : trials_) its.busy.reset();  // how long it worked nobody saw
  }
  void event(const Clock& now, const model::Event& event, const model::Fleet& before) override {
    const auto* agent = before.find(event.agent);
    if (!agent || agent->task) return;  // tasks: tasks.cpp
    Trials& its = trials_[event.agent];
    if (const auto* changed = std::get_if<model::StateChanged>(&event.fact))
      worked(now.mono, its, agent->spec, *changed);
    if (const auto* alert = std::get_if<model::Alerted>(&event.fact)) its.told = alert->matter;
    const auto* decided = std::get_if<model::Decided>(&event.fact);
    if (!decided || decided->rule.empty()) return;
    if (decided->action == Action::nudge) nudged(now, event.agent, its, *agent, *decided);
    if (decided->rule == "stuck" && decided->action != Action::escalate)
      cured(now.mono, event.agent, its);
    if (its.matter != decided->matter) its.told.clear();
    its.matter = decided->matter;
    if (decided->attempt > kInVain && !decided->matter.empty() && its.told != decided->matter &&
        !agent->memory.matter.told)
      violated(now.mono, event.agent,
               fmt::format("{} of '{}' for the {}th time, and nobody was told",
                           word(decided->action), decided->matter, decided->attempt));
  }

 private:
  struct Trials {
    std::optional<MonoTime> nudged, cured, busy, rested;
    std::string matter, told;
  };
  // The end of a turn that was work, whoever had asked for it.
  static void worked(MonoTime now, Trials& its, const model::AgentSpec& spec,
                     const model::StateChanged& changed) {
    if (changed.to == State::busy && !its.busy) its.busy = now;
    if (changed.to == State::starting) its.busy.reset();
    if (!rests(changed.to) || !its.busy) return;
    if (now - *its.busy > std::chrono::duration<double>(spec.nudge.productive_s) + kClocks)
      its.rested = now;
    its.busy.reset();
  }
  void nudged(const Clock& clock, const std::string& name, Trials& its, const model::Agent& agent,
              const model::Decided& decided) {
    const MonoTime now = clock.mono;
    const WallTime wall = clock.wall;
    if (!agent.outbox.empty() && !act::held_back(agent, agent.outbox.front(), wall))
      violated(now, name, "nudged although a text waits for it");
    const model::Nudge& most = agent.spec.nudge;
    if (decided.attempt > most.attempts)
      violated(now, name,
               fmt::format("nudged {} times, and {} are allowed", decided.attempt, most.attempts));
    const auto least = std::chrono::duration<double>(std::min(most.base_s, most.cap_s));
    const auto soon = [&](const std::optional<MonoTime>& from, const char* what) {
      if (from && now - *from + kClocks < least)
        violated(now, name,
                 fmt::format("nudged {:.0f} s after {}",
                             std::chrono::duration<double>(now - *from).count(), what));
    };
    soon(its.nudged, "a nudge");
    soon(its.rested, "its work");
    its.nudged = now;
  }
  void cured(MonoTime now, const std::string& name, Trials& its) {
    if (its.cured && now - *its.cured < kACure)
      violated(now, name, "a cure for one that is stuck before the last one had time to work");
    its.cured = now;
  }
  std::map<std::string, Trials> trials_;
};

}  // namespace

std::unique_ptr<Checker> check_tries() {
  return std::make_unique<Tries>();
}

}  // namespace pawl::sim
