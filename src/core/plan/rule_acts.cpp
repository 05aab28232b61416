// What the rules (policy/) want becomes decisions and effects, and what feeds them is written down.

#include "core/intent.h"
#include "core/plan/inputs.h"
#include "core/plan/situation.h"
#include "core/plan/steps.h"
#include "policy/decide.h"
#include "policy/rules.h"

namespace pawl::core::plan {
namespace {

// Nothing happens to the program: the decision is its own outcome.
bool is_word(Action action) {
  return action == Action::park || action == Action::escalate || action == Action::limit_wait;
}

const char* witness_of(Action action) {
  return action == Action::limit_wait ? "it is waited for" : "a person is told";
}

Severity severity(const policy::Choice& choice) {
  const bool budget = choice.matter.starts_with(model::kBudgetRule);
  if (choice.action == Action::limit_wait && !budget) return Severity::info;
  if (choice.action == Action::finish) return Severity::info;
  return choice.action == Action::park ? Severity::error : Severity::warning;
}

// People hear of what needs them, of every restart (A11), and of how a task ended (R14).
bool worth_telling(Action action, const std::string& matter) {
  return is_word(action) || (action == Action::restart && matter != model::kNextWork) ||
         action == Action::finish || action == Action::abandon;
}

// The turn that got it is over. One that was too short to be seen is over after a while.
bool turn_done(const PlanBuilder& to, const Agent& agent) {
  const auto& given = agent.memory.desk.given;
  const bool rests = agent.state == State::ready || agent.state == State::typing;
  if (!given || !given->taken || !rests || agent.intent) return false;
  return agent.since > given->at || to.now.wall - given->at >= turn_unseen(agent.memory.desk);
}

void start_again(PlanBuilder& to, const Agent& agent, const model::Decided& fact) {
  const std::string& name = agent.spec.name;
  if (agent.state == State::shell) {
    model::Decided typed = fact;
    typed.how = word(Launch::typed);
    const bool resume = model::launch_from(fact.how) == Launch::resume;
    return to.effect(TypeCommand{name, agent.session, to.emit(name, typed), resume});
  }
  if (agent.running()) return to.end_program(agent, fact, {});
  to.start(name, fact, {});
}

void send_prompt(PlanBuilder& to, const Agent& agent, const model::Decided& fact) {
  const std::string& name = agent.spec.name;
  const bool work = fact.rule == model::kWorkRule;
  to.effect(DeliverPrompt{.agent = name,
                          .session = agent.session,
                          .intent = to.emit(name, fact),
                          .how = fact.how,
                          .work = work,
                          .first = agent.spec.loops() && !agent.memory.told,
                          .eager = agent.state != State::ready || work});
}

// Each does what it says, once. What no rule may choose is nothing.
void do_it(PlanBuilder& to, const Agent& agent, const model::Decided& fact) {
  const std::string& name = agent.spec.name;
  switch (fact.action) {
    case Action::finish:
    case Action::abandon:
      return end_task(to, agent, fact);
    case Action::start:
      return to.start(name, fact, {});
    case Action::restart:
      return start_again(to, agent, fact);
    case Action::answer:
      return to.effect(PressRow{.session = agent.session,
                                .intent = to.emit(name, fact),
                                .row = fact.how,
                                .key = key_of(agent, fact.how),
                                .dialog = agent.dialog ? agent.dialog->id : std::string()});
    case Action::refresh_auth:
      return to.effect(RunCommand{name, to.emit(name, fact), agent.spec.recovery.auth_refresh});
    case Action::archive:
      return to.effect(ArchiveFiles{name, to.emit(name, fact),
                                    model::archived_from(fact.how) == model::Archived::all});
    case Action::interrupt:
      to.effect(PressKey{agent.session, fact.how});
      to.at_once(name, fact, Verdict::unverified, fact.how + " was pressed");
      return;
    case Action::leave:
      return to.effect(LeaveMode{agent.session, to.emit(name, fact)});
    case Action::wake:
    case Action::nudge:
      return send_prompt(to, agent, fact);
    case Action::park:
    case Action::escalate:
    case Action::limit_wait:
    case Action::stop:
    case Action::remove:
    case Action::send:
    case Action::keys:
    case Action::adopt:
    case Action::release:
      to.at_once(name, fact, Verdict::failed, "no rule may do this");
      return;
  }
}

void tell_person(PlanBuilder& to, const Agent& agent, const policy::Choice& choice) {
  std::string text = choice.because;
  if (*choice.action == Action::restart) text = "it is started again: " + text;
  if (*choice.action == Action::park) text = "it is parked: " + text;
  if (*choice.action == Action::finish) text = "its task is " + choice.how + ": " + text;
  if (*choice.action == Action::abandon) text = "its task is abandoned: " + text;
  // Each restart is a matter of its own (A11).
  std::string matter = choice.matter.empty() ? std::string(word(*choice.action)) : choice.matter;
  if (*choice.action == Action::restart) matter += " at " + rfc3339(to.now.wall);
  if (*choice.action != Action::limit_wait) to.plan.shown.push_back(to.plan.events.size());
  to.emit(agent.spec.name,
          model::Alerted{severity(choice), std::move(text), std::move(matter), choice.todo, {}});
}

void carry_out(PlanBuilder& to, const Agent& agent, const RulesDue& due,
               const policy::Decision& decision) {
  const policy::Choice& choice = decision.choice;
  const model::Decided fact{.action = *choice.action,
                            .because = choice.because,
                            .attempt = choice.attempt,
                            .rule = decision.rule,
                            .matter = choice.matter,
                            .how = choice.how,
                            .until = choice.until,
                            .dry = due.dry_run || agent.spec.dry_run};
  if (fact.dry)
    to.at_once(agent.spec.name, fact, Verdict::unverified, "a dry run: nothing was done");
  else if (is_word(fact.action))
    to.at_once(agent.spec.name, fact, Verdict::confirmed, witness_of(fact.action));
  else
    do_it(to, agent, fact);
  if (worth_telling(fact.action, fact.matter)) tell_person(to, agent, choice);
}

}  // namespace

void follow(PlanBuilder& to, const RulesDue& due) {
  const Agent* agent = to.find(due.agent);
  if (!agent) return;
  to.plan.consulted = due.agent;
  if (turn_done(to, *agent))  // then the rules look again
    return to.settle_work(*agent, {.done = true}, "its turn is over");
  policy::Situation situation =
      situation_of(to.now.wall, *agent, to.fleet, due, &to.pending.limited);
  situation.lease = to.pending.leases.gap(*agent, to.now.boot);
  const policy::Decision decision = policy::decide(situation);
  if (due.draining && decision.choice.action && policy::begins(*decision.choice.action)) return;
  if (decision.choice.action) return carry_out(to, *agent, due, decision);
  to.plan.consult_again = decision.choice.until;
}

void follow(PlanBuilder& to, const WorkFound& found) {
  const Agent* agent = to.find(found.agent);
  if (agent && model::is_news(agent->memory.desk, found.work.name, found.work.fingerprint))
    to.emit(found.agent, found.work);
}

void follow(PlanBuilder& to, const WorkVanished& seen) {
  if (to.find(seen.agent)) to.emit(seen.agent, model::WorkGone{seen.name});
}

void follow(PlanBuilder& to, const StopHeld& ask) {
  const Agent* agent = to.find(ask.agent);
  const model::Work* next = agent ? policy::next_at_stop(*agent) : nullptr;
  if (!next) return;
  if (agent->memory.desk.given) to.settle_work(*agent, {.done = true}, "its turn is over");
  to.at_once(ask.agent,
             {.action = Action::wake,
              .because = policy::assigned(*next),
              .rule = model::kWorkRule,
              .how = next->name},
             Verdict::confirmed, "its stop hook handed it over");
}

void follow(PlanBuilder& to, const CommandEnded& seen) {
  if (const Agent* agent = to.pending.agent_of(to.fleet, seen.intent))
    to.finish(*agent, seen.fine ? Verdict::confirmed : Verdict::failed, seen.how);
}

}  // namespace pawl::core::plan
