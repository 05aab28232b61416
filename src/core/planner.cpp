// Supervisor::plan(): what follows from one input.

#include <fmt/core.h>

#include <csignal>

#include "core/intent.h"
#include "core/rule_planner.h"

namespace pawl::core {

// One call of plan(): collects what follows from one input. Reads the supervisor, writes only its own Plan.
class Planner : public RulePlanner {
 public:
  using RulePlanner::RulePlanner;
  using RulePlanner::operator();

  void operator()(const RunAsked& ask) {
    const Agent* known = find(ask.spec.name);
    if (!declare(ask)) return;
    start(ask.spec.name, {Action::start, ask.because, 1, 0, "", "", known ? "" : kFirst},
          ask.request);
  }

  void operator()(const RegisterAsked& ask) {
    if (declare(ask)) answer(ask.request, {});
  }

  void operator()(const AdoptAsked& ask) {
    for (const auto& [name, agent] : fleet_.agents)
      if (agent.running() && agent.spec.pane == ask.spec.pane)
        return refuse(ask.request,
                      "pane " + ask.spec.pane.id + " is adopted already, as " + quoted(name),
                      "give it back first with: pawl release " + name);
    const Agent* known = find(ask.spec.name);
    if (!declare(ask)) return;
    start(ask.spec.name, {Action::adopt, "asked by pawl adopt", 1, 0, "", "", known ? "" : kFirst},
          ask.request);
  }

  void operator()(const ReleaseAsked& ask) {
    const Agent* agent = interrupted(ask.request, ask.agent, "given back while it was being typed");
    if (!agent) return;
    if (!agent->spec.adopted())
      return refuse(ask.request, quoted(ask.agent) + " was not adopted: Pawl started it",
                    "end it with: pawl stop " + ask.agent);
    give_back(*agent, ask.because);
    answer(ask.request, {});
  }

  void operator()(const StartAsked& ask) {
    const Agent* agent = wanted(ask.request, ask.agent);
    if (!agent) return;
    if (agent->running()) return answer(ask.request, {});
    start(ask.agent, {Action::start, ask.because, 1, 0, "", "", ask.resume ? "resume" : ""},
          ask.request);
  }

  void operator()(const StopAsked& ask) {
    const Agent* agent = find(ask.agent);
    if (!agent) return refuse_unknown(ask.request, ask.agent);
    if (agent->never_started()) return answer(ask.request, {});
    if (!agent->running()) return stop_ended(*agent, ask);
    if (ending(*agent) && agent->intent->action != Action::restart)
      return wait_for(*agent, ask.request);
    if (agent->spec.adopted()) return stop_in_pane(*agent, ask);
    // What is still on its way is overtaken: its outcome is written first, one intent at a time.
    if (agent->intent) overtake(*agent);
    end_program(*agent, {Action::stop, ask.because, 1}, ask.request);
  }

  void operator()(const RestartAsked& ask) {
    const Agent* agent = interrupted(ask.request, ask.agent, "restarted while it was being typed");
    if (!agent) return;
    if (agent->spec.adopted())
      return refuse(
          ask.request, quoted(ask.agent) + " runs in a tmux pane of yours",
          "end it and start it there; with restart = \"resume\" Pawl starts it there again");
    const model::Decided decided{Action::restart,           ask.because, 1, 0, "", "",
                                 ask.resume ? "resume" : ""};
    if (agent->running()) return end_program(*agent, decided, ask.request);
    start(ask.agent, decided, ask.request);
  }

  void operator()(const RemoveAsked& ask) {
    const Agent* agent = find(ask.agent);
    if (agent && agent->running() && !agent->intent && !ask.force)
      return refuse(ask.request, quoted(ask.agent) + " is running", "stop it first, or use rm -f");
    agent = interrupted(ask.request, ask.agent, "removed while it was being typed");
    if (!agent) return;
    if (agent->running() && agent->spec.adopted()) {
      give_back(*agent, "asked to remove it");
      return answer(ask.request, {});
    }
    if (agent->running())
      return end_program(*agent, {Action::remove, "asked to remove it", 1}, ask.request);
    remove(ask.agent);
    answer(ask.request, {});
  }

