#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "policy/rules.h"

namespace pawl::policy {
namespace {

using model::Task;
using model::TaskReport;
using model::TaskStatus;

constexpr double kEndGraceS = 2;  // from the end of the process to the second look (R9)
constexpr int kStaleLooks = 3;    // of base_s without a word (R9)
constexpr int kRenewals = 3, kFreshStarts = 2;
constexpr double kUnknownLimitS = 1800;  // a limit that does not say when it ends
constexpr double kQuietReadyS = 5;       // an interface at rest has come to the end of its turn

const Task& task_of(const Situation& s) {
  return *s.agent.task;
}

bool waits_for_limit(const Situation& s) {
  return s.agent.state == State::limited ||
         (model::ended(s.agent.state) && task_of(s).report.trouble == "limit");
}

// A time in which nobody was there is no time of its. None: its account is at its limit, and no time passes for it.
std::optional<WallTime> deadline(const Situation& s) {
  if (waits_for_limit(s)) return std::nullopt;
  return task_of(s).started + s.agent.memory.task_unseen +
         seconds(s.agent.spec.task_health.deadline_s);
}

Choice finish(TaskStatus status, std::string because) {
  Choice choice = act(Action::finish, std::move(because));
  choice.how = word(status);
  choice.matter = "task over";
  return choice;
}

Choice abandon(std::string reason, std::string because) {
  Choice choice = act(Action::abandon, std::move(because));
  choice.how = std::move(reason);
  choice.matter = "task over";
  return choice;
}

// Once more, with its conversation when there is one. `matter` says whether it counts (model::begin_run).
Choice again(const Situation& s, const char* matter, std::string because,
             Launch how = Launch::resume) {
  if (const auto over = over_budget(s))
    return abandon("budget", because + "; it is not tried again: " + *over);
  Choice choice = act(Action::restart, std::move(because));
  choice.matter = matter;
  choice.attempt = task_of(s).retries + 1;
  choice.how = word(s.agent.session_id.empty() ? Launch::fresh : how);
  return choice;
}

// The next try after this many failures in a row (R10): at once, then base_s, doubled up to max_s.
double pause_after(const Situation& s) {
  const auto& health = s.agent.spec.task_health;
  const int failures = task_of(s).failures;
  if (failures == 0) return 0;
  return std::min(health.base_s * std::pow(2, failures - 1), health.max_s);
}

Choice gave_up(const Situation& s, const std::string& because) {
  const int tries = s.agent.spec.task_health.retries;
  const std::string often =
      tries == 0 ? "" : fmt::format(" after {} {}", tries, tries == 1 ? "try" : "tries");
  return abandon("max_retries_exceeded", "gave up" + often + ": " + because);
}

Choice retry(const Situation& s, std::string because) {
  const auto& health = s.agent.spec.task_health;
  if (task_of(s).retries >= health.retries) return gave_up(s, because);
  const WallTime due = s.agent.since + seconds(std::max(kEndGraceS, pause_after(s)));
  if (s.now < due) return wait(due, because + "; it goes on then");
  return again(s, "crashed", because);
}

// Its account: waited for, and no try is lost.
Choice limited(const Situation& s) {
  const TaskReport& report = task_of(s).report;
  const std::string because = "its usage limit is reached: " + report.message;
  const WallTime ends = report.until.value_or(s.agent.since + seconds(kUnknownLimitS));
  if (s.agent.memory.matter.id != "limit") {
    Choice choice = act(Action::limit_wait, because);
    choice.matter = "limit";
    choice.until = ends;
    return choice;
  }
  const WallTime due = ends + seconds(report.until ? s.agent.spec.limit.margin_s : 0);
  if (s.now < due) return wait(due, because);
  return again(s, "limit", "its usage limit is over");
}

// Its credentials: renewed by the user's own command, a few times; without one only a person can help.
Choice unauthorised(const Situation& s) {
  const std::string because = "its login fails: " + task_of(s).report.message;
  if (s.agent.spec.recovery.auth_refresh.empty() || task_of(s).renewals > kRenewals)
    return finish(TaskStatus::failed, because);
  const model::Matter& matter = s.agent.memory.matter;
  if (matter.id == "auth" && matter.last && *matter.last >= s.agent.since)
    return again(s, "auth", "its credentials were renewed");
  Choice choice = act(Action::refresh_auth, because);
  choice.matter = "auth";
  choice.attempt = task_of(s).renewals + 1;
  return choice;
}

Choice without_conversation(const Situation& s, std::string because) {
  if (task_of(s).fresh >= kFreshStarts) return finish(TaskStatus::failed, std::move(because));
  return again(s, "fresh", because + "; it starts afresh", Launch::fresh);
}

std::string left_behind(int jobs) {
  return fmt::format("it ended while {} of its own background jobs ran", jobs);
}

TaskResult told(const TaskReport& report) {
  if (report.failed)
    return {TaskStatus::failed, report.message.empty() ? "it says that it failed" : report.message};
  if (report.background > 0) return {TaskStatus::failed, left_behind(report.background)};
  if (report.denials > 0)
    return {TaskStatus::completed_with_denials,
            fmt::format("it was refused {} time{}, first: {}", report.denials,
                        report.denials == 1 ? "" : "s", report.denied)};
  return {TaskStatus::completed, "it came to its end"};
}

// It came to its end by itself and told how it went.
Choice result(const TaskReport& report) {
  TaskResult its = told(report);
  return finish(its.status, std::move(its.reason));
}

// In the words of its state, which may know why.
std::string how_it_ended(const Situation& s) {
  const std::string_view because = s.agent.because;
  if (because.starts_with(model::kEndedItself))
    return std::string(because.substr(std::string_view(model::kEndedItself).size()));
  return s.agent.ending ? text_of(*s.agent.ending) : "nobody saw how";
}

// What it was killed for says enough.
std::string crash_text(const Situation& s, const char* crash) {
  std::string how = how_it_ended(s);
  return how.starts_with("killed ") ? how : crash + how;
}

// A program that tells nothing but its exit code.
Choice plain_result(const Situation& s) {
  const auto& ending = s.agent.ending;
  if (ending && ending->clean()) return finish(TaskStatus::completed, "exit code 0");
  if (ending && ending->known && ending->signal == 0)
    return finish(TaskStatus::failed, text_of(*ending));
  return retry(s, crash_text(s, "it crashed: "));
}

// What the program made of it at the very end. Above 128 somebody ended it, who may not have known that it was done.
bool contradicts(const model::Ending& ending) {
  return ending.known && ending.signal == 0 && ending.exit_code > 0 && ending.exit_code <= 128;
}

Choice after_end(const Situation& s) {
  if (const WallTime due = s.agent.since + seconds(kEndGraceS); s.now < due)
    return wait(due, "it ended; it is looked at again");
  const Task& task = task_of(s);
  const TaskReport& report = task.report;
  if (report.trouble == "limit") return limited(s);
  if (report.trouble == "auth") return unauthorised(s);
  if (report.trouble == "session")
    return without_conversation(s, "its conversation is not there: " + report.message);
  if (report.trouble == "context")
    return without_conversation(s, "its context is full: " + report.message);
  if (report.trouble == "overload") return retry(s, "its service fails: " + report.message);
  if (!task.order.structured()) return plain_result(s);
  const auto& ending = s.agent.ending;
  if (report.finished && !report.failed && ending && contradicts(*ending))
    return finish(TaskStatus::failed,
                  "it says that it came to its end, and ended with " + text_of(*ending));
  if (report.finished) return result(report);
  if (report.failed) return finish(TaskStatus::failed, report.message);
  // Not a word of its own, twice: it is not understood, or not there.
  if (!report.spoke && task.failures > 0 && ending && ending->known && ending->signal == 0)
    return finish(TaskStatus::failed, "it cannot be run: " + report.message);
  return retry(s, crash_text(s, "it ended without a result: "));
}

// A program without records and without an interface: nobody but its terminal and the kernel tells of it.
bool tells_nothing(const Situation& s) {
  return !task_of(s).order.structured() && !task_of(s).order.interactive;
}

// Nobody will answer (R9). A question on a terminal has to stand there when it is looked at again: somebody may have answered it, and
// said nothing yet.
Choice asks(const Situation& s) {
  const Duration patience = seconds(s.agent.spec.task_health.base_s);
  const WallTime due = s.agent.since + patience;
  if (s.now < due) return wait(due, "it asks something; it is looked at again");
  if (tells_nothing(s) && !(s.signs.asked && *s.signs.asked >= due - patience / 4))
    return wait(s.now + patience / 2, "it asked something; whether it still does is looked at");
  return abandon("waiting_for_input",
                 "it waits for an answer, and nobody will give one" +
                     (tells_nothing(s) ? ": " + s.agent.because : std::string()));
}

// How long it may be silent. A program that tells nothing but its exit code may be so for ever, unless somebody knows better: a long
// computation, a wait for somebody else. Its deadline ends it, or a person.
std::optional<double> patience_of(const Situation& s) {
  const auto& health = s.agent.spec.task_health;
  if (health.stale_s > 0) return health.stale_s;
  if (!task_of(s).order.structured()) return std::nullopt;
  return kStaleLooks * health.base_s + health.grace_s;
}

// "10m", not "10m00s".
std::string round_span(double s) {
  std::string out = short_duration(seconds(s));
  if (out.ends_with("m00s") || out.ends_with("h00m")) out.resize(out.size() - 3);
  return out;
}

std::string how_it_hangs(const Situation& s) {
  const double stale = s.agent.spec.task_health.stale_s;
  if (stale > 0) return "it hung: no output and no CPU for " + round_span(stale);
  const bool spoke = s.signs.wrote || task_of(s).report.spoke;
  return spoke ? "it hangs: no word for a long time" : "it hangs: it never said a word";
}

// Nobody has looked since it was last seen to work: that is no silence of its.
bool unseen(const Situation& s) {
  if (s.agent.spec.task_health.stale_s <= 0) return false;
  return !s.signs.idle || (s.signs.wrote && *s.signs.idle <= *s.signs.wrote);
}

// Alive, and no word for so long.
Choice listens(const Situation& s) {
  const auto& health = s.agent.spec.task_health;
  const auto patience = patience_of(s);
  if (!patience) return nothing("it works; it may be silent as long as it likes");
  // Its terminal may have opened long after it was asked for, and a daemon that came later listens since then.
  const WallTime launched = std::max(s.signs.launched.value_or(s.agent.since), s.agent.since);
  const WallTime silent = s.signs.wrote.value_or(launched) + seconds(*patience);
  const WallTime first = health.stale_s > 0 ? silent : launched + seconds(health.dispatch_wait_s);
  const WallTime due = std::max(silent, first);
  if (s.now < due) return wait(due, "it works");
  if (unseen(s)) return wait(s.now + seconds(*patience / 3), "its processes are looked at");
  const Task& task = task_of(s);
  if (task.report.finished) return result(task.report);  // it is over, and its process does not end
  const std::string hangs = how_it_hangs(s);
  if (task.retries >= health.retries) return gave_up(s, hangs);
  return again(s, "hung", hangs);
}

// Nobody knows how to go on with it, and its exit code says how it went.
bool cannot_go_on(const Situation& s) {
  return s.agent.runtime() == "generic";
}

// Claims what a rule for agents with an interface does not already do.
Claim interface(const Situation& s) {
  const Agent& agent = s.agent;
  if (agent.state == State::waiting && agent.memory.matter.told) return asks(s);
  if (agent.state != State::ready || !agent.memory.told || !agent.outbox.empty())
    return std::nullopt;
  const bool behind = agent.background > 0;
  const double patience = behind ? agent.spec.patience.background_s : kQuietReadyS;
  if (const WallTime due = agent.since + seconds(patience); s.now < due)
    return wait(due, behind ? "its turn is over, and jobs of its run behind its prompt"
                            : "its turn is over; it is looked at again");
  if (behind) return finish(TaskStatus::failed, left_behind(agent.background));
  return finish(TaskStatus::completed, "its turn is over");
}

// Its run told how it went: only our look at it, or the end of its process, comes too late.
bool has_its_result(const Situation& s) {
  if (task_of(s).order.structured()) return task_result(task_of(s)).has_value();
  const auto& ending = s.agent.ending;
  return model::ended(s.agent.state) && ending && ending->known && ending->signal == 0;
}

Claim bounds(const Situation& s) {
  const Task& task = task_of(s);
  const auto end = deadline(s);
  if (has_its_result(s)) {
    if (end && s.now >= *end && !model::ended(s.agent.state)) return result(task.report);
    return std::nullopt;
  }
  if (end && s.now >= *end) return abandon("deadline", "its time is over");
  if (task.order.max_tokens > 0 && task.all_tokens() > task.order.max_tokens)
    return abandon("max_tokens_exceeded", fmt::format("it has used {} tokens", task.all_tokens()));
  if (task.order.max_cost_usd > 0 && task.all_cost() > task.order.max_cost_usd)
    return abandon("max_cost_exceeded", fmt::format("it has cost ${:.2f}", task.all_cost()));
  return std::nullopt;
}

}  // namespace

Claim task(const Situation& s) {
  if (!s.agent.task) return std::nullopt;
  const Task& task = task_of(s);
  if (model::final(task.status))
    return nothing(fmt::format("its task is over: {}", word(task.status)));
  if (auto over = bounds(s)) return over;
  const bool ended = model::ended(s.agent.state);
  if (task.order.interactive && !(ended && cannot_go_on(s))) return interface(s);
  if (ended) return after_end(s);
  return s.agent.state == State::waiting ? asks(s) : listens(s);
}

std::optional<TaskResult> task_result(const Task& task) {
  const TaskReport& report = task.report;
  if (!task.order.structured() || !report.finished || !report.trouble.empty()) return std::nullopt;
  return told(report);
}

std::optional<WallTime> task_ends(const Situation& s) {
  if (!s.agent.task || model::final(s.agent.task->status)) return std::nullopt;
  const auto end = deadline(s);
  return end && *end > s.now ? end : std::nullopt;
}

}  // namespace pawl::policy
