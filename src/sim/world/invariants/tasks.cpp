// A task that was taken ends in exactly one result, and that is true: what the world knows of its runs says the same. It has no more
// runs than it may, none after its end, is not called hung for a time in which it worked, nobody looked or the machine slept, and is
// not left alone beyond its bounds. What is in its folder says the same as the journal.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <variant>

#include "core/effect.h"
#include "core/intent.h"
#include "sim/world/invariants/checker.h"
#include "sim/world/invariants/task_story.h"
#include "store/task_files.h"

namespace pawl::sim {
namespace {

using model::Action;
using model::TaskStatus;

constexpr Duration kLookEvery = std::chrono::minutes{1};
constexpr Duration kLate = std::chrono::minutes{15};  // a stop with its grace, a slow host

double seconds_in(Duration time) {
  return std::chrono::duration<double>(time).count();
}

class Tasks : public Checker {
 public:
  std::string_view name() const override { return "tasks"; }

  void event(const Clock& now, const model::Event& event, const model::Fleet& before) override {
    settle(now.mono);
    if (const auto* given = std::get_if<model::TaskGiven>(&event.fact)) {
      settle(event.agent);
      const auto* agent = before.find(event.agent);
      TaskStory fresh;
      fresh.order = given->order;
      if (agent)
        fresh.health = agent->spec.task_health, fresh.margin_s = agent->spec.limit.margin_s;
      fresh.given = now.mono;
      fresh.away = daemon_.away;
      fresh.asks = stories_[event.agent].asks;
      stories_[event.agent] = std::move(fresh);
      return;
    }
    if (const auto* gone = std::get_if<model::Forgotten>(&event.fact);
        gone && !gone->upto && gone->what == model::Forget::tasks)
      for (const auto& name : gone->names) {
        settle(name);
        stories_.erase(name);
      }
    const auto it = stories_.find(event.agent);
    if (it == stories_.end()) return;
    if (const auto* alert = std::get_if<model::Alerted>(&event.fact);
        alert && alert->matter == "task over")
      it->second.told = now.mono;
    if (const auto* decided = std::get_if<model::Decided>(&event.fact))
      this->decided(now.mono, event.agent, it->second, *decided);
    if (const auto* ended = std::get_if<model::TaskEnded>(&event.fact)) {
      if (std::exchange(it->second.over, true))
        violated(now.mono, event.agent,
                 fmt::format("a second result: {}: {}", word(ended->status), ended->reason));
      it->second.finished = now.mono;
      pending_.push_back({now.mono, event.agent, *ended, daemon_.came, kernel_});
    }
    if (std::holds_alternative<model::Removed>(event.fact)) stories_.erase(it);
  }
  void took(const std::string& agent, const Entry& entry) override {
    settle(entry.at);
    const auto it = stories_.find(agent);
    if (it == stories_.end()) return;
    TaskStory& its = it->second;
    its.heard(entry, daemon_);
    if (entry.what != Entry::What::began) return;
    if (its.over && entry.at > its.finished) violated(entry.at, agent, "a run after its end");
    if (its.runs - its.free > 1 + its.health.retries + its.asks)
      violated(entry.at, agent,
               fmt::format("run {} of a task that may be tried {} times more", its.runs,
                           its.health.retries));
  }
  void asked(MonoTime at, const std::string& agent) override {
    const auto it = stories_.find(agent);
    if (it == stories_.end()) return;
    it->second.asks += 1;
    it->second.asked = at;
  }
  void died(MonoTime at, MonoTime until) override {
    if (daemon_.came > at) daemon_.away -= daemon_.came - at;  // it had not come yet
    if (full_ >= daemon_.died) forgot_ = at;  // it could not write down how long nobody was there
    // Nor that the clock was set: how long the disk was full, the next one cannot know.
    if (filled_ && clock_ != filled_->clock) uncounted_ += at - filled_->at;
    daemon_ = {at, until, daemon_.away + (until - at)};
  }
  void kernel(MonoTime at, bool hangs) override { kernel_ = hangs ? MonoTime::max() : at; }
  void lost_home() override { lost_home_ = true; }
  void turned(const Look& look) override {
    settle(MonoTime::max());
    clock_ = std::chrono::round<std::chrono::minutes>(look.now.wall.time_since_epoch() -
                                                      look.now.mono.time_since_epoch());
    if (look.full) full_ = look.now.mono;
    if (!look.full) filled_.reset();
    if (look.full && !filled_) filled_ = Filled{full_, clock_};
    if (look.now.mono < next_) return;
    next_ = look.now.mono + kLookEvery;
    for (auto& [name, its] : stories_)
      if (const auto* agent = look.live.find(name); agent && !its.over && !its.said)
        goes_on(look, name, *agent, its);
  }
  void ended(const Look& look) override {
    next_ = {};
    turned(look);
    if (!look.disk || !look.filed) return;
    for (const auto& [name, its] : stories_) {
      const auto filed = look.filed->find(name);
      const model::Agent* agent = look.written.find(name);
      if (!agent && filed && *filed) agent = &**filed;
      if (!agent)
        violated(look.now.mono, name, "neither the fleet nor the journal has it any more");
      else if (agent == look.written.find(name) && its.over && kept_in_memory(look, *agent, its))
        violated(look.now.mono, name, "it is over, and the daemon still has it in memory");
      if (agent && agent->task && !lost_home_) folder(look, *agent, its);
    }
  }

