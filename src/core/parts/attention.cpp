#include "core/parts/attention.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace pawl::core {
namespace {

using model::State;

// A person halted it, or knows of it, or it is not to run.
bool in_hand(const model::Agent& agent) {
  return agent.intent || agent.paused || agent.parked || !agent.quarantined.empty() || agent.task ||
         agent.memory.dismissed || agent.never_started() || agent.spec.dry_run ||
         (agent.memory.matter.told && !agent.memory.matter.id.empty());
}

std::optional<Duration> bound_of(const model::Agent& agent) {
  const bool works = agent.spec.effective_mode() == "active";
  switch (agent.state) {
    case State::starting:
    case State::limited:
    case State::stuck:
    case State::waiting:
      return kStateBound;
    case State::unknown:
    case State::typing:
      return works || !agent.outbox.empty() ? std::optional(kStateBound) : std::nullopt;
    case State::shell:
    case State::exited:
    case State::crashed:
      return agent.spec.restart == model::Restart::never || agent.spec.loops()
                 ? std::nullopt
                 : std::optional(kStateBound);
    case State::ready:
      return works && !agent.spec.loops() ? std::optional(kRestBound) : std::nullopt;
    case State::busy:
      return kTurnBound;
  }
  return std::nullopt;
}

// Its limit, or that of another who shares its account, here or on another machine, ends at a time that is still to come, or was a moment ago; or one after the other
// is woken, and its turn comes. A draft in the box hides the state, not the notice.
bool limit_ahead(const model::Agent& agent, const model::Fleet& fleet, WallTime now) {
  for (const auto& notice : agent.notices)
    if (notice.kind == "limit" && notice.until && *notice.until + kLookAgain > now) return true;
  if (const auto* elsewhere = fleet.limit_of(agent);
      elsewhere && elsewhere->free() + kLookAgain > now)
    return true;
  return std::any_of(fleet.agents.begin(), fleet.agents.end(), [&](const auto& one) {
    const model::Agent& other = one.second;
    if (other.account() != agent.account()) return false;
    if (other.state == State::limited && other.limited_until)
      return *other.limited_until + kLookAgain > now;
    const auto& woken = other.memory.woken;
    return agent.state == State::limited && woken && *woken + kLookAgain > now;
  });
}

model::Alerted alert_of(const model::Agent& agent, Duration length) {
  const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(length).count();
  return {model::Severity::warning,
          fmt::format("it is {} for {} min, and nothing is ahead: {}", word(agent.state), minutes,
                      agent.because),
          "nobody's",
          "look at it with: pawl attach " + agent.spec.name,
          {}};
}

}  // namespace

void Attention::plan_at(const std::string& name, std::optional<MonoTime> at) {
  if (at)
    agenda_.set(name, *at);
  else
    agenda_.drop(name);
}

void Attention::plan(const std::string& name, const model::Agent* agent) {
  const Watch& its = watches_[name];
  if (!agent || in_hand(*agent) || its.told >= its.state) return plan_at(name, std::nullopt);
  std::optional<MonoTime> due;
  if (const auto bound = bound_of(*agent)) due = std::max(its.state, its.acted) + *bound;
  if (its.text && agent->running())
    due = earlier(due, std::max({*its.text, its.state, its.acted}) + kTextBound);
  plan_at(name, due);
}

void Attention::written(const Clock& now, const model::Fleet& fleet,
                        const std::vector<model::Event>& events) {
  for (const auto& event : events) {
    if (event.agent.empty()) continue;
    const model::Agent* agent = fleet.find(event.agent);
    Watch& its = watches_.try_emplace(event.agent, Watch{now.mono, now.mono}).first->second;
    if (const auto* changed = std::get_if<model::StateChanged>(&event.fact)) {
      const bool other = std::exchange(its.input, changed->input) != changed->input;
      if (changed->from != changed->to || other) its.state = now.mono;
    } else if (std::holds_alternative<model::Alerted>(event.fact)) {
      if (!agent || !agent->intent) its.told = now.mono;  // else it says what is being done
    } else if (!std::holds_alternative<model::Spent>(event.fact)) {
      its.acted = now.mono;
    }
    if (!agent || agent->outbox.empty())
      its.text.reset();
    else if (!its.text)
      its.text = now.mono;
    plan(event.agent, agent);
    if (agent) continue;
    plan_at(event.agent, std::nullopt);
    watches_.erase(event.agent);
  }
}

void Attention::turn(const Clock& now, const model::Fleet& fleet, Inputs& out) {
  for (const std::string& name : agenda_.due(now.mono)) {
    const model::Agent* agent = fleet.find(name);
    if (!agent || in_hand(*agent)) {
      plan_at(name, std::nullopt);
      continue;
    }
    if (limit_ahead(*agent, fleet, now.wall)) {
      plan_at(name, now.mono + kLookAgain);
      continue;
    }
    out.push_back(Noted{name, alert_of(*agent, now.mono - watches_[name].state)});
    watches_[name].told = now.mono;
    plan_at(name, std::nullopt);
  }
}

}  // namespace pawl::core
