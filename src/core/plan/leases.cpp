// Tasks that the fleet gave us, and only for a while (doc/fleet.md): what is heard of their leases, and what is done when nothing is.

#include "core/intent.h"
#include "core/plan/inputs.h"
#include "core/plan/steps.h"

namespace pawl::core::plan {
namespace {

model::Decided giving_up(const std::string& because) {
  model::Decided fact{Action::abandon, because, 1};
  fact.rule = model::kLeaseRule;
  fact.how = model::kLeaseLost;
  fact.matter = "task over";
  return fact;
}

void tell(PlanBuilder& to, const std::string& name, const std::string& because) {
  to.plan.shown.push_back(to.plan.events.size());
  to.emit(name, model::Alerted{Severity::warning,
                               "its task is abandoned: " + because,
                               "task over",
                               "another machine of the fleet goes on with it: pawl fleet ls",
                               {}});
}

// Ended as a cancelled one is, with another reason. What is under way with it is not waited for.
void lose(PlanBuilder& to, const Agent& agent, const std::string& because) {
  const std::string& name = agent.spec.name;
  if (agent.intent && ending(agent) && agent.intent->action == Action::abandon) return;
  if (agent.intent)
    to.finish(agent, Verdict::unverified, "its lease was lost before the outcome was seen");
  end_task(to, agent, giving_up(because));
  tell(to, name, because);
}

bool over_for(const Agent* agent, uint64_t token) {
  return !agent || !agent->task || !agent->task->order.lease.held() ||
         agent->task->order.lease.token != token || model::final(agent->task->status);
}

void step_due(PlanBuilder& to, const Agent& agent, const KnownLeases::Known& known) {
  const std::string& name = agent.spec.name;
  const bool heard = known.stage != LeaseStage::unheard;
  const bool late = known.until - model::kLeaseHolder <= to.now.boot;
  if (known.stage != LeaseStage::stopping)
    lose(to, agent,
         heard ? "its lease was not renewed in time"
               : "nobody confirmed its lease since the daemon was started");
  if (late || known.stage == LeaseStage::stopping) to.effect(KillProgram{agent.session});
  const bool killed = late || known.stage == LeaseStage::stopping;
  to.plan.leases.push_back(
      {name, known.until, killed ? LeaseStage::over : LeaseStage::stopping, known.guessed});
}

}  // namespace

void follow(PlanBuilder& to, const LeaseSeen& seen) {
  const Agent* agent = to.find(seen.agent);
  if (over_for(agent, seen.token)) return;
  const KnownLeases::Known* known = to.pending.leases.find(seen.agent);
  if (known && (known->stage == LeaseStage::stopping || known->stage == LeaseStage::over)) return;
  if (!seen.lost.empty()) {
    lose(to, *agent, "its lease was lost: " + seen.lost);
    to.effect(KillProgram{agent->session});
    return to.plan.leases.push_back({seen.agent, to.now.boot, LeaseStage::over});
  }
  // What was heard late takes back nothing.
  if (known && known->stage == LeaseStage::confirmed && seen.until <= known->until) return;
  to.plan.leases.push_back({seen.agent, seen.until, LeaseStage::confirmed});
  if (agent->running()) to.effect(ExtendProgram{agent->session, seen.until - model::kLeaseHolder});
}

void give_up_restart(PlanBuilder& to, const Agent& agent, const model::Ending& how,
                     const std::string& gap) {
  const std::string& name = agent.spec.name;
  const std::string because = "it was not started again: " + gap;
  to.finish(agent, Verdict::failed, because, {}, fail(quoted(name) + ": " + because));
  const Seq decided = to.emit(name, giving_up(because));
  model::TaskEnded fact{model::TaskStatus::abandoned, model::kLeaseLost, {}, because};
  if (how.known) fact.exit_code = shell_code(how);
  to.emit(name, fact);
  to.emit(name, model::Finished{
                    Action::abandon, decided, Verdict::confirmed, "its program had ended", 0, {}});
  tell(to, name, because);
}

void recover_leases(PlanBuilder& to, const Recovered& seen) {
  for (const auto& [name, agent] : to.fleet.agents) {
    if (!agent.task || !agent.task->order.lease.held() || model::final(agent.task->status))
      continue;
    LeaseNews news{name, to.now.boot + model::kLeaseUnheard, LeaseStage::unheard, true};
    for (const auto& terminal : seen.terminals) {
      if (terminal.session != agent.session || !agent.running()) continue;
      news.guessed = terminal.until == BootTime{};
      news.until = news.guessed ? to.now.boot + model::kLeaseStop + model::kLeaseBlind
                                : terminal.until + model::kLeaseHolder;
    }
    to.plan.leases.push_back(std::move(news));
  }
}

void follow_leases(PlanBuilder& to) {
  for (const auto& name : to.pending.leases.due(to.now))
    if (const Agent* agent = to.find(name)) step_due(to, *agent, *to.pending.leases.find(name));
}

}  // namespace pawl::core::plan
