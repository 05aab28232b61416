// Tasks: given, heard of, gone on with, ended.

#include "core/intent.h"
#include "core/plan/inputs.h"
#include "core/plan/steps.h"
#include "policy/rules.h"
#include "store/environment.h"

namespace pawl::core::plan {

using model::TaskStatus;

namespace {

void ended(PlanBuilder& to, const Agent& agent, const model::Decided& by,
           const std::optional<model::Ending>& how) {
  model::TaskEnded fact;
  if (by.action == Action::finish) {
    fact.status = model::task_status_from(by.how).value_or(TaskStatus::failed);
    fact.reason = by.because;
  } else {
    const bool cancelled = by.how == word(TaskStatus::cancelled);
    fact.status = cancelled ? TaskStatus::cancelled : TaskStatus::abandoned;
    fact.reason = by.how;
    if (!cancelled) fact.detail = by.because;
  }
  if (how && how->known) fact.exit_code = shell_code(*how);
  to.emit(agent.spec.name, fact);
}

}  // namespace

void follow(PlanBuilder& to, const TaskAsked& ask) {
  const std::string& name = ask.spec.name;
  const Agent* known = to.find(name);
  if (known)
    return to.refuse(
        ask.request,
        fmt::format("there is {} {} already", known->task ? "a task" : "an agent named",
                    quoted(known->task ? known->task->order.name : name)),
        known->task ? "choose another name, or: pawl task clean " + ask.order.name
                    : "choose another name");
  if (ask.order.lease.held()) {
    if (ask.until - to.now.boot <= model::kLeaseToBegin)
      return to.refuse(ask.request, "the lease of " + quoted(ask.order.name) + " is nearly over",
                       "it is claimed again when it is free");
    if (ask.spec.backend == "tmux")
      return to.refuse(ask.request,
                       "a task of the fleet cannot run in tmux: nobody there would end it in time",
                       "leave out --backend tmux");
    to.plan.leases.push_back({name, ask.until});
  }
  to.emit(name, model::Registered{ask.spec});
  to.emit(name, model::TaskGiven{ask.order});
  to.emit(name, model::Alerted{model::Severity::info, "its task has begun", "task begun"});
  to.effect(SaveEnvironment{name, store::selected_environment(ask.spec, ask.environment)});
  to.start(name, {Action::start, "asked by pawl task start", 1}, ask.request);
}

void follow(PlanBuilder& to, const TaskSpoke& said) {
  const Agent* agent = to.fleet.by_session(said.session);
  if (!agent || !agent->task) return;
  if (!said.session_id.empty() && said.session_id != agent->session_id)
    to.emit(agent->spec.name, model::Learned{said.session_id, agent->transcript});
  if (said.report != agent->task->report) to.emit(agent->spec.name, model::TaskTold{said.report});
}

void follow(PlanBuilder& to, const GoOnAsked& ask) {
  const Agent* agent = to.wanted(ask.request, ask.agent);
  if (!agent) return;
  if (!agent->task)
    return to.refuse(ask.request, quoted(ask.agent) + " is not a task", "pawl task ls");
  if (model::has_result(agent->task->status))
    return to.refuse(ask.request, quoted(agent->task->order.name) + " has its result already",
                     "read it with: pawl task output " + agent->task->order.name);
  if (agent->running()) return to.answer(ask.request, {});
  if (const auto gap = to.pending.leases.gap(*agent, to.now.boot); !gap.empty())
    return to.refuse(ask.request, quoted(agent->task->order.name) + " is not gone on with: " + gap,
                     "it is the fleet's: whoever has its lease goes on with it");
  if (model::final(agent->task->status)) to.emit(ask.agent, model::TaskGiven{agent->task->order});
  model::Decided fact{Action::restart, ask.because, 1};
  fact.how = word(agent->session_id.empty() ? Launch::fresh : Launch::resume);
  to.start(ask.agent, fact, ask.request);
}

void follow(PlanBuilder& to, const CancelAsked& ask) {
  const Agent* agent = to.find(ask.agent);
  if (!agent) return to.refuse_unknown(ask.request, ask.agent);
  if (!agent->task)
    return to.refuse(ask.request, quoted(ask.agent) + " is not a task", "pawl task ls");
  if (model::final(agent->task->status)) return to.answer(ask.request, {});
  if (agent->intent && core::ending(*agent) && agent->intent->action == Action::abandon)
    return to.wait_for(*agent, ask.request);
  if (agent->intent)
    to.finish(*agent, Verdict::unverified, "the task was cancelled before the outcome was seen");
  model::Decided fact{Action::abandon, ask.because, 1};
  fact.how = ask.reason;
  end_task(to, *agent, fact, ask.request);
}

void follow(PlanBuilder& to, const ResultRead& seen) {
  const Agent* agent = to.find(seen.agent);
  if (!agent) return (void)to.emit(seen.agent, model::TaskRead{});  // it was filed
  if (agent->task && model::final(agent->task->status) && !agent->task->read)
    to.emit(seen.agent, model::TaskRead{});
}

// Something may have happened to it in the same turn.
void follow(PlanBuilder& to, const FileTask& seen) {
  const Agent* agent = to.find(seen.agent);
  if (agent && over(*agent)) to.emit(seen.agent, model::TaskFiled{});
}

void follow(PlanBuilder& to, const TaskWanted& ask) {
  if (!to.find(ask.agent)) to.emit(ask.agent, model::TaskRecalled{ask.record});
}

void follow(PlanBuilder& to, const ForgetTasks& ask) {
  for (const auto& task : ask.tasks) {
    if (to.find(task.agent)) continue;  // it was wanted again meanwhile
    to.emit(task.agent, model::Removed{});
    to.effect(RemoveFiles{task.agent, task.dir});
  }
  to.answer(ask.request, {});
}

void end_task(PlanBuilder& to, const Agent& agent, const model::Decided& fact, RequestId request) {
  if (agent.running()) return to.end_program(agent, fact, request);
  to.effect(EndLeftovers{agent.session});
  const Seq decided = to.emit(agent.spec.name, fact);
  ended(to, agent, fact, agent.ending);
  to.emit(agent.spec.name,
          model::Finished{
              fact.action, decided, Verdict::confirmed, "its program had ended already", 0, {}});
  to.answer(request, {});
}

void task_over(PlanBuilder& to, const Agent& agent, const model::Intent& intent,
               const std::optional<model::Ending>& how) {
  if (!agent.task || model::final(agent.task->status)) return;
  model::Decided by{intent.action, "", 1};
  by.how = intent.how;
  if (agent.decision && agent.decision->seq == intent.seq) by.because = agent.decision->because;
  if (intent.action == Action::stop) {
    by.action = Action::abandon;
    by.how = "stopped";
  } else if (const auto result = policy::task_result(*agent.task);
             result && by.action == Action::abandon && by.how != word(TaskStatus::cancelled) &&
             by.how != model::kLeaseLost) {
    // It came to its end while it was being ended, and told so. People were told otherwise.
    by = {Action::finish, result->reason, 1};
    by.how = word(result->status);
    to.emit(agent.spec.name, model::Alerted{model::Severity::info,
                                            fmt::format("its task is {} after all: it came to its "
                                                        "end while it was being ended",
                                                        by.how),
                                            "task result"});
  }
  if (by.action == Action::finish || by.action == Action::abandon) ended(to, agent, by, how);
}

}  // namespace pawl::core::plan
