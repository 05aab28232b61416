// Somebody wants an agent declared, started, stopped, removed.

#include <csignal>

#include "core/intent.h"
#include "core/plan/inputs.h"
#include "core/plan/steps.h"
#include "store/environment.h"

namespace pawl::core::plan {
namespace {

// Written down as it was asked for; false: refused.
template <class Ask>
bool declare(PlanBuilder& to, const Ask& ask) {
  const Agent* known = to.find(ask.spec.name);
  if (known && known->away())
    to.refuse(ask.request, away_text(*known), away_todo(*known));
  else if (known && known->running())
    to.refuse(ask.request, "an agent named " + quoted(ask.spec.name) + " is running already",
              "attach to it, stop it first, or choose another name");
  else if (known && known->intent)
    to.refuse_busy(ask.request, *known);
  else {
    to.registered(ask.spec, "an operator");
    to.effect(
        SaveEnvironment{ask.spec.name, store::selected_environment(ask.spec, ask.environment)});
    return true;
  }
  return false;
}

// Nothing to end but what the program left behind; looked for only now, because a person may want it to go on.
void stop_ended(PlanBuilder& to, const Agent& agent, const StopAsked& ask) {
  to.effect(EndLeftovers{agent.session});
  const Seq decision = to.at_once(agent.spec.name, {Action::stop, ask.because, 1},
                                  Verdict::confirmed, "its program had ended already");
  task_over(to, agent, {decision, Action::stop, to.now.wall}, agent.ending);
  to.answer(ask.request, {});
}

// The pane stays, and the shell in it; only what runs there is told to end.
void stop_in_pane(PlanBuilder& to, const Agent& agent, const StopAsked& ask) {
  if (agent.intent) return to.refuse_busy(ask.request, agent);
  to.effect(SignalProgram{agent.session, SIGTERM});
  to.at_once(agent.spec.name, {Action::stop, ask.because, 1}, Verdict::unverified,
             "the program in its pane was told to end");
  to.answer(ask.request, {});
}

void give_back(PlanBuilder& to, const Agent& agent, const std::string& because) {
  const std::string name = agent.spec.name;
  if (agent.running()) to.effect(ReleaseTerminal{name, agent.session});
  to.at_once(name, {Action::release, because, 1}, Verdict::confirmed, "nobody watches it any more");
  remove(to, name);
}

// A stop comes while a start or restart is under way.
void overtake(PlanBuilder& to, const Agent& agent) {
  if (delivering(agent)) return cut_off(to, agent, "stopped while it was being typed");
  if (opening(agent))
    return to.finish(agent, Verdict::unverified, "stopped before the program was seen running");
  to.finish(agent, Verdict::failed, "stopped before it was started again", {},
            fail(quoted(agent.spec.name) + " was stopped before it was started again",
                 "start it with: pawl restart " + agent.spec.name));
}

}  // namespace

void remove(PlanBuilder& to, const std::string& name) {
  const Agent* agent = to.find(name);
  if (agent) dismiss(to, *agent, "was removed");
  to.emit(name, model::Removed{});
  to.effect(RemoveFiles{name, agent && agent->task ? agent->task->order.dir : std::string()});
}

// As to.wanted(), but a text that is being typed is not waited for.
const Agent* interrupted(PlanBuilder& to, RequestId request, const std::string& name,
                         const char* why) {
  const Agent* agent = to.find(name);
  if (!agent || !delivering(*agent)) return to.wanted(request, name);
  cut_off(to, *agent, why);
  return agent;
}

void follow(PlanBuilder& to, const RunAsked& ask) {
  const Agent* known = to.find(ask.spec.name);
  if (!declare(to, ask)) return;
  to.start(ask.spec.name,
           {.action = Action::start,
            .because = ask.because,
            .how = std::string(known ? "" : word(Launch::first))},
           ask.request);
}

void follow(PlanBuilder& to, const RegisterAsked& ask) {
  if (declare(to, ask)) to.answer(ask.request, {});
}

void follow(PlanBuilder& to, const AdoptAsked& ask) {
  for (const auto& [name, agent] : to.fleet.agents)
    if (agent.running() && agent.spec.pane == ask.spec.pane)
      return to.refuse(ask.request,
                       "pane " + ask.spec.pane.id + " is adopted already, as " + quoted(name),
                       "give it back first with: pawl release " + name);
  const Agent* known = to.find(ask.spec.name);
  if (!declare(to, ask)) return;
  to.start(ask.spec.name,
           {.action = Action::adopt,
            .because = "asked by pawl adopt",
            .how = std::string(known ? "" : word(Launch::first))},
           ask.request);
}

void follow(PlanBuilder& to, const ReleaseAsked& ask) {
  const Agent* agent =
      interrupted(to, ask.request, ask.agent, "given back while it was being typed");
  if (!agent) return;
  if (!agent->spec.adopted())
    return to.refuse(ask.request, quoted(ask.agent) + " was not adopted: Pawl started it",
                     "end it with: pawl stop " + ask.agent);
  give_back(to, *agent, ask.because);
  to.answer(ask.request, {});
}

void follow(PlanBuilder& to, const StartAsked& ask) {
  const Agent* agent = to.wanted(ask.request, ask.agent);
  if (!agent) return;
  if (agent->away()) return to.refuse(ask.request, away_text(*agent), away_todo(*agent));
  if (agent->running()) return to.answer(ask.request, {});
  if (over(*agent)) return follow(to, GoOnAsked{ask.request, ask.agent, ask.because});
  to.start(ask.agent,
           {.action = Action::start,
            .because = ask.because,
            .how = std::string(ask.resume ? word(Launch::resume) : "")},
           ask.request);
}

void follow(PlanBuilder& to, const StopAsked& ask) {
  const Agent* agent = to.find(ask.agent);
  if (!agent) return to.refuse_unknown(ask.request, ask.agent);
  if (agent->never_started()) return to.answer(ask.request, {});
  if (!agent->running()) return stop_ended(to, *agent, ask);
  if (ending(*agent) && agent->intent->action != Action::restart)
    return to.wait_for(*agent, ask.request);
  if (agent->spec.adopted()) return stop_in_pane(to, *agent, ask);
  // What is still on its way is overtaken: its outcome is written first, one intent at a time.
  if (agent->intent) overtake(to, *agent);
  to.end_program(*agent, {Action::stop, ask.because, 1}, ask.request);
}

void follow(PlanBuilder& to, const RestartAsked& ask) {
  const Agent* agent =
      interrupted(to, ask.request, ask.agent, "restarted while it was being typed");
  if (!agent) return;
  if (agent->away()) return to.refuse(ask.request, away_text(*agent), away_todo(*agent));
  if (agent->spec.adopted())
    return to.refuse(
        ask.request, quoted(ask.agent) + " runs in a tmux pane of yours",
        "end it and start it there; with restart = \"resume\" Pawl starts it there again");
  if (const auto gap = to.pending.leases.gap(*agent, to.now.boot); !gap.empty())
    return to.refuse(ask.request, quoted(ask.agent) + " is not restarted: " + gap,
                     "it is the fleet's: it goes on when its lease is confirmed");
  const model::Decided decided{.action = Action::restart,
                               .because = ask.because,
                               .how = std::string(ask.resume ? word(Launch::resume) : "")};
  if (agent->running()) return to.end_program(*agent, decided, ask.request);
  if (over(*agent)) return follow(to, GoOnAsked{ask.request, ask.agent, ask.because});
  to.start(ask.agent, decided, ask.request);
}

void follow(PlanBuilder& to, const RemoveAsked& ask) {
  const Agent* agent = to.find(ask.agent);
  if (agent && agent->away() && agent->move->step != model::MoveStep::gone)
    return to.refuse(ask.request, away_text(*agent), away_todo(*agent));
  if (agent && agent->running() && !agent->intent && !ask.force)
    return to.refuse(ask.request, quoted(ask.agent) + " is running", "stop it first, or use rm -f");
  agent = interrupted(to, ask.request, ask.agent, "removed while it was being typed");
  if (!agent) return;
  if (agent->running() && agent->spec.adopted()) {
    give_back(to, *agent, "asked to remove it");
    return to.answer(ask.request, {});
  }
  if (agent->running())
    return to.end_program(*agent, {Action::remove, "asked to remove it", 1}, ask.request);
  remove(to, ask.agent);
  to.answer(ask.request, {});
}

void follow(PlanBuilder& to, const WriteAsked& ask) {
  const Agent* agent = to.wanted(ask.request, ask.agent);
  if (!agent) return;
  if (!agent->running())
    return to.refuse(ask.request, quoted(ask.agent) + " is not running",
                     "start it with: pawl restart " + ask.agent);
  const Seq decision = to.emit(ask.agent, model::Decided{ask.action, ask.what, 1});
  to.effect(WriteTerminal{agent->session, ask.bytes});
  // Keys, and text without Enter: what the program makes of them is not looked at.
  to.emit(
      ask.agent,
      model::Finished{ask.action, decision, Verdict::unverified, "written to the terminal", 0, {}});
  to.answer(ask.request, {});
}

void follow(PlanBuilder& to, const PauseAsked& ask) {
  const Agent* agent = to.find(ask.agent);
  if (!agent) return to.refuse_unknown(ask.request, ask.agent);
  if (agent->paused != ask.paused ||
      (!ask.paused && (agent->parked || !agent->quarantined.empty())))
    to.emit(ask.agent, model::Paused{ask.paused, ask.by});
  to.answer(ask.request, {});
}

void follow(PlanBuilder& to, const Reconfigure& ask) {
  const Agent* agent = to.find(ask.spec.name);
  if (!agent) return to.refuse_unknown(ask.request, ask.spec.name);
  if (agent->spec != ask.spec) to.registered(ask.spec, ask.by);
  to.answer(ask.request, {});
}

}  // namespace pawl::core::plan
