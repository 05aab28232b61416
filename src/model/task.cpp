#include "model/task.h"

#include <algorithm>
#include <array>

#include "model/time_json.h"

namespace pawl::model {
namespace {

constexpr std::array<std::string_view, 9> kStatuses{
    "running",   "completed", "completed-with-denials", "failed", "crashed", "hung", "limited",
    "abandoned", "cancelled"};

}  // namespace

std::string_view word(TaskStatus status) {
  return kStatuses[static_cast<size_t>(status)];
}

std::optional<TaskStatus> task_status_from(std::string_view text) {
  const auto* found = std::find(kStatuses.begin(), kStatuses.end(), text);
  if (found == kStatuses.end()) return std::nullopt;
  return static_cast<TaskStatus>(found - kStatuses.begin());
}

bool has_result(TaskStatus status) {
  return status == TaskStatus::completed || status == TaskStatus::completed_with_denials ||
         status == TaskStatus::failed;
}

bool final(TaskStatus status) {
  return has_result(status) || status == TaskStatus::abandoned || status == TaskStatus::cancelled;
}

Json to_json(const TaskReport& report) {
  return Json::object({{"spoke", report.spoke},
                       {"answered", report.answered},
                       {"finished", report.finished},
                       {"failed", report.failed},
                       {"trouble", report.trouble},
                       {"message", report.message},
                       {"until", time_json(report.until)},
                       {"denials", report.denials},
                       {"denied", report.denied},
                       {"background", report.background},
                       {"tokens", report.tokens},
                       {"cost_usd", report.cost_usd}});
}

TaskReport report_from(const Json& json) {
  TaskReport report;
  report.spoke = json["spoke"].as_bool();
  report.answered = json["answered"].as_bool();
  report.finished = json["finished"].as_bool();
  report.failed = json["failed"].as_bool();
  report.trouble = json["trouble"].as_string();
  report.message = json["message"].as_string();
  report.until = time_from(json["until"]);
  report.denials = static_cast<int>(json["denials"].as_int());
  report.denied = json["denied"].as_string();
  report.background = static_cast<int>(json["background"].as_int());
  report.tokens = json["tokens"].as_int();
  report.cost_usd = json["cost_usd"].as_double();
  return report;
}

std::string prompt_place(const std::string& home, const std::string& name) {
  return home + "/tasks/.prompt." + name;
}

Json to_json(const Lease& lease) {
  Json out = Json::object({{"unit", lease.unit}, {"node", lease.node}, {"token", lease.token}});
  if (!lease.nonce.empty()) out.set("nonce", lease.nonce);
  if (!lease.boot_id.empty()) out.set("boot_id", lease.boot_id);
  return out;
}

Lease lease_from(const Json& json) {
  return {json["unit"].as_string(), json["node"].as_string(),
          static_cast<uint64_t>(json["token"].as_int()), json["nonce"].as_string(),
          json["boot_id"].as_string()};
}

Json to_json(const TaskOrder& order) {
  Json out = Json::object({{"name", order.name},
                           {"dir", order.dir},
                           {"start", order.start},
                           {"resume", order.resume},
                           {"format", order.format},
                           {"interactive", order.interactive},
                           {"worktree", order.worktree},
                           {"max_tokens", order.max_tokens},
                           {"max_cost_usd", order.max_cost_usd},
                           {"by", to_json(order.by)},
                           {"prompt_sha256", order.prompt_sha256}});
  if (order.lease.held()) out.set("lease", to_json(order.lease));
  return out;
}

TaskOrder order_from(const Json& json) {
  TaskOrder order;
  order.name = json["name"].as_string();
  order.dir = json["dir"].as_string();
  order.start = json["start"].as_strings();
  order.resume = json["resume"].as_strings();
  order.format = json["format"].as_string();
  order.interactive = json["interactive"].as_bool();
  order.worktree = json["worktree"].as_string();
  order.max_tokens = json["max_tokens"].as_int();
  order.max_cost_usd = json["max_cost_usd"].as_double();
  order.by = asker_from(json["by"]);
  order.prompt_sha256 = json["prompt_sha256"].as_string();
  order.lease = lease_from(json["lease"]);
  return order;
}

Json to_json(const Task& task) {
  return Json::object({{"order", to_json(task.order)},
                       {"status", word(task.status)},
                       {"reason", task.reason},
                       {"detail", task.detail},
                       {"started", time_json(task.started)},
                       {"finished", time_json(task.finished)},
                       {"exit_code", task.exit_code ? Json(*task.exit_code) : Json()},
                       {"retries", task.retries},
                       {"failures", task.failures},
                       {"renewals", task.renewals},
                       {"fresh", task.fresh},
                       {"tokens", task.tokens},
                       {"cost_usd", task.cost_usd},
                       {"report", to_json(task.report)},
                       {"read", task.read}});
}

Task task_from(const Json& json) {
  Task task;
  task.order = order_from(json["order"]);
  task.status = task_status_from(json["status"].as_string()).value_or(TaskStatus::failed);
  task.reason = json["reason"].as_string();
  task.detail = json["detail"].as_string();
  task.started = time_from(json["started"]).value_or(WallTime{});
  task.finished = time_from(json["finished"]);
  if (json["exit_code"].is_integer()) task.exit_code = static_cast<int>(json["exit_code"].as_int());
  task.retries = static_cast<int>(json["retries"].as_int());
  task.failures = static_cast<int>(json["failures"].as_int());
  task.renewals = static_cast<int>(json["renewals"].as_int());
  task.fresh = static_cast<int>(json["fresh"].as_int());
  task.tokens = json["tokens"].as_int();
  task.cost_usd = json["cost_usd"].as_double();
  task.report = report_from(json["report"]);
  task.read = json["read"].as_bool();
  return task;
}

void begin_run(Task& task) {
  task.tokens = task.all_tokens();
  task.cost_usd = task.all_cost();
  task.report = {};
  task.status = TaskStatus::running;
  task.reason.clear();
  task.detail.clear();
  task.exit_code.reset();
}

}  // namespace pawl::model
