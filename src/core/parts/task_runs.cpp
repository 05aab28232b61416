#include "core/parts/task_runs.h"

#include <algorithm>
#include <utility>

#include "core/parts/screen_text.h"

namespace pawl::core {
namespace {

constexpr Offset kWhole{~uint64_t{0}};  // of a log of a screen: the last picture is in it

// Twice in base_s; often enough to say that it did nothing for stale_s, and not that nobody looked.
Duration looks_of(const model::TaskHealth& health) {
  const double every = health.base_s / 2;
  return policy::seconds(health.stale_s > 0 ? std::min(every, health.stale_s / 3) : every);
}

}  // namespace

void TaskRuns::opened(const Clock& now, const model::Agent& agent, SessionId session,
                      std::string_view earlier, Offset at) {
  const model::TaskOrder& order = agent.task->order;
  const bool goes_on = agent.session == session;
  const model::TaskReport known = goes_on ? agent.task->report : model::TaskReport{};
  Run run{store::TaskLog(disk_, order.dir),
          perceive::Headless(order.interactive ? "plain" : order.format, known, zone_of_)};
  run.look_every = looks_of(agent.spec.task_health);
  run.plain = !order.structured() && !order.interactive;
  run.interface = order.interactive;
  run.shown = goes_on && (agent.state == model::State::waiting || !agent.notices.empty());
  run.look_at = now.mono + run.look_every;
  run.launched = now.wall;
  run.dir = order.dir;
  const model::Budget& budget = agent.spec.budget;
  run.bounded = order.max_tokens > 0 || order.max_cost_usd > 0 || budget.tokens_per_day > 0 ||
                budget.cost_per_day_usd > 0;
  run.told = known;
  run.told_id = agent.session_id;
  run.log.follow(session);
  if (!run.interface) run.seen = run.log.offset();  // else it counts lines
  runs_.insert_or_assign(session, std::move(run));
  if (!earlier.empty()) output(now, session, Offset{at.value - earlier.size()}, earlier);
  runs_.at(session).wrote.reset();  // that was another time
  runs_.at(session).printed = false;
}

void TaskRuns::output(const Clock& now, SessionId session, Offset offset, std::string_view bytes) {
  const auto it = runs_.find(session);
  if (it == runs_.end()) return;
  Run& run = it->second;
  const uint64_t end = offset.value + bytes.size();
  if (end <= run.seen.value) return;
  if (offset.value < run.seen.value) bytes.remove_prefix(run.seen.value - offset.value);
  if (!run.interface) run.text += run.reader.feed(bytes, now.wall);
  run.seen = Offset{end};
  run.wrote = now.wall;
  run.look_at = now.mono + run.look_every;
  run.used.reset();
  run.idle.reset();
  run.printed = true;
  touched_.insert(session);
}

void TaskRuns::ended(const Clock& now, SessionId session) {
  const auto it = runs_.find(session);
  if (it == runs_.end()) return;
  it->second.text += it->second.reader.end(now.wall);
  it->second.over = true;
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
  if (run.interface) return flush_screen(session, run);
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

// Its log counts lines that left the top of its screen, of which a recording knows the number as well.
Done TaskRuns::flush_screen(SessionId session, Run& run) {
  const term::Screen* screen = screen_of_ ? screen_of_(session) : nullptr;
  if (!screen || run.log.offset() == kWhole) return {};
  if (screen->alternate()) run.picture = picture_of(*screen);
  const Offset lines{screen->scrollback().total()};
  std::string text = scrolled_off(*screen, run.log.offset().value);
  if (run.over) text += run.picture + (screen->alternate() ? "" : picture_of(*screen));
  if (text.empty() && !run.over) return {};
  return run.log.append(text, run.over ? kWhole : lines);
}

policy::Signs TaskRuns::signs(SessionId session) const {
  const auto it = runs_.find(session);
  if (it == runs_.end()) return {};
  return {it->second.launched, it->second.wrote, it->second.idle, it->second.asked};
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

// Less than kWorking is waiting. Of a program without records any byte it moved and any child that came or went counts as well:
// nothing else tells of it.
bool TaskRuns::worked(const Used& before, const Used& now, bool plain) {
  const double passed = std::chrono::duration<double>(now.at - before.at).count();
  if (passed > 0 && now.cpu_s - before.cpu_s >= kWorking * passed) return true;
  return plain && before.effort && now.effort &&
         (now.effort->moved != before.effort->moved || now.effort->family != before.effort->family);
}

// What others looked for compares as well, but for what they did not ask.
void TaskRuns::facts(const Clock& now, SessionId session, const model::Facts& facts) {
  const auto it = runs_.find(session);
  if (it == runs_.end()) return;
  Run& run = it->second;
  const Used used{now.mono, facts.cpu_s, facts.effort};
  const bool working = run.used && worked(*run.used, used, run.plain);
  if (working) run.wrote = now.wall;
  run.idle = run.used && !working ? std::optional(now.wall) : std::nullopt;
  run.used = used;
}

bool TaskRuns::silent(SessionId session) const {
  const auto it = runs_.find(session);
  return it != runs_.end() && it->second.plain && it->second.idle;
}

void TaskRuns::shows(const Clock& now, SessionId session, bool asks) {
  const auto it = runs_.find(session);
  if (it == runs_.end()) return;
  it->second.asked = asks ? std::optional(now.wall) : std::nullopt;
  it->second.shown = true;
  it->second.printed = false;
}

bool TaskRuns::goes_on(SessionId session) {
  const auto it = runs_.find(session);
  if (it == runs_.end() || !it->second.shown || !it->second.printed) return false;
  it->second.shown = false;
  it->second.asked.reset();
  return true;
}

void TaskRuns::skip(Duration gap) {
  for (auto& [session, run] : runs_) {
    run.launched += gap;
    for (auto* time : {&run.wrote, &run.idle, &run.asked})
      if (*time) **time += gap;
  }
}

std::optional<MonoTime> TaskRuns::wake_at() const {
  std::optional<MonoTime> out;
  for (const auto& [session, run] : runs_)
    if (!out || run.look_at < *out) out = run.look_at;
  return out;
}

}  // namespace pawl::core
