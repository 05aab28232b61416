#include "core/parts/task_runs.h"

#include <utility>

namespace pawl::core {

void TaskRuns::opened(const Clock& now, const model::Agent& agent, SessionId session,
                      std::string_view earlier, Offset at) {
  const model::TaskOrder& order = agent.task->order;
  const bool goes_on = agent.session == session;
  const model::TaskReport known = goes_on ? agent.task->report : model::TaskReport{};
  Run run{store::TaskLog(disk_, order.dir),
          perceive::Headless(order.interactive ? "plain" : order.format, known, zone_of_)};
  run.look_every = policy::seconds(agent.spec.task_health.base_s / 2);
  run.look_at = now.mono + run.look_every;
  run.launched = now.wall;
  run.dir = order.dir;
  const model::Budget& budget = agent.spec.budget;
  run.bounded = order.max_tokens > 0 || order.max_cost_usd > 0 || budget.tokens_per_day > 0 ||
                budget.cost_per_day_usd > 0;
  run.told = known;
  run.told_id = agent.session_id;
  run.log.follow(session);
  run.seen = run.log.offset();
  runs_.insert_or_assign(session, std::move(run));
  if (!earlier.empty()) output(now, session, Offset{at.value - earlier.size()}, earlier);
  runs_.at(session).wrote.reset();  // that was another time
}

void TaskRuns::output(const Clock& now, SessionId session, Offset offset, std::string_view bytes) {
  const auto it = runs_.find(session);
  if (it == runs_.end()) return;
  Run& run = it->second;
  const uint64_t end = offset.value + bytes.size();
  if (end <= run.seen.value) return;
  if (offset.value < run.seen.value) bytes.remove_prefix(run.seen.value - offset.value);
  run.text += run.reader.feed(bytes, now.wall);
  run.seen = Offset{end};
  run.wrote = now.wall;
  run.look_at = now.mono + run.look_every;
  run.used.reset();
  touched_.insert(session);
}

void TaskRuns::ended(const Clock& now, SessionId session) {
  const auto it = runs_.find(session);
  if (it == runs_.end()) return;
  it->second.text += it->second.reader.end(now.wall);
  it->second.told_at.reset();
  touched_.insert(session);
}

// Tokens are counted with every record; that alone is told now and then.
bool TaskRuns::news(const Run& run, MonoTime now) {
  if (run.reader.session_id() != run.told_id && !run.reader.session_id().empty()) return true;
  model::TaskReport seen = run.reader.report();
  if (seen == run.told) return false;
  if (run.bounded || !run.told_at || now - *run.told_at >= kUsageEvery) return true;
  seen.tokens = run.told.tokens;
  seen.cost_usd = run.told.cost_usd;
  return seen != run.told;
}

std::vector<TaskSpoke> TaskRuns::take(const Clock& now) {
  std::vector<TaskSpoke> out;
  for (const SessionId session : std::exchange(touched_, {})) {
    const auto it = runs_.find(session);
    if (it == runs_.end() || !news(it->second, now.mono)) continue;
    Run& run = it->second;
    run.told = run.reader.report();
    run.told_id = run.reader.session_id();
    run.told_at = now.mono;
    out.push_back({session, run.told, run.told_id});
  }
  return out;
}

Done TaskRuns::flush(SessionId session) {
  const auto it = runs_.find(session);
  if (it == runs_.end()) return {};
  Run& run = it->second;
  if (const std::string& said = run.reader.last_message(); said != run.result) {
    if (auto kept = store::keep_result(disk_, run.dir, said); !kept) return kept;
    run.result = said;
  }
  const Offset upto{run.seen.value - run.reader.held()};
  if (run.text.empty() && upto == run.log.offset()) return {};
  auto written = run.log.append(run.text, upto);
  if (written) run.text.clear();
  return written;
}

policy::Signs TaskRuns::signs(SessionId session) const {
  const auto it = runs_.find(session);
  if (it == runs_.end()) return {};
  return {it->second.launched, it->second.wrote};
}

std::vector<SessionId> TaskRuns::to_look_at(MonoTime now) {
  std::vector<SessionId> out;
  for (auto& [session, run] : runs_) {
    if (run.look_at > now) continue;
    run.look_at = now + run.look_every;
    out.push_back(session);
  }
  return out;
}

void TaskRuns::facts(const Clock& now, SessionId session, const model::Facts& facts) {
  const auto it = runs_.find(session);
  if (it == runs_.end()) return;
  Run& run = it->second;
  if (run.used) {
    const double passed = std::chrono::duration<double>(now.mono - run.used->first).count();
    if (passed > 0 && facts.cpu_s - run.used->second >= kWorking * passed) run.wrote = now.wall;
  }
  run.used = {now.mono, facts.cpu_s};
}

void TaskRuns::skip(Duration gap) {
  for (auto& [session, run] : runs_) {
    run.launched += gap;
    if (run.wrote) *run.wrote += gap;
  }
}

std::optional<MonoTime> TaskRuns::wake_at() const {
  std::optional<MonoTime> out;
  for (const auto& [session, run] : runs_)
    if (!out || run.look_at < *out) out = run.look_at;
  return out;
}

}  // namespace pawl::core
