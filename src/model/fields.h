#pragma once
// The one list of an agent's keys. The JSON codec and the TOML reader both walk it, so a key cannot be known to one
// and unknown to the other.

#include "model/spec.h"

namespace pawl::model {

template <class Visit>
void each_field(CrashLoop& v, Visit&& visit) {
  visit("count", v.count);
  visit("window_s", v.window_s);
}
template <class Visit>
void each_field(Nudge& v, Visit&& visit) {
  visit("base_s", v.base_s);
  visit("factor", v.factor);
  visit("cap_s", v.cap_s);
  visit("attempts", v.attempts);
  visit("productive_s", v.productive_s);
}
template <class Visit>
void each_field(Patience& v, Visit&& visit) {
  visit("unknown_s", v.unknown_s);
  visit("starting_s", v.starting_s);
  visit("draft_s", v.draft_s);
  visit("background_s", v.background_s);
}
template <class Visit>
void each_field(Ready& v, Visit&& visit) {
  visit("quiet_ms", v.quiet_ms);
  visit("cleared_ms", v.cleared_ms);
  visit("stuck_s", v.stuck_s);
}
template <class Visit>
void each_field(Limit& v, Visit&& visit) {
  visit("policy", v.policy);
  visit("margin_s", v.margin_s);
}
template <class Visit>
void each_field(Preflight& v, Visit&& visit) {
  visit("transcript_max_mb", v.transcript_max_mb);
  visit("memory_pct", v.memory_pct);
}
template <class Visit>
void each_field(Loop& v, Visit&& visit) {
  visit("interval_s", v.interval_s);
  visit("base_s", v.base_s);
  visit("factor", v.factor);
  visit("cap_s", v.cap_s);
  visit("schedule", v.schedule);
  visit("time_zone", v.time_zone);
  visit("stop_hook", v.stop_hook);
  visit("one_task", v.one_task);
}
template <class Visit>
void each_field(Sources& v, Visit&& visit) {
  visit("folders", v.folders);
  visit("command", v.command);
  visit("every_s", v.every_s);
}
template <class Visit>
void each_field(Recovery& v, Visit&& visit) {
  visit("resume_crashes", v.resume_crashes);
  visit("success_s", v.success_s);
  visit("auth_refresh", v.auth_refresh);
}
template <class Visit>
void each_field(TaskHealth& v, Visit&& visit) {
  visit("base_s", v.base_s);
  visit("max_s", v.max_s);
  visit("grace_s", v.grace_s);
  visit("deadline_s", v.deadline_s);
  visit("retries", v.retries);
  visit("dispatch_wait_s", v.dispatch_wait_s);
  visit("stale_s", v.stale_s);
}
template <class Visit>
void each_field(Budget& v, Visit&& visit) {
  visit("tokens_per_day", v.tokens_per_day);
  visit("cost_per_day_usd", v.cost_per_day_usd);
  visit("soft_pct", v.soft_pct);
}
template <class Visit>
void each_field(Size& v, Visit&& visit) {
  visit("cols", v.cols);
  visit("rows", v.rows);
}
// Everything but the name, which is the table's own.
template <class Visit>
void each_field(AgentSpec& v, Visit&& visit) {
  visit("runtime", v.runtime);
  visit("profile", v.profile);
  visit("command", v.command);
  visit("dir", v.dir);
  visit("backend", v.backend);
  visit("mode", v.mode);
  visit("strategy", v.strategy);
  visit("restart", v.restart);
  visit("permission", v.permission);
  visit("model", v.model);
  visit("prompt", v.prompt);
  visit("prompt_file", v.prompt_file);
  visit("env_file", v.env_file);
  visit("env", v.env);
  visit("env_keep", v.env_keep);
  visit("size", v.size);
  visit("memory", v.memory);
  visit("cpu", v.cpu);
  visit("alive_window_s", v.alive_window_s);
  visit("cooldown_s", v.cooldown_s);
  visit("settle_s", v.settle_s);
  visit("stop_grace_s", v.stop_grace_s);
  visit("crash_loop", v.crash_loop);
  visit("nudge", v.nudge);
  visit("patience", v.patience);
  visit("human_quiet_s", v.human_quiet_s);
  visit("ready", v.ready);
  visit("limit", v.limit);
  visit("background", v.background);
  visit("dialogs", v.dialogs);
  visit("answer_permissions", v.answer_permissions);
  visit("trust_dirs", v.trust_dirs);
  visit("may", v.may);
  visit("account", v.account);
  visit("dry_run", v.dry_run);
  visit("hooks", v.hooks);
  visit("floor_s", v.floor_s);
  visit("loop", v.loop);
  visit("work", v.work);
  visit("preflight", v.preflight);
  visit("recovery", v.recovery);
  visit("task_health", v.task_health);
  visit("budget", v.budget);
  visit("notify", v.notify);
}

}  // namespace pawl::model
