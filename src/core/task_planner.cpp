#include "core/task_planner.h"

#include "core/intent.h"

namespace pawl::core {

using model::TaskStatus;

void TaskPlanner::operator()(const TaskAsked& ask) {
  const std::string& name = ask.spec.name;
  const Agent* known = find(name);
  if (known)
    return refuse(
        ask.request,
        fmt::format("there is a {} {} already", known->task ? "task" : "n agent named",
                    quoted(name)),
        "choose another name, or remove that one with: pawl task clean " + ask.order.name);
  emit(name, model::Registered{ask.spec});
  emit(name, model::TaskGiven{ask.order});
  emit(name, model::Alerted{"info", "its task has begun", "task begun"});
  plan_.effects.push_back(SaveEnvironment{name, ask.environment});
  start(name, {Action::start, "asked by pawl task start", 1}, ask.request);
}

void TaskPlanner::operator()(const TaskSpoke& said) {
  const Agent* agent = fleet_.by_session(said.session);
  if (!agent || !agent->task) return;
  if (!said.session_id.empty() && said.session_id != agent->session_id)
    emit(agent->spec.name, model::Learned{said.session_id, agent->transcript});
  if (said.report != agent->task->report) emit(agent->spec.name, model::TaskTold{said.report});
}

void TaskPlanner::operator()(const GoOnAsked& ask) {
  const Agent* agent = wanted(ask.request, ask.agent);
  if (!agent) return;
  if (!agent->task) return refuse(ask.request, quoted(ask.agent) + " is no task", "pawl task ls");
  if (model::has_result(agent->task->status))
    return refuse(ask.request, quoted(agent->task->order.name) + " has its result already",
                  "read it with: pawl task output " + agent->task->order.name);
  if (agent->running()) return answer(ask.request, {});
  if (model::final(agent->task->status)) emit(ask.agent, model::TaskGiven{agent->task->order});
  model::Decided fact{Action::restart, ask.because, 1};
  fact.how = agent->session_id.empty() ? "fresh" : "resume";
  start(ask.agent, fact, ask.request);
}

void TaskPlanner::operator()(const CancelAsked& ask) {
  const Agent* agent = find(ask.agent);
  if (!agent) return refuse_unknown(ask.request, ask.agent);
  if (!agent->task) return refuse(ask.request, quoted(ask.agent) + " is no task", "pawl task ls");
  if (model::final(agent->task->status)) return answer(ask.request, {});
  if (agent->intent && core::ending(*agent) && agent->intent->action == Action::abandon)
    return wait_for(*agent, ask.request);
  if (agent->intent)
    finish(*agent, Verdict::unverified, "the task was cancelled before the outcome was seen");
  model::Decided fact{Action::abandon, ask.because, 1};
  fact.how = ask.reason;
  end_task(*agent, fact, ask.request);
}

void TaskPlanner::operator()(const ResultRead& seen) {
  const Agent* agent = find(seen.agent);
  if (agent && agent->task && model::final(agent->task->status) && !agent->task->read)
    emit(seen.agent, model::TaskRead{});
}

void TaskPlanner::end_task(const Agent& agent, const model::Decided& fact, RequestId request) {
  if (agent.running()) return end_program(agent, fact, request);
  const Seq decided = emit(agent.spec.name, fact);
  plan_.effects.push_back(EndLeftovers{agent.session});
  ended(agent, fact, agent.ending);
  emit(agent.spec.name,
       model::Finished{
           fact.action, decided, Verdict::confirmed, "its program had ended already", 0, {}});
  answer(request, {});
}

void TaskPlanner::task_over(const Agent& agent, const model::Intent& intent,
                            const std::optional<model::Ending>& how) {
  if (!agent.task || model::final(agent.task->status)) return;
  model::Decided by{intent.action, "", 1};
  by.how = intent.how;
  if (agent.decision && agent.decision->seq == intent.seq) by.because = agent.decision->because;
  if (intent.action == Action::stop) {
    by.action = Action::abandon;
    by.how = "stopped";
  }
  if (by.action == Action::finish || by.action == Action::abandon) ended(agent, by, how);
}

void TaskPlanner::ended(const Agent& agent, const model::Decided& by,
                        const std::optional<model::Ending>& how) {
  model::TaskEnded fact;
  if (by.action == Action::finish) {
    fact.status = model::task_status_from(by.how).value_or(TaskStatus::failed);
    fact.reason = by.because;
  } else {
    const bool cancelled = by.how == word(TaskStatus::cancelled);
    fact.status = cancelled ? TaskStatus::cancelled : TaskStatus::abandoned;
    fact.reason = by.how;
  }
  if (how && how->known) fact.exit_code = shell_code(*how);
  emit(agent.spec.name, fact);
}

}  // namespace pawl::core
