// What happens to a program and its terminal by itself, and after a restart of the daemon.

#include <csignal>
#include <map>

#include "core/intent.h"
#include "core/plan/inputs.h"
#include "core/plan/steps.h"

namespace pawl::core::plan {
namespace {

// A program ended while something was under way with its agent.
void after_end(PlanBuilder& to, const Agent& agent, const model::Intent& intent,
               const ProgramEnded& seen) {
  const model::Ending& how = seen.ending;
  if (delivering(agent))
    return cut_off(to, agent, "its program ended: " + text_of(how), seen.unsent);
  const std::string gap = to.pending.leases.gap(agent, to.now.boot);
  if (ending(agent) && intent.action == Action::restart && !gap.empty())
    return give_up_restart(to, agent, how, gap);
  if (ending(agent) && intent.action == Action::restart)
    return to.open(agent.spec.name, intent.seq, intent.launches(Launch::resume));
  to.finish(agent, Verdict::confirmed, text_of(how));
  task_over(to, agent, intent, how);
  if (intent.action == Action::remove) remove(to, agent.spec.name);
}

// What was done to it, as far as that is known, and else what is known of its end.
std::string how_ended(const ProgramEnded& seen, bool asked) {
  if (asked) return "ended on request: " + (seen.why.empty() ? text_of(seen.ending) : seen.why);
  if (!seen.cause.empty()) return model::kEndedItself + seen.cause;
  if (seen.for_memory) return std::string(model::kEndedItself) + "killed for want of memory";
  if (seen.why.empty()) return model::kEndedItself + text_of(seen.ending);
  return seen.why;
}

// A run without an interface is at work as long as it runs.
void runs(PlanBuilder& to, const Agent& agent) {
  if (has_interface(agent))
    to.change(agent, State::unknown, "its program runs; what it is doing is not known yet");
  else
    to.change(agent, State::busy, "its run has begun");
}

void found_running(PlanBuilder& to, const Agent& agent, const Recovered::Terminal& terminal) {
  to.finish(agent, Verdict::confirmed, "found running after a restart of the daemon",
            terminal.process);
  runs(to, agent);
}

// A rule's text was being typed.
bool prompting(const Agent& agent) {
  return agent.intent->item == 0 &&
         (agent.intent->action == Action::nudge || agent.intent->action == Action::wake);
}

// After a restart of the daemon: the terminal is there.
void survived(PlanBuilder& to, const Agent& agent, const Recovered::Terminal& terminal) {
  if (!agent.intent) return;
  if (opening(agent)) return found_running(to, agent, terminal);
  if (delivering(agent) && agent.intent->item != 0) return take_up(to, agent);
  if (prompting(agent))
    return to.effect(DeliverPrompt{.agent = agent.spec.name,
                                   .session = agent.session,
                                   .intent = agent.intent->seq,
                                   .how = agent.intent->how,
                                   .work = agent.intent->rule == model::kWorkRule,
                                   .eager = true,
                                   .resumed = true});
  if (delivering(agent))
    return cut_off(to, agent, "the daemon was restarted before the outcome was seen");
  if (!ending(agent))
    return to.finish(agent, Verdict::unverified,
                     "the daemon was restarted before the outcome was seen");
  // A person asked for this end and has not got it: the request stands.
  to.effect(SignalProgram{agent.session, SIGTERM});
  to.effect(SignalProgram{agent.session, SIGCONT});
}

// After a restart of the daemon: the terminal is gone, with everything that would know how it ended.
void lost(PlanBuilder& to, const Agent& agent) {
  if (delivering(agent)) {
    cut_off(to, agent, "the program was gone after a restart of the daemon");
  } else if (opening(agent)) {
    to.finish(agent, Verdict::failed, "the daemon was restarted before the program ran");
  } else if (ending(agent) && agent.intent->action == Action::restart) {
    to.finish(agent, Verdict::failed,
              "the program was gone after a restart of the daemon and was not started again");
  } else if (agent.intent) {
    to.finish(agent, ending(agent) ? Verdict::confirmed : Verdict::unverified,
              "the program was gone after a restart of the daemon");
  }
  to.settle_work(agent, {.again = true}, "its terminal was gone when the daemon came back");
  to.change(agent, State::crashed, "its terminal was gone when the daemon came back",
            model::Ending{-1, 0, false});
  if (!agent.intent) return;
  task_over(to, agent, *agent.intent, std::nullopt);
  if (agent.intent->action == Action::remove) remove(to, agent.spec.name);
}

}  // namespace

void follow(PlanBuilder& to, const TerminalOpened& seen) {
  const Agent* agent = to.fleet.by_session(seen.session);
  if (!agent || !opening(*agent)) return;
  to.finish(*agent, Verdict::confirmed, fmt::format("process {} runs", seen.process.pid),
            seen.process);
  if (!has_interface(*agent) || !seen.agent) runs(to, *agent);
}

void follow(PlanBuilder& to, const TerminalFailed& seen) {
  const Agent* agent = to.fleet.by_session(seen.session);
  if (!agent || !agent->running()) return;
  const model::Ending unseen{-1, 0, false};
  const std::string because = "it could not be started: " + seen.error.what;
  if (!opening(
          *agent)) {  // the start was overtaken by a stop, or taken for done when the daemon came back
    to.change(*agent, State::crashed, because, unseen);
    if (agent->intent) after_end(to, *agent, *agent->intent, {agent->session, unseen});
    return;
  }
  const bool first = agent->intent->launches(Launch::first);
  to.finish(*agent, Verdict::failed, text_of(seen.error), {}, tl::unexpected(seen.error));
  to.change(*agent, State::crashed, because, unseen);
  if (first) remove(to, agent->spec.name);  // a mistyped command leaves nothing behind
}

void follow(PlanBuilder& to, const TerminalNoted& seen) {
  const Agent* agent = to.fleet.by_session(seen.session);
  if (agent) to.emit(agent->spec.name, model::Alerted{model::Severity::info, seen.text});
}

void follow(PlanBuilder& to, const ProgramEnded& seen) {
  const Agent* agent = to.fleet.by_session(seen.session);
  if (!agent || !agent->running()) return;
  const bool asked = ending(*agent);
  const bool clean = seen.ending.clean() || asked;
  to.change(*agent, clean ? State::exited : State::crashed, how_ended(seen, asked), seen.ending);
  if (const auto& given = agent->memory.desk.given)
    to.settle_work(*agent, {.done = seen.ending.clean() && given->taken, .again = true},
                   "its program ended");
  to.effect(CloseTerminal{agent->spec.name, seen.session, asked || agent->task.has_value(),
                          shell_code(seen.ending)});
  const bool comes_back = asked && agent->intent->action == Action::restart;
  if (agent->intent) after_end(to, *agent, *agent->intent, seen);
  if (!comes_back) dismiss(to, *agent, "is not running any more; the text stays in its outbox");
}

void follow(PlanBuilder& to, const WriteLost& seen) {
  const Agent* agent = to.fleet.by_session(seen.session);
  if (agent)
    to.emit(agent->spec.name,
            model::Alerted{model::Severity::warning, "what was sent did not arrive: " + seen.why});
}

void follow(PlanBuilder& to, const Recovered& seen) {
  to.plan.adopts_intents = true;
  recover_leases(to, seen);
  std::map<SessionId, const Recovered::Terminal*> open;
  for (const auto& terminal : seen.terminals) open[terminal.session] = &terminal;
  for (const auto& [name, agent] : to.fleet.agents) {
    const auto terminal = open.find(agent.session);
    if (agent.running() && terminal != open.end())
      survived(to, agent, *terminal->second);
    else if (agent.running())
      lost(to, agent);
    else if (agent.intent)
      to.finish(agent, Verdict::unverified, "the daemon was restarted before the outcome was seen");
  }
}

void follow(PlanBuilder& to, const Tick&) {
  for (const Seq intent : to.pending.killing) {
    const Agent* agent = to.pending.unkilled(to.fleet, intent);
    if (!agent || to.now.mono < to.pending.live.at(intent).started + stop_grace(*agent)) continue;
    to.effect(SignalProgram{agent->session, SIGKILL});
    to.plan.escalated.push_back(intent);
  }
  follow_leases(to);
}

}  // namespace pawl::core::plan
