// What is noticed of an agent and around it: written down, and nothing more.

#include "act/gate.h"
#include "core/intent.h"
#include "core/plan/inputs.h"
#include "core/plan/steps.h"

namespace pawl::core::plan {
namespace {

// What is in the box was said to be ours, and a daemon that was started since does not know it again.
bool still_ours(const Agent& agent, const Perceived& seen) {
  const bool person = agent.memory.human && *agent.memory.human >= agent.since;
  return seen.state == State::typing && agent.state == State::typing && seen.kind.empty() &&
         agent.kind == model::kOwnText && !person;
}

// A text of ours is in the box, and was not before: that closes it to everything that waits. A rule takes it out, if it can.
void own_text_left(PlanBuilder& to, const Agent& agent, const Perceived& seen) {
  if (seen.kind != model::kOwnText || agent.kind == model::kOwnText) return;
  if (!seen.removable || agent.halted()) tell_own_text(to, agent);
}

}  // namespace

void follow(PlanBuilder& to, const Perceived& seen) {
  const Agent* agent = to.fleet.by_session(seen.session);
  if (!agent || !agent->running() || !agent->process) return;
  if (agent->intent && !delivering(*agent) && seen.state == State::starting)
    return;  // with such an intent that word means a terminal is being opened
  if (!seen.alert.empty())
    to.emit(agent->spec.name, model::Alerted{model::Severity::warning, seen.alert});
  if (!seen.runtime.empty() && seen.runtime != agent->runtime())
    to.emit(agent->spec.name, model::Recognised{seen.runtime, seen.argv});
  if (delivering(*agent) && seen.state == State::typing) return;  // it is us: told again after it
  if (still_ours(*agent, seen)) return;
  own_text_left(to, *agent, seen);
  if (seen.state == agent->state && seen.kind == agent->kind && seen.notices == agent->notices &&
      seen.dialog == agent->dialog && seen.input == agent->input &&
      seen.background == agent->background)
    return;
  to.emit(agent->spec.name, model::StateChanged{agent->state,
                                                seen.state,
                                                seen.kind,
                                                seen.tier,
                                                seen.because,
                                                seen.confidence,
                                                {},
                                                seen.notices,
                                                seen.dialog,
                                                seen.tokens,
                                                seen.input,
                                                seen.background});
}

void follow(PlanBuilder& to, const RequestSeen& seen) {
  to.emit(seen.agent, model::Requested{seen.verb, seen.by, seen.refused, seen.args});
}

void follow(PlanBuilder& to, const HumanTyped& seen) {
  if (to.find(seen.agent)) to.emit(seen.agent, model::HumanSeen{seen.where, seen.seen});
}

void follow(PlanBuilder& to, const ConversationTold& seen) {
  const Agent* agent = to.fleet.by_session(seen.session);
  if (!agent || (agent->session_id == seen.session_id && agent->transcript == seen.transcript))
    return;
  to.emit(agent->spec.name, model::Learned{seen.session_id, seen.transcript, seen.named});
}

// The journal may have refused it once, and then it was read again: a byte counts once.
void follow(PlanBuilder& to, const UsageSeen& seen) {
  const Agent* agent = to.find(seen.agent);
  if (!agent || seen.spent.empty()) return;
  const auto* mark = model::mark_of(agent->memory.spending, seen.spent.front().mark.file);
  if (mark && mark->offset != seen.from) return;
  for (const auto& spent : seen.spent) to.emit(seen.agent, spent);
}

void follow(PlanBuilder& to, const StartPrepared& seen) {
  if (to.find(seen.agent)) to.emit(seen.agent, seen.fact);
}

void follow(PlanBuilder& to, const Noted& seen) {
  if (seen.agent.empty() || to.find(seen.agent)) to.emit(seen.agent, seen.alert);
}

void follow(PlanBuilder& to, const Slept& seen) {
  // As exact as it is written down: who reads it there must come to the same times.
  const auto exact = [](Duration time) {
    return std::chrono::floor<std::chrono::milliseconds>(time);
  };
  to.emit("", model::Gap{exact(seen.length), seen.because, exact(seen.clock)});
}

// What is on its way to it stays there; whatever else was to be done waits for a person.
void follow(PlanBuilder& to, const TurnWithoutEnd& seen) {
  const Agent* agent = to.find(seen.agent);
  if (!agent || !agent->quarantined.empty()) return;
  to.emit(seen.agent, model::Quarantined{seen.because});
  to.emit(seen.agent, model::Alerted{model::Severity::error,
                                     "it is quarantined: " + seen.because,
                                     "quarantine",
                                     "please report it with: pawl why " + seen.agent +
                                         "; try again with: pawl resume " + seen.agent,
                                     {}});
}

void follow(PlanBuilder& to, const JournalRefused& seen) {
  to.emit("",
          model::Alerted{model::Severity::warning, "nothing was done for a while: " + seen.why});
}

}  // namespace pawl::core::plan