  void operator()(const WriteAsked& ask) {
    const Agent* agent = wanted(ask.request, ask.agent);
    if (!agent) return;
    if (!agent->running())
      return refuse(ask.request, quoted(ask.agent) + " is not running",
                    "start it with: pawl restart " + ask.agent);
    const Seq decision = emit(ask.agent, model::Decided{ask.action, ask.what, 1});
    plan_.effects.push_back(WriteTerminal{agent->session, ask.bytes});
    // Keys, and text without Enter: what the program makes of them is not looked at.
    emit(ask.agent,
         model::Finished{
             ask.action, decision, Verdict::unverified, "written to the terminal", 0, {}});
    answer(ask.request, {});
  }

  void operator()(const TerminalOpened& seen) {
    const Agent* agent = fleet_.by_session(seen.session);
    if (!agent || !opening(*agent)) return;
    finish(*agent, Verdict::confirmed, fmt::format("process {} runs", seen.process.pid),
           seen.process);
    if (agent->task && !agent->task->order.interactive)
      change(*agent, State::busy, "its run has begun");
    else if (!seen.agent)
      change(*agent, State::unknown, "its program runs; what it is doing is not known yet");
  }

  void operator()(const Perceived& seen) {
    const Agent* agent = fleet_.by_session(seen.session);
    if (!agent || !agent->running() || !agent->process) return;
    if (agent->intent && !delivering(*agent) && seen.state == State::starting)
      return;  // with such an intent that word means a terminal is being opened
    if (!seen.alert.empty()) emit(agent->spec.name, model::Alerted{"warning", seen.alert});
    if (!seen.runtime.empty() && seen.runtime != agent->runtime())
      emit(agent->spec.name, model::Recognised{seen.runtime, seen.argv});
    if (delivering(*agent) && seen.state == State::typing) return;  // it is us: told again after it
    if (still_ours(*agent, seen)) return;
    own_text_left(*agent, seen);
    if (seen.state == agent->state && seen.kind == agent->kind && seen.notices == agent->notices &&
        seen.dialog == agent->dialog && seen.input == agent->input)
      return;
    emit(agent->spec.name, model::StateChanged{agent->state,
                                               seen.state,
                                               seen.kind,
                                               seen.tier,
                                               seen.because,
                                               seen.confidence,
                                               {},
                                               seen.notices,
                                               seen.dialog,
                                               seen.tokens,
                                               seen.input});
  }

  void operator()(const TerminalFailed& seen) {
    const Agent* agent = fleet_.by_session(seen.session);
    if (!agent || !agent->running()) return;
    const model::Ending unseen{-1, 0, false};
    const std::string because = "it could not be started: " + seen.error.what;
    if (!opening(
            *agent)) {  // the start was overtaken by a stop, or taken for done when the daemon came back
      change(*agent, State::crashed, because, unseen);
      if (agent->intent) after_end(*agent, *agent->intent, unseen);
      return;
    }
    const bool first = agent->intent->how == kFirst;
    finish(*agent, Verdict::failed, text_of(seen.error), {}, tl::unexpected(seen.error));
    change(*agent, State::crashed, because, unseen);
    if (first) remove(agent->spec.name);  // a mistyped command leaves nothing behind
  }

  void operator()(const ProgramEnded& seen) {
    const Agent* agent = fleet_.by_session(seen.session);
    if (!agent || !agent->running()) return;
    const bool asked = ending(*agent);
    const bool clean = seen.ending.clean() || asked;
    change(*agent, clean ? State::exited : State::crashed,
           (asked ? "ended on request: " : "ended by itself: ") +
               (seen.why.empty() ? text_of(seen.ending) : seen.why),
           seen.ending);
    if (const auto& given = agent->memory.desk.given)
      settle_work(*agent, seen.ending.clean() && given->taken, true, "its program ended");
    plan_.effects.push_back(CloseTerminal{
        agent->spec.name, seen.session, asked || agent->task.has_value(), shell_code(seen.ending)});
    const bool comes_back = asked && agent->intent->action == Action::restart;
    if (agent->intent) after_end(*agent, *agent->intent, seen.ending);
    if (!comes_back) dismiss(*agent, "is not running any more; the text stays in its outbox");
  }

