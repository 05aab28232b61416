#pragma once
// What all planning shares: reads the fleet and what is pending, collects events, effects and answers in its plan, changes nothing
// else. One for each input.

#include <fmt/core.h>

#include <algorithm>
#include <csignal>
#include <string>

#include "core/plan/pending.h"
#include "model/permission.h"

namespace pawl::core {

using model::Action;
using model::Agent;
using model::Launch;
using model::Severity;
using model::State;
using model::Verdict;

// Of what is known without anybody having looked.
inline constexpr model::Tier kNoTier = model::Tier::process;

inline std::string quoted(const std::string& name) {
  return "'" + name + "'";
}

struct PlanBuilder {
  const model::Fleet& fleet;
  const Pending& pending;
  const Clock& now;
  Plan plan = {};

  const Agent* find(const std::string& name) const { return fleet.find(name); }

  Seq emit(const std::string& agent, model::Fact fact) {
    const Seq seq{fleet.last.value + plan.events.size() + 1};
    plan.events.push_back({seq, now.wall, agent, std::move(fact)});
    return seq;
  }

  void effect(Effect one) { plan.effects.push_back(std::move(one)); }

  // As it is from now on. People hear of what its file said wrong (O10), and when it may do more than before (O13).
  void registered(const model::AgentSpec& spec, const std::string& by) {
    const Agent* known = find(spec.name);
    const std::string before = known ? known->spec.permission : spec.permission;
    const bool mended = !known || known->spec.repairs != spec.repairs;
    emit(spec.name, model::Registered{spec});
    if (mended)
      for (const auto& one : spec.repairs)
        emit(spec.name,
             model::Alerted{model::Severity::warning, one, "config", "correct its pawl.toml", {}});
    if (model::widens(before, spec.permission))
      emit(spec.name,
           model::Alerted{model::Severity::warning,
                          fmt::format("from its next start on it may do more without asking: {}, "
                                      "before {} (by {})",
                                      spec.permission, before, by),
                          "permission",
                          "take it back: pawl permission " + spec.name + " " + before,
                          {}});
  }

  void answer(RequestId request, Done done) {
    if (request.value != 0) plan.answers.push_back({request, std::move(done)});
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
    if (request.value != 0) plan.waits.emplace_back(agent.intent->seq, request);
  }

  void change(const Agent& agent, State to, std::string because,
              std::optional<model::Ending> ending = {}) {
    emit(agent.spec.name,
         model::StateChanged{agent.state, to, "", kNoTier, std::move(because), 1, ending});
  }

  void finish(const Agent& agent, Verdict verdict, std::string witness,
              std::optional<model::Process> process = {}, Done answer_with = {}) {
    const model::Intent& intent = *agent.intent;
    const auto took =
        std::chrono::duration_cast<std::chrono::milliseconds>(now.wall - intent.at).count();
    emit(agent.spec.name, model::Finished{intent.action, intent.seq, verdict, std::move(witness),
                                          std::max<int64_t>(0, took), process});
    const auto live = pending.live.find(intent.seq);
    if (live == pending.live.end()) return;
    for (const RequestId request : live->second.waiting) answer(request, answer_with);
  }

  // A decision that is its own outcome: nothing is waited for.
  Seq at_once(const std::string& name, const model::Decided& decided, Verdict verdict,
              std::string witness) {
    const Seq decision = emit(name, decided);
    emit(name, model::Finished{decided.action, decision, verdict, std::move(witness), 0, {}});
    return decision;
  }

  // What the agent was given, when it was given something.
  struct Settled {
    bool done = false;
    bool again = false;  // it may have been seen
  };
  void settle_work(const Agent& agent, Settled how, std::string because) {
    const auto& given = agent.memory.desk.given;
    if (!given) return;
    emit(agent.spec.name,
         model::WorkSettled{given->work.name, how.done, how.again, std::move(because)});
    effect(SettleWork{agent.spec.name, given->work.name, how.done});
  }

  // A terminal for the agent, for this decision. What its last program left running is ended: it would come again, and again.
  void start(const std::string& name, const model::Decided& decided, RequestId request) {
    const Agent* known = find(name);
    if (const std::string gap = known ? pending.leases.gap(*known, now.boot) : std::string();
        !gap.empty())
      return refuse(request, quoted(name) + " is not started: " + gap,
                    "it goes on by itself when the fleet confirms it");
    if (known && !known->never_started()) effect(EndLeftovers{known->session});
    const Seq decision = emit(name, decided);
    if (request.value != 0) plan.waits.emplace_back(decision, request);
    open(name, decision, model::launch_from(decided.how) == Launch::resume);
  }

  void open(const std::string& name, Seq decision, bool resume) {
    const Agent* known = find(name);
    emit(name, model::StateChanged{known ? known->state : State::unknown,
                                   State::starting,
                                   "",
                                   kNoTier,
                                   "its terminal is being opened",
                                   1,
                                   {}});
    effect(OpenTerminal{name, SessionId{decision.value}, resume});
  }

  void end_program(const Agent& agent, const model::Decided& decided, RequestId request) {
    const Seq decision = emit(agent.spec.name, decided);
    if (request.value != 0) plan.waits.emplace_back(decision, request);
    effect(SignalProgram{agent.session, SIGTERM});
    effect(SignalProgram{agent.session, SIGCONT});  // a stopped program cannot hear TERM
  }
};

}  // namespace pawl::core
