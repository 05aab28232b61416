#include "core/rule_planner.h"

#include "act/gate.h"
#include "core/intent.h"
#include "policy/rules.h"

namespace pawl::core {
namespace {

// Nothing happens to the program: the decision is its own outcome.
bool is_word(Action action) {
  return action == Action::park || action == Action::escalate || action == Action::limit_wait;
}

// A turn, or a life: not by a daemon that is about to end.
bool begins(Action action) {
  switch (action) {
    case Action::start:
    case Action::restart:
    case Action::wake:
    case Action::nudge:
    case Action::refresh_auth:
    case Action::archive:
      return true;
    default:
      return false;
  }
}

const char* witness_of(Action action) {
  return action == Action::limit_wait ? "it is waited for" : "a person is told";
}

const char* severity(const policy::Choice& choice) {
  const bool budget = choice.matter.starts_with(model::kBudgetRule);
  if (choice.action == Action::limit_wait && !budget) return "info";
  if (choice.action == Action::finish) return "info";
  return choice.action == Action::park ? "error" : "warning";
}

std::string key_of(const Agent& agent, const std::string& row) {
  if (agent.dialog)
    for (const auto& one : agent.dialog->rows)
      if (one.text == row) return one.key;
  return {};
}

// People hear of what needs them, of every restart (A11), and of how a task ended (R14).
bool worth_telling(Action action, const std::string& matter) {
  return is_word(action) || (action == Action::restart && matter != model::kNextWork) ||
         action == Action::finish || action == Action::abandon;
}

}  // namespace

policy::Situation situation_of(WallTime now, const Agent& agent, const model::Fleet& fleet,
                               const RulesDue& due) {
  policy::Situation out{now,       agent,       fleet,      due.auto_continue,
                        due.signs, due.compact, due.before, due.zone};
  if (agent.running() && !agent.outbox.empty())
    if (const auto held = act::held_back(agent, agent.outbox.front(), now))
      out.held = held->because;
  return out;
}

void RulePlanner::operator()(const RulesDue& due) {
  const Agent* agent = find(due.agent);
  if (!agent) return;
  if (turn_done(*agent)) {  // then the rules look again
    plan_.consulted = due.agent;
    return settle_work(*agent, true, false, "its turn is over");
  }
  const policy::Decision decision = policy::decide(situation_of(now_.wall, *agent, fleet_, due));
  plan_.consulted = due.agent;
  if (due.draining && decision.choice.action && begins(*decision.choice.action)) return;
  if (decision.choice.action) return carry_out(*agent, due, decision);
  plan_.consult_again = decision.choice.until;
}

void RulePlanner::carry_out(const Agent& agent, const RulesDue& due,
                            const policy::Decision& decision) {
  const policy::Choice& choice = decision.choice;
  model::Decided fact{*choice.action, choice.because, choice.attempt};
  fact.rule = decision.rule;
  fact.matter = choice.matter;
  fact.how = choice.how;
  fact.until = choice.until;
  fact.dry = due.dry_run || agent.spec.dry_run;
  if (!fact.dry && !is_word(fact.action)) {
    do_it(agent, fact);
  } else {
    const Seq decided = emit(agent.spec.name, fact);
    emit(agent.spec.name,
         model::Finished{fact.action,
                         decided,
                         fact.dry ? Verdict::unverified : Verdict::confirmed,
                         fact.dry ? "a dry run: nothing was done" : witness_of(fact.action),
                         0,
                         {}});
  }
  if (worth_telling(fact.action, fact.matter)) tell_person(agent, due, choice);
}

void RulePlanner::do_it(const Agent& agent, const model::Decided& fact) {
  const std::string& name = agent.spec.name;
  if (fact.action == Action::finish || fact.action == Action::abandon) return end_task(agent, fact);
  if (fact.action == Action::restart && agent.state == State::shell) {
    model::Decided typed = fact;
    typed.how = kTyped;
    return plan_.effects.push_back(
        TypeCommand{name, agent.session, emit(name, typed), fact.how == "resume"});
  }
  if (fact.action == Action::start) return start(name, fact, {});
  if (fact.action == Action::restart) {
    if (agent.running()) return end_program(agent, fact, {});
    return start(name, fact, {});
  }
  const Seq decided = emit(name, fact);
  if (fact.action == Action::answer)
    return plan_.effects.push_back(PressRow{agent.session, decided, fact.how,
                                            key_of(agent, fact.how),
                                            agent.dialog ? agent.dialog->id : std::string()});
  if (fact.action == Action::refresh_auth)
    return plan_.effects.push_back(RunCommand{name, decided, agent.spec.recovery.auth_refresh});
  if (fact.action == Action::archive)
    return plan_.effects.push_back(ArchiveFiles{name, decided, fact.how == "all"});
  if (fact.action == Action::interrupt) {
    plan_.effects.push_back(PressKey{agent.session, fact.how});
    emit(name, model::Finished{
                   fact.action, decided, Verdict::unverified, fact.how + " was pressed", 0, {}});
    return;
  }
  const bool work = fact.rule == model::kWorkRule;
  const bool first = agent.spec.loops() && !agent.memory.told;
  plan_.effects.push_back(DeliverPrompt{name, agent.session, decided, fact.how, work, first,
                                        agent.state != State::ready || work});
}

void RulePlanner::tell_person(const Agent& agent, const RulesDue& due,
                              const policy::Choice& choice) {
  std::string text = choice.because;
  if (*choice.action == Action::restart) text = "it is started again: " + text;
  if (*choice.action == Action::park) text = "it is parked: " + text;
  if (*choice.action == Action::finish) text = "its task is " + choice.how + ": " + text;
  if (*choice.action == Action::abandon) text = "its task is abandoned: " + text;
  // Each restart is a matter of its own (A11).
  std::string matter = choice.matter.empty() ? std::string(word(*choice.action)) : choice.matter;
  if (*choice.action == Action::restart) matter += " at " + rfc3339(now_.wall);
  emit(agent.spec.name,
       model::Alerted{severity(choice), std::move(text), std::move(matter), choice.todo,
                      *choice.action == Action::limit_wait ? std::string() : due.screen});
}

void RulePlanner::operator()(const KeepAnswer& ask) {
  const Agent* agent = find(ask.agent);
  if (!agent) return refuse_unknown(ask.request, ask.agent);
  if (!ask.keep) {
    emit(ask.agent, model::AnswerKept{false, {}});
    return answer(ask.request, {});
  }
  const auto& last = agent->memory.answered;
  if (!last)
    return refuse(ask.request, "nobody has answered a dialog of " + quoted(ask.agent) + " yet",
                  "answer one and keep it: pawl answer " + ask.agent + " ROW --keep");
  if (const std::string why = model::unfit_for_a_rule(*last); !why.empty())
    return refuse(ask.request, fmt::format("'{}' cannot be kept as a rule", last->choose), why);
  if (agent->memory.answers.size() >= model::kMaxAnswers)
    return refuse(ask.request, fmt::format("{} answers are kept already", model::kMaxAnswers),
                  "forget them with: pawl answer " + ask.agent + " --forget");
  emit(ask.agent, model::AnswerKept{true, *last});
  answer(ask.request, {});
}

void RulePlanner::operator()(const PauseAsked& ask) {
  const Agent* agent = find(ask.agent);
  if (!agent) return refuse_unknown(ask.request, ask.agent);
  if (agent->paused != ask.paused || (!ask.paused && agent->parked))
    emit(ask.agent, model::Paused{ask.paused, ask.by});
  answer(ask.request, {});
}

void RulePlanner::operator()(const Reconfigure& ask) {
  const Agent* agent = find(ask.spec.name);
  if (!agent) return refuse_unknown(ask.request, ask.spec.name);
  if (agent->spec != ask.spec) registered(ask.spec, ask.by);
  answer(ask.request, {});
}

void RulePlanner::operator()(const StartPrepared& seen) {
  if (find(seen.agent)) emit(seen.agent, seen.fact);
}

void RulePlanner::operator()(const Noted& seen) {
  if (seen.agent.empty() || find(seen.agent)) emit(seen.agent, seen.alert);
}

void RulePlanner::operator()(const WorkFound& found) {
  const Agent* agent = find(found.agent);
  if (agent && model::is_news(agent->memory.desk, found.work.name, found.work.fingerprint))
    emit(found.agent, found.work);
}

void RulePlanner::operator()(const StopHeld& ask) {
  const Agent* agent = find(ask.agent);
  const model::Work* next = agent ? policy::next_at_stop(*agent) : nullptr;
  if (!next) return;
  if (agent->memory.desk.given) settle_work(*agent, true, false, "its turn is over");
  model::Decided fact{Action::wake, policy::assigned(*next), 1};
  fact.rule = model::kWorkRule;
  fact.how = next->name;
  const Seq decided = emit(ask.agent, fact);
  emit(ask.agent,
       model::Finished{
           fact.action, decided, Verdict::confirmed, "its stop hook handed it over", 0, {}});
}

void RulePlanner::operator()(const WorkVanished& seen) {
  if (find(seen.agent)) emit(seen.agent, model::WorkGone{seen.name});
}

// The turn that got it is over. One that was too short to be seen is over after a while.
bool RulePlanner::turn_done(const Agent& agent) const {
  const auto& given = agent.memory.desk.given;
  const bool rests = agent.state == State::ready || agent.state == State::typing;
  if (!given || !given->taken || !rests || agent.intent) return false;
  return agent.since > given->at || now_.wall - given->at >= turn_unseen(agent.memory.desk);
}

void RulePlanner::operator()(const CommandEnded& seen) {
  const auto live = supervisor_.live_.find(seen.intent);
  const Agent* agent = live == supervisor_.live_.end() ? nullptr : find(live->second.agent);
  if (!agent || !agent->intent || agent->intent->seq != seen.intent) return;
  finish(*agent, seen.fine ? Verdict::confirmed : Verdict::failed, seen.how);
}

// The journal may have refused it once, and then it was read again: a byte counts once.
void RulePlanner::operator()(const UsageSeen& seen) {
  const Agent* agent = find(seen.agent);
  if (!agent || seen.spent.empty()) return;
  const auto* mark = model::mark_of(agent->memory.spending, seen.spent.front().mark.file);
  if (mark && mark->offset != seen.from) return;
  for (const auto& spent : seen.spent) emit(seen.agent, spent);
}

void RulePlanner::operator()(const Slept& seen) {
  // As exact as it is written down: who reads it there must come to the same times.
  const auto exact = [](Duration time) {
    return std::chrono::floor<std::chrono::milliseconds>(time);
  };
  emit("", model::Gap{exact(seen.length), seen.because, exact(seen.clock)});
}

}  // namespace pawl::core
