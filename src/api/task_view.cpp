#include "api/task_view.h"

#include "api/view.h"

namespace pawl::api {

Json task_view(const model::Agent& agent) {
  const model::Task& task = *agent.task;
  const model::TaskStatus status = model::shown_status(agent);
  const bool given_up =
      status == model::TaskStatus::abandoned || status == model::TaskStatus::cancelled;
  const bool alive = agent.running() && agent.process;
  return Json::object(
      {{"version", 1},
       {"task_name", task.order.name},
       {"runtime", agent.runtime()},
       {"model", text_or_null(agent.spec.model)},
       {"project_dir", agent.spec.dir},
       {"session_name", agent.spec.name},
       {"session_id", text_or_null(agent.session_id)},
       {"pid", alive ? Json(agent.process->pid) : Json()},
       {"tmpdir", task.order.dir},
       {"started_at", rfc3339(task.started)},
       {"status", word(status)},
       {"reason", text_or_null(task.reason)},
       {"detail", text_or_null(task.detail)},
       {"retry_count", task.retries},
       {"pane_state", alive ? Json(model::pane_state(agent)) : Json()},
       {"exit_code", task.exit_code ? Json(*task.exit_code) : Json()},
       {"finished_at", model::has_result(status) ? time_or_null(task.finished) : Json()},
       {"abandoned_at", given_up ? time_or_null(task.finished) : Json()},
       {"abandon_reason", given_up ? text_or_null(task.reason) : Json()},
       {"limited_until",
        status == model::TaskStatus::limited ? time_or_null(task.report.until) : Json()},
       {"denials", task.report.denials},
       {"tokens", task.all_tokens() > 0 ? Json(task.all_tokens()) : Json()},
       {"cost_usd", task.all_cost() > 0 ? Json(task.all_cost()) : Json()},
       {"worktree", text_or_null(task.order.worktree)},
       {"prompt_sha256", text_or_null(task.order.prompt_sha256)},
       {"interactive", task.order.interactive},
       {"final", model::final(task.status)},
       {"read", task.read},
       {"by", to_json(task.order.by)},
       {"exit_status", task_code(agent)}});
}

bool held_up(const model::Agent& agent, const Clock& now) {
  const auto& until = agent.task->report.until;
  return model::shown_status(agent) == model::TaskStatus::limited && (!until || *until > now.wall);
}

int task_code(const model::Agent& agent) {
  const model::Task& task = *agent.task;
  switch (model::shown_status(agent)) {
    case model::TaskStatus::completed:
      return 0;
    case model::TaskStatus::completed_with_denials:
    case model::TaskStatus::failed:
    case model::TaskStatus::crashed:
    case model::TaskStatus::hung:
      return model::final(task.status) ? 1 : 0;
    case model::TaskStatus::limited:
      return 4;
    case model::TaskStatus::abandoned:
      return task.reason == "waiting_for_input" ? 3 : 5;
    case model::TaskStatus::cancelled:
      return 5;
    case model::TaskStatus::running:
      return 0;
  }
  return 1;
}

const model::Agent* find_task(const model::Fleet& fleet, const std::string& name) {
  for (const auto& [agent_name, agent] : fleet.agents)
    if (agent.task && (agent.task->order.name == name || agent_name == name)) return &agent;
  return nullptr;
}

}  // namespace pawl::api
