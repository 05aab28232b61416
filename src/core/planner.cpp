// Supervisor::plan(): what follows from one input.

#include <fmt/format.h>

#include <csignal>

#include "core/intent.h"
#include "core/supervisor.h"

namespace pawl::core {

using model::Action;
using model::Agent;
using model::State;
using model::Verdict;

namespace {

constexpr std::string_view kNoTier = "process";

std::string quoted(const std::string& name) {
  return "'" + name + "'";
}

}  // namespace

// One call of plan(): collects what follows from one input. Reads the supervisor, writes only its own Plan.
class Planner {
 public:
  Planner(const Supervisor& supervisor, const Clock& now)
      : supervisor_(supervisor), fleet_(supervisor.fleet_), now_(now) {}

  Plan take() { return std::move(plan_); }

  void operator()(const RunAsked& ask) {
    const Agent* known = find(ask.spec.name);
    if (known && known->running())
      return refuse(ask.request, "an agent named " + quoted(ask.spec.name) + " is running already",
                    "attach to it, stop it first, or choose another name");
    if (known && known->intent) return refuse_busy(ask.request, *known);
    emit(ask.spec.name, model::Registered{ask.spec});
    plan_.effects.push_back(SaveEnvironment{ask.spec.name, ask.environment});
    start(ask.spec.name, Action::start, ask.because, ask.request);
  }

  void operator()(const StartAsked& ask) {
    const Agent* agent = wanted(ask.request, ask.agent);
    if (!agent) return;
    if (agent->running()) return answer(ask.request, {});
    start(ask.agent, Action::start, ask.because, ask.request);
  }

  void operator()(const StopAsked& ask) {
    const Agent* agent = find(ask.agent);
    if (!agent) return refuse_unknown(ask.request, ask.agent);
    if (agent->never_started()) return answer(ask.request, {});
    if (!agent->running()) return stop_ended(*agent, ask);
    if (ending(*agent) && agent->intent->action != Action::restart)
      return wait_for(*agent, ask.request);
    // A start or restart still on its way is overtaken: its outcome is written first, one intent at a time.
    if (agent->intent) overtake(*agent);
    end_program(*agent, Action::stop, ask.because, ask.request);
  }

  void operator()(const RestartAsked& ask) {
    const Agent* agent = wanted(ask.request, ask.agent);
    if (!agent) return;
    if (agent->running()) return end_program(*agent, Action::restart, ask.because, ask.request);
    start(ask.agent, Action::restart, ask.because, ask.request);
  }

  void operator()(const RemoveAsked& ask) {
    const Agent* agent = wanted(ask.request, ask.agent);
    if (!agent) return;
    if (agent->running() && !ask.force)
      return refuse(ask.request, quoted(ask.agent) + " is running", "stop it first, or use rm -f");
    if (agent->running())
      return end_program(*agent, Action::remove, "asked to remove it", ask.request);
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
    // Plain writing: what the program made of it is not known (issue "delivery" makes it known).
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
    if (!seen.agent)
      change(*agent, State::unknown, "its program runs; what it is doing is not known yet");
  }

  void operator()(const Perceived& seen) {
    const Agent* agent = fleet_.by_session(seen.session);
    if (!agent || !agent->running() || !agent->process) return;
    if (agent->intent && seen.state == State::starting)
      return;  // with an intent that word means a terminal is being opened
    if (!seen.alert.empty()) emit(agent->spec.name, model::Alerted{"warning", seen.alert});
    if (!seen.runtime.empty() && seen.runtime != agent->runtime())
      emit(agent->spec.name, model::Recognised{seen.runtime});
    if (seen.state == agent->state && seen.kind == agent->kind && seen.notices == agent->notices)
      return;
    emit(agent->spec.name, model::StateChanged{agent->state,
                                               seen.state,
                                               seen.kind,
                                               seen.tier,
                                               seen.because,
                                               seen.confidence,
                                               {},
                                               seen.notices});
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
    finish(*agent, Verdict::failed, text_of(seen.error), {}, tl::unexpected(seen.error));
    change(*agent, State::crashed, because, unseen);
    if (agent->starts <= 1) remove(agent->spec.name);  // a mistyped command leaves nothing behind
  }

