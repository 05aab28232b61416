#include "core/supervisor.h"

#include "act/gate.h"
#include "core/intent.h"
#include "core/plan/inputs.h"

namespace pawl::core {

RequestId request_of(const Input& input) {
  return std::visit(
      [](const auto& it) -> RequestId {
        if constexpr (requires { it.request; })
          return it.request;
        else
          return {};
      },
      input);
}

int shell_code(const model::Ending& ending) {
  return ending.signal != 0 ? 128 + ending.signal : ending.exit_code;
}

Supervisor::Supervisor(model::Fleet fleet) : fleet_(std::move(fleet)) {
  for (const auto& [name, agent] : fleet_.agents) {
    writes(agent);
    if (agent.state == model::State::limited) pending_.limited.insert(name);
    happened_.insert(name);
  }
}

namespace {

// Whatever is written of a task of the fleet names its unit and its token.
void stamp(const model::Fleet& fleet, std::vector<model::Event>& events) {
  std::map<std::string, const model::Lease*> given;
  for (const auto& event : events)
    if (const auto* fact = std::get_if<model::TaskGiven>(&event.fact))
      given[event.agent] = &fact->order.lease;
  for (auto& event : events) {
    const model::Agent* agent = fleet.find(event.agent);
    const auto its = given.find(event.agent);
    const model::Lease* lease = its != given.end() ? its->second : nullptr;
    if (!lease && agent && agent->task) lease = &agent->task->order.lease;
    if (!lease || !lease->held()) continue;
    event.unit = lease->unit;
    event.fence = lease->token;
  }
}

}  // namespace

Plan Supervisor::plan(const Clock& now, const Input& input) const {
  PlanBuilder to{fleet_, pending_, now};
  std::visit([&](const auto& it) { plan::follow(to, it); }, input);
  stamp(fleet_, to.plan.events);
  return std::move(to.plan);
}

// What could not be done for want of it is looked at again.
void Supervisor::hear(const Clock& now, const LeaseNews& news) {
  const model::Agent* agent = fleet_.find(news.agent);
  const bool gap = agent && !pending_.leases.gap(*agent, now.boot).empty();
  pending_.leases.note(now, news);
  if (!gap || !pending_.leases.gap(*agent, now.boot).empty()) return;
  happened_.insert(news.agent);
  writes(*agent);
}

void Supervisor::commit(const Clock& now, const Plan& plan) {
  for (const auto& news : plan.leases) hear(now, news);
  for (const auto& event : plan.events) {
    model::apply(fleet_, event);
    happened(event);
    may_go_on(now.mono, event);
    const model::Agent* agent = fleet_.find(event.agent);
    if (const auto* decided = std::get_if<model::Decided>(&event.fact))
      pending_.begin(event.seq, decided->action, event.agent, now.mono);
    if (const auto* finished = std::get_if<model::Finished>(&event.fact))
      pending_.end(finished->decision);
    if (!agent || (agent->task && model::final(agent->task->status)))
      pending_.leases.forget(event.agent);
    if (agent && agent->state == model::State::limited)
      pending_.limited.insert(event.agent);
    else
      pending_.limited.erase(event.agent);
    if (agent)
      writes(*agent);
    else
      writing_.erase(event.agent);
  }
  if (!plan.consulted.empty()) {
    if (plan.events.empty()) happened_.erase(plan.consulted);
    consult_again(plan.consulted, plan.consult_again);
  }
  for (const auto& [item, sender] : plan.senders) pending_.senders[item] = sender;
  for (const uint64_t item : plan.told) pending_.senders.erase(item);
  for (const auto& agent : plan.put_off) put_off(now.mono, agent);
  if (plan.adopts_intents)
    for (const auto& [name, agent] : fleet_.agents)
      if (agent.intent) pending_.begin(agent.intent->seq, agent.intent->action, name, now.mono);
  for (const auto& [seq, request] : plan.waits)
    if (auto it = pending_.live.find(seq); it != pending_.live.end())
      it->second.waiting.push_back(request);
  for (const Seq seq : plan.escalated) pending_.killing.erase(seq);
}

// Whether it may be typed is asked again with every event of its agent, and at the time until which it is held.
void Supervisor::writes(const model::Agent& agent) {
  if (agent.outbox.empty()) return (void)writing_.erase(agent.spec.name);
  writing_.insert(agent.spec.name);
  ripe_.insert(agent.spec.name);
}

// When the next text of this one may be typed; nothing: an event will tell.
std::optional<MonoTime> Supervisor::may_type(const Clock& now, const std::string& name) const {
  const model::Agent* agent = fleet_.find(name);
  if (!agent || agent->outbox.empty() || agent->intent) return std::nullopt;
  if (!pending_.leases.gap(*agent, now.boot).empty()) return std::nullopt;
  MonoTime when = now.mono;
  if (const auto wait = put_off_.find(name); wait != put_off_.end()) when = wait->second.until;
  if (const auto held = act::held_back(*agent, agent->outbox.front(), now.wall)) {
    if (!held->until || *held->until <= now.wall) return std::nullopt;
    when = std::max(when, now.mono + (*held->until - now.wall));
  }
  return when;
}

std::vector<std::string> Supervisor::due(const Clock& now, std::optional<MonoTime>& later) {
  for (const auto& name : held_.due(now.mono)) ripe_.insert(name);
  std::vector<std::string> out;
  for (const auto& name : std::exchange(ripe_, {})) {
    const auto when = may_type(now, name);
    if (when && *when > now.mono)
      held_.set(name, *when);
    else
      held_.drop(name);
    if (when && *when <= now.mono) out.push_back(name);
  }
  ripe_.insert(out.begin(), out.end());  // until it is typed, and that is an event
  if (const auto next = held_.first()) later = earlier(later, *next);
  return out;
}

void Supervisor::put_off(MonoTime now, const std::string& agent) {
  PutOff& its = put_off_[agent];
  its.pause = its.pause == Duration{} ? kTryAgain : std::min(2 * its.pause, kTryAgainMost);
  its.until = now + its.pause;
  ripe_.insert(agent);
}

void Supervisor::may_go_on(MonoTime now, const model::Event& event) {
  const auto it = put_off_.find(event.agent);
  if (it == put_off_.end()) return;
  const auto* finished = std::get_if<model::Finished>(&event.fact);
  if (std::holds_alternative<model::StateChanged>(event.fact))
    it->second = {std::min(it->second.until, now + kTryAgain), {}};
  else if (finished && !finished->kept)
    put_off_.erase(it);
}

// A limit concerns everybody who pays from the same account, and a gap everybody.
void Supervisor::happened(const model::Event& event) {
  if (std::holds_alternative<model::Alerted>(event.fact) ||
      std::holds_alternative<model::Requested>(event.fact))  // what follows from it happens
    return;
  if (std::holds_alternative<model::Removed>(event.fact) ||
      std::holds_alternative<model::TaskFiled>(event.fact)) {
    happened_.erase(event.agent);
    return consult_again(event.agent, {});
  }
  if (!event.agent.empty()) happened_.insert(event.agent);
  if (const auto* seen = std::get_if<model::AccountSeen>(&event.fact))
    for (const auto& [name, other] : fleet_.agents)
      if (other.account() == seen->account) happened_.insert(name);
  const auto* change = std::get_if<model::StateChanged>(&event.fact);
  const model::Agent* agent = fleet_.find(event.agent);
  const bool limit = change && agent &&
                     (change->from == model::State::limited || change->to == model::State::limited);
  const bool gap = std::holds_alternative<model::Gap>(event.fact);
  if (!limit && !gap) return;
  if (gap) ripe_ = writing_;
  for (const auto& [name, other] : fleet_.agents)
    if (gap || other.account() == agent->account()) happened_.insert(name);
}

std::vector<std::string> Supervisor::to_consult(const Clock& now,
                                                std::optional<MonoTime>& later) const {
  std::vector<std::string> out(happened_.begin(), happened_.end());
  for (auto& name : consult_.due(now.wall))
    if (!happened_.contains(name)) out.push_back(std::move(name));
  if (const auto next = consult_.next(now.wall))
    later = earlier(later, now.mono + (*next - now.wall));
  return out;
}

void Supervisor::consult_again(const std::string& agent, std::optional<WallTime> when) {
  if (when)
    consult_.set(agent, *when);
  else
    consult_.drop(agent);
}

}  // namespace pawl::core