 private:
  // What was decided about it is judged when all that its program did until then is known.
  struct Pending {
    MonoTime at;
    std::string agent;
    std::variant<model::TaskEnded, model::Decided> what;
    MonoTime came, kernel;  // as they were
  };
  void settle(MonoTime before) {
    while (!pending_.empty() && pending_.front().at < before) {
      const Pending one = std::move(pending_.front());
      pending_.pop_front();
      judge(one);
    }
  }
  // It is given anew: what was decided about it before is about the story that is ending.
  void settle(const std::string& agent) {
    std::erase_if(pending_, [&](const Pending& one) {
      if (one.agent == agent) judge(one);
      return one.agent == agent;
    });
  }
  void judge(const Pending& one) {
    TaskStory& its = stories_[one.agent];
    if (const auto* ended = std::get_if<model::TaskEnded>(&one.what)) {
      if (const std::string wrong = untrue(one, its, *ended); !wrong.empty())
        violated(one.at, one.agent,
                 fmt::format("called {} ({}): {}", word(ended->status), ended->reason, wrong));
    } else if (const std::string wrong = not_hung(one, its); !wrong.empty()) {
      violated(one.at, one.agent, wrong);
    }
  }

  void decided(MonoTime now, const std::string& agent, TaskStory& its,
               const model::Decided& decided) {
    const bool begins = decided.action == Action::restart || decided.action == Action::start;
    if (begins && its.over)
      violated(now, agent, fmt::format("{} after its end", word(decided.action)));
    if (decided.action == Action::finish || decided.action == Action::abandon ||
        decided.action == Action::stop) {
      its.by_rule = !decided.rule.empty();
      its.decided = now;
      its.cancelled = decided.rule.empty();
    } else if (begins && its.cancelled && !decided.rule.empty()) {
      violated(now, agent, fmt::format("{} of one that a person gave up", word(decided.action)));
    }
    if (begins) its.begins_again(now, daemon_);
    if (decided.action != Action::restart || decided.rule.empty()) return;
    if (decided.matter == "hung") pending_.push_back({now, agent, decided, daemon_.came, kernel_});
    if (decided.matter != "hung" && decided.matter != "crashed") return;
    if (++its.tries > its.health.retries)
      violated(now, agent,
               fmt::format("tried again {} times, and may be {}", its.tries, its.health.retries));
    if (decided.matter == "crashed") too_soon(now, agent, its);
  }
  // R10. What a plain command did before says nothing: it never has an answer.
  void too_soon(MonoTime now, const std::string& agent, TaskStory& its) {
    const int failures = its.tries - 1;
    if (its.order.structured() || failures == 0 || !its.ended || its.asked > *its.ended) return;
    const double pause = std::min(its.health.base_s * std::pow(2, failures - 1), its.health.max_s);
    const double waited = seconds_in(now - *its.ended + kClocks);
    if (waited < pause)
      violated(now, agent,
               fmt::format("tried again {:.0f} s after its end, within its pause of {:.0f} s",
                           waited, pause));
  }

  // Why it was not hung; empty: it was, as far as anybody can know.
  std::string not_hung(const Pending& one, const TaskStory& its) const {
    if (!its.began) return {};
    const double patience = its.patience_s();
    const MonoTime life = std::max(its.last_life(one.at, one.kernel), one.came);
    // The kernel is asked now and then only.
    const double quiet = seconds_in(one.at - life + kClocks) + its.health.base_s / 2 + 1;
    if (quiet >= patience) return {};
    return fmt::format("called hung after {:.0f} s without a word, of {:.0f} s",
                       std::max(0.0, seconds_in(one.at - life)), patience);
  }
  // Empty: it is true.
  std::string untrue(const Pending& one, const TaskStory& its,
                     const model::TaskEnded& result) const {
    if (result.exit_code && its.ending && *result.exit_code != core::shell_code(*its.ending))
      return fmt::format("with exit code {}, and it ended otherwise: {}", *result.exit_code,
                         model::text_of(*its.ending));
    if (result.reason.empty()) return "without a reason";
    if (its.by_rule && its.told < its.decided) return "and nobody was told";
    switch (result.status) {
      case TaskStatus::completed:
      case TaskStatus::completed_with_denials:
        if (its.success() != result.status) return "its last run was not: " + its.last_words();
        return {};
      case TaskStatus::failed:
        if (its.success()) return "and it came to its end: " + its.last_words();
        if (its.order.structured() ? its.runs_now() && its.words.empty()
                                   : !its.ending || its.ending->signal != 0)
          return "and nobody can know that: " + its.last_words();
        return {};
      case TaskStatus::abandoned:
        return given_up(one, its, result.reason);
      case TaskStatus::cancelled:
        return its.asks > 0 ? "" : "and nobody asked for it";
      case TaskStatus::running:
      case TaskStatus::crashed:
      case TaskStatus::hung:
      case TaskStatus::limited:
        break;
    }
    return "which is no end";
  }
  std::string given_up(const Pending& one, const TaskStory& its, const std::string& reason) const {
    if (reason == model::kLeaseLost)  // whether it was: leases.cpp
      return its.order.lease.held() ? "" : "and it has no lease";
    if (reason == "stopped") return its.asks > 0 ? "" : "and nobody asked for it";
    // Of one that tells nothing but its exit code nobody knows what it means when it was asked to end.
    const bool ambiguous = !its.order.structured() && its.by_rule && its.decided < its.ended;
    if (its.success() && its.ended && daemon_.died < *its.ended && !ambiguous)
      return "and it came to its end: " + its.last_words();
    if (reason == "max_retries_exceeded")
      return its.tries >= its.health.retries ? "" : fmt::format("after {} tries", its.tries);
    if (reason == "waiting_for_input" && its.words == "asks") return {};
    if (reason != "deadline") return "for which there is no cause in this world";
    if (its.given < forgot_) return {};
    const double used = seconds_in(its.used(one.at, daemon_) + kClocks * 2);
    return used >= its.health.deadline_s
               ? ""
               : fmt::format("after {:.0f} s of {:.0f} s", used, its.health.deadline_s);
  }