  void operator()(const ProgramEnded& seen) {
    const Agent* agent = fleet_.by_session(seen.session);
    if (!agent || !agent->running()) return;
    const bool asked = ending(*agent);
    const bool clean = seen.ending.clean() || asked;
    change(*agent, clean ? State::exited : State::crashed,
           (asked ? "ended on request: " : "ended by itself: ") + text_of(seen.ending),
           seen.ending);
    plan_.effects.push_back(
        CloseTerminal{agent->spec.name, seen.session, asked, shell_code(seen.ending)});
    if (agent->intent) after_end(*agent, *agent->intent, seen.ending);
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

  void operator()(const HumanTyped& seen) {
    if (find(seen.agent)) emit(seen.agent, model::HumanSeen{seen.where});
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
  const Agent* find(const std::string& name) const { return fleet_.find(name); }

  Seq emit(const std::string& agent, model::Fact fact) {
    const Seq seq{fleet_.last.value + plan_.events.size() + 1};
    plan_.events.push_back({seq, now_.wall, agent, std::move(fact)});
    return seq;
  }

  void answer(RequestId request, Done done) {
    if (request.value != 0) plan_.answers.push_back({request, std::move(done)});
  }
  void refuse(RequestId request, std::string what, std::string fix) {
    answer(request, fail(std::move(what), std::move(fix)));
  }
  void refuse_unknown(RequestId request, const std::string& name) {
    refuse(request, "no agent named " + quoted(name), "pawl ls shows them all");
  }
  void refuse_busy(RequestId request, const Agent& agent) {
    refuse(request,
           fmt::format("{} is in the middle of a {}", quoted(agent.spec.name),
                       word(agent.intent->action)),
           "wait a moment and try again");
  }

  // The agent, when it exists and nothing is under way with it.
  const Agent* wanted(RequestId request, const std::string& name) {
    const Agent* agent = find(name);
    if (!agent)
      refuse_unknown(request, name);
    else if (agent->intent)
      refuse_busy(request, *agent);
    else
      return agent;
    return nullptr;
  }

  void wait_for(const Agent& agent, RequestId request) {
    if (request.value != 0) plan_.waits.emplace_back(agent.intent->seq, request);
  }

  void start(const std::string& name, Action action, const std::string& because,
             RequestId request) {
    const Seq decision = emit(name, model::Decided{action, because, 1});
    if (request.value != 0) plan_.waits.emplace_back(decision, request);
    open(name, decision);
  }

  void open(const std::string& name, Seq decision) {
    const Agent* known = find(name);
    emit(name, model::StateChanged{known ? known->state : State::unknown,
                                   State::starting,
                                   "",
                                   std::string(kNoTier),
                                   "its terminal is being opened",
                                   1,
                                   {}});
    plan_.effects.push_back(OpenTerminal{name, SessionId{decision.value}});
  }

  void end_program(const Agent& agent, Action action, const std::string& because,
                   RequestId request) {
    const Seq decision = emit(agent.spec.name, model::Decided{action, because, 1});
    if (request.value != 0) plan_.waits.emplace_back(decision, request);
    plan_.effects.push_back(SignalProgram{agent.session, SIGTERM});
    plan_.effects.push_back(
        SignalProgram{agent.session, SIGCONT});  // a stopped program cannot hear TERM
  }

  // Nothing to end but what the program left behind; looked for only now, because a person may want it to go on.
  void stop_ended(const Agent& agent, const StopAsked& ask) {
    const Seq decision = emit(agent.spec.name, model::Decided{Action::stop, ask.because, 1});
    plan_.effects.push_back(EndLeftovers{agent.session});
    emit(agent.spec.name,
         model::Finished{
             Action::stop, decision, Verdict::confirmed, "its program had ended already", 0, {}});
    answer(ask.request, {});
  }

  void remove(const std::string& name) {
    emit(name, model::Removed{});
    plan_.effects.push_back(RemoveFiles{name});
  }

  void change(const Agent& agent, State to, std::string because,
              std::optional<model::Ending> ending = {}) {
    emit(agent.spec.name, model::StateChanged{agent.state, to, "", std::string(kNoTier),
                                              std::move(because), 1, ending});
  }

  void finish(const Agent& agent, Verdict verdict, std::string witness,
              std::optional<model::Process> process = {}, Done answer_with = {}) {
    const model::Intent& intent = *agent.intent;
    const auto took =
        std::chrono::duration_cast<std::chrono::milliseconds>(now_.wall - intent.at).count();
    emit(agent.spec.name, model::Finished{intent.action, intent.seq, verdict, std::move(witness),
                                          std::max<int64_t>(0, took), process});
    const auto live = supervisor_.live_.find(intent.seq);
    if (live == supervisor_.live_.end()) return;
    for (const RequestId request : live->second.waiting) answer(request, answer_with);
  }

  // A stop comes while a start or restart is under way.
  void overtake(const Agent& agent) {
    if (opening(agent))
      return finish(agent, Verdict::unverified, "stopped before the program was seen running");
    finish(agent, Verdict::failed, "stopped before it was started again", {},
           fail(quoted(agent.spec.name) + " was stopped before it was started again",
                "start it with: pawl restart " + agent.spec.name));
  }

  // A program ended while something was under way with its agent.
  void after_end(const Agent& agent, const model::Intent& intent, const model::Ending& how) {
    if (ending(agent) && intent.action == Action::restart) return open(agent.spec.name, intent.seq);
    finish(agent, Verdict::confirmed, text_of(how));
    if (intent.action == Action::remove) remove(agent.spec.name);
  }

  // After a restart of the daemon: the terminal is there.
  void survived(const Agent& agent, const Recovered::Terminal& terminal) {
    if (!agent.intent) return;
    if (opening(agent)) return found_running(agent, terminal);
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
    if (opening(agent)) {
      finish(agent, Verdict::failed, "the daemon was restarted before the program ran");
    } else if (ending(agent) && agent.intent->action == Action::restart) {
      finish(agent, Verdict::failed,
             "the program was gone after a restart of the daemon and was not started again");
    } else if (agent.intent) {
      finish(agent, ending(agent) ? Verdict::confirmed : Verdict::unverified,
             "the program was gone after a restart of the daemon");
    }
    change(agent, State::crashed, "its terminal was gone when the daemon came back",
           model::Ending{-1, 0, false});
    if (agent.intent && agent.intent->action == Action::remove) remove(agent.spec.name);
  }

  const Supervisor& supervisor_;
  const model::Fleet& fleet_;
  const Clock& now_;
  Plan plan_;
};

Plan Supervisor::plan(const Clock& now, const Input& input) const {
  Planner planner(*this, now);
  std::visit(planner, input);
  return planner.take();
}

}  // namespace pawl::core