  void operator()(const TerminalNoted& seen) {
    const Agent* agent = fleet_.by_session(seen.session);
    if (agent) emit(agent->spec.name, model::Alerted{"info", seen.text});
  }

  void operator()(const WriteLost& seen) {
    const Agent* agent = fleet_.by_session(seen.session);
    if (agent)
      emit(agent->spec.name,
           model::Alerted{"warning", "what was sent did not arrive: " + seen.why});
  }

  void operator()(const Recovered& seen) {
    plan_.adopts_intents = true;
    for (const auto& [name, agent] : fleet_.agents) {
      const Recovered::Terminal* terminal = nullptr;
      for (const auto& candidate : seen.terminals)
        if (candidate.session == agent.session) terminal = &candidate;
      if (agent.running() && terminal)
        survived(agent, *terminal);
      else if (agent.running())
        lost(agent);
      else if (agent.intent)
        finish(agent, Verdict::unverified, "the daemon was restarted before the outcome was seen");
    }
  }

  void operator()(const RequestSeen& seen) {
    emit(seen.agent, model::Requested{seen.verb, seen.by, seen.refused});
  }

  void operator()(const HumanTyped& seen) {
    if (find(seen.agent)) emit(seen.agent, model::HumanSeen{seen.where, seen.seen});
  }

  void operator()(const ConversationTold& seen) {
    const Agent* agent = fleet_.by_session(seen.session);
    if (!agent || (agent->session_id == seen.session_id && agent->transcript == seen.transcript))
      return;
    emit(agent->spec.name, model::Learned{seen.session_id, seen.transcript});
  }

  void operator()(const JournalRefused& seen) {
    emit("", model::Alerted{"warning", "nothing was done for a while: " + seen.why});
  }

  void operator()(const Tick&) {
    for (const auto& [intent, live] : supervisor_.live_) {
      const Agent* agent = supervisor_.unkilled(intent, live);
      if (!agent || now_.mono < live.started + stop_grace(*agent)) continue;
      plan_.effects.push_back(SignalProgram{agent->session, SIGKILL});
      plan_.escalated.push_back(intent);
    }
  }

 private:
  // Written down as it was asked for; false: refused.
  template <class Ask>
  bool declare(const Ask& ask) {
    const Agent* known = find(ask.spec.name);
    if (known && known->running())
      refuse(ask.request, "an agent named " + quoted(ask.spec.name) + " is running already",
             "attach to it, stop it first, or choose another name");
    else if (known && known->intent)
      refuse_busy(ask.request, *known);
    else {
      registered(ask.spec, "an operator");
      plan_.effects.push_back(SaveEnvironment{ask.spec.name, ask.environment});
      return true;
    }
    return false;
  }

  // Nothing to end but what the program left behind; looked for only now, because a person may want it to go on.
  void stop_ended(const Agent& agent, const StopAsked& ask) {
    const Seq decision = emit(agent.spec.name, model::Decided{Action::stop, ask.because, 1});
    plan_.effects.push_back(EndLeftovers{agent.session});
    emit(agent.spec.name,
         model::Finished{
             Action::stop, decision, Verdict::confirmed, "its program had ended already", 0, {}});
    task_over(agent, {decision, Action::stop, now_.wall}, agent.ending);
    answer(ask.request, {});
  }

  // The pane stays, and the shell in it; only what runs there is told to end.
  void stop_in_pane(const Agent& agent, const StopAsked& ask) {
    if (agent.intent) return refuse_busy(ask.request, agent);
    const Seq decision = emit(agent.spec.name, model::Decided{Action::stop, ask.because, 1});
    plan_.effects.push_back(SignalProgram{agent.session, SIGTERM});
    emit(agent.spec.name, model::Finished{Action::stop,
                                          decision,
                                          Verdict::unverified,
                                          "the program in its pane was told to end",
                                          0,
                                          {}});
    answer(ask.request, {});
  }

  void give_back(const Agent& agent, const std::string& because) {
    const std::string name = agent.spec.name;
    const Seq decision = emit(name, model::Decided{Action::release, because, 1});
    if (agent.running()) plan_.effects.push_back(ReleaseTerminal{name, agent.session});
    emit(name,
         model::Finished{
             Action::release, decision, Verdict::confirmed, "nobody watches it any more", 0, {}});
    remove(name);
  }