  // There is a run under way, a time ahead, or a person who was told; and not beyond its bounds.
  void goes_on(const Look& look, const std::string& name, const model::Agent& agent,
               TaskStory& its) {
    const MonoTime now = look.now.mono;
    const bool halted = agent.halted();
    if (halted || look.full || agent.intent) its.held = now;
    if (its.waits_for_limit(look.now.wall)) its.held = now;
    const MonoTime since = std::max({its.held, daemon_.came, full_});
    const auto silent = [&](MonoTime from, double bound_s) {
      return seconds_in(now - std::max(since, from)) > bound_s + seconds_in(kLate);
    };
    std::string wrong;
    if (silent(since, 0) &&
        seconds_in(its.used(now, daemon_) - uncounted_) > its.health.deadline_s + seconds_in(kLate))
      wrong = fmt::format("under way for {:.0f} s of {:.0f} s", seconds_in(its.used(now, daemon_)),
                          its.health.deadline_s);
    else if (!its.runs_now() && silent(its.ended.value_or(its.given), its.health.max_s))
      wrong = "no run is under way, and none is ahead";
    else if (its.runs_now() && its.order.structured() &&
             silent(its.last_life(now, {}), its.patience_s()))
      wrong = "it hangs, and nobody does anything";
    else if (its.runs_now() && its.words == "asks" && silent(its.spoke, 3 * its.health.base_s))
      wrong = "it asks, and nobody does anything";
    if (wrong.empty()) return;
    its.said = true;
    violated(now, name, wrong + ", and nobody was told: " + its.last_words());
  }

  bool kept_in_memory(const Look& look, const model::Agent& agent, const TaskStory& its) const {
    const MonoTime since = std::max({its.finished, daemon_.came, full_});
    return core::over(agent) && since + kLate < look.now.mono;
  }

  // What is in its folder is what the journal has, and every line that it printed is there once.
  void folder(const Look& look, const model::Agent& agent, const TaskStory& its) {
    const model::Task& task = *agent.task;
    const std::string& dir = task.order.dir;
    const bool done = look.disk->exists(dir + "/" + store::kDoneName);
    if (done != model::has_result(task.status))
      return violated(look.now.mono, agent.spec.name,
                      fmt::format("its folder {} done, and it is {}", done ? "says" : "lacks",
                                  word(task.status)));
    const auto manifest = look.disk->read_file(dir + "/manifest");
    const std::string status = fmt::format("\nstatus={}\n", word(model::shown_status(agent)));
    if (!manifest || manifest->find(status) == std::string::npos)
      return violated(look.now.mono, agent.spec.name,
                      fmt::format("its manifest does not say that it is {}", word(task.status)));
    const auto output = look.disk->read_file(dir + "/" + store::kOutputName);
    const std::string wrong =
        output ? its.misprinted(*output, model::has_result(task.status)) : "there is none";
    if (!wrong.empty()) violated(look.now.mono, agent.spec.name, "its output.log: " + wrong);
  }

  std::map<std::string, TaskStory> stories_;
  std::deque<Pending> pending_;
  MonoTime next_{}, full_{}, forgot_{};
  struct Filled {
    MonoTime at;
    std::chrono::minutes clock;
  };
  std::optional<Filled> filled_;  // the disk, and it is full still
  std::chrono::minutes clock_{};  // the wall's, beside the other
  Duration uncounted_{};
  MonoTime kernel_{};  // it said nothing until then
  Attendance daemon_;
  bool lost_home_ = false;
};

}  // namespace

std::unique_ptr<Checker> check_tasks() {
  return std::make_unique<Tasks>();
}

}  // namespace pawl::sim