  void remove(const std::string& name) {
    const Agent* agent = find(name);
    if (agent) dismiss(*agent, "was removed");
    emit(name, model::Removed{});
    plan_.effects.push_back(
        RemoveFiles{name, agent && agent->task ? agent->task->order.dir : std::string()});
  }

  // A stop comes while a start or restart is under way.
  void overtake(const Agent& agent) {
    if (delivering(agent)) return cut_off(agent, "stopped while it was being typed");
    if (opening(agent))
      return finish(agent, Verdict::unverified, "stopped before the program was seen running");
    finish(agent, Verdict::failed, "stopped before it was started again", {},
           fail(quoted(agent.spec.name) + " was stopped before it was started again",
                "start it with: pawl restart " + agent.spec.name));
  }

  // As wanted(), but a text that is being typed is not waited for.
  const Agent* interrupted(RequestId request, const std::string& name, const char* why) {
    const Agent* agent = find(name);
    if (!agent || !delivering(*agent)) return wanted(request, name);
    cut_off(*agent, why);
    return agent;
  }

  // A program ended while something was under way with its agent.
  void after_end(const Agent& agent, const model::Intent& intent, const model::Ending& how) {
    if (delivering(agent)) return cut_off(agent, "its program ended: " + text_of(how));
    if (ending(agent) && intent.action == Action::restart)
      return open(agent.spec.name, intent.seq, intent.how == "resume");
    finish(agent, Verdict::confirmed, text_of(how));
    task_over(agent, intent, how);
    if (intent.action == Action::remove) remove(agent.spec.name);
  }

  // After a restart of the daemon: the terminal is there.
  void survived(const Agent& agent, const Recovered::Terminal& terminal) {
    if (!agent.intent) return;
    if (opening(agent)) return found_running(agent, terminal);
    if (delivering(agent) && agent.intent->item != 0) return take_up(agent);
    if (delivering(agent) && agent.intent->rule == model::kWorkRule)
      return plan_.effects.push_back(DeliverPrompt{agent.spec.name, agent.session,
                                                   agent.intent->seq, agent.intent->how, true,
                                                   false, true, true});
    if (delivering(agent))
      return cut_off(agent, "the daemon was restarted before the outcome was seen");
    if (!ending(agent))
      return finish(agent, Verdict::unverified,
                    "the daemon was restarted before the outcome was seen");
    // A person asked for this end and has not got it: the request stands.
    plan_.effects.push_back(SignalProgram{agent.session, SIGTERM});
    plan_.effects.push_back(SignalProgram{agent.session, SIGCONT});
  }

  void found_running(const Agent& agent, const Recovered::Terminal& terminal) {
    finish(agent, Verdict::confirmed, "found running after a restart of the daemon",
           terminal.process);
    change(agent, State::unknown, "its program runs; what it is doing is not known yet");
  }

  // After a restart of the daemon: the terminal is gone, with everything that would know how it ended.
  void lost(const Agent& agent) {
    if (delivering(agent)) {
      cut_off(agent, "the program was gone after a restart of the daemon");
    } else if (opening(agent)) {
      finish(agent, Verdict::failed, "the daemon was restarted before the program ran");
    } else if (ending(agent) && agent.intent->action == Action::restart) {
      finish(agent, Verdict::failed,
             "the program was gone after a restart of the daemon and was not started again");
    } else if (agent.intent) {
      finish(agent, ending(agent) ? Verdict::confirmed : Verdict::unverified,
             "the program was gone after a restart of the daemon");
    }
    settle_work(agent, false, true, "its terminal was gone when the daemon came back");
    change(agent, State::crashed, "its terminal was gone when the daemon came back",
           model::Ending{-1, 0, false});
    if (agent.intent && agent.intent->action == Action::remove) remove(agent.spec.name);
  }
};

Plan Supervisor::plan(const Clock& now, const Input& input) const {
  Planner planner(*this, now);
  std::visit(planner, input);
  return planner.take();
}

}  // namespace pawl::core
