// Files that other programs leave in an agent's folder: one wakes it, one says that a person is there.

#include <algorithm>

#include "act/gate.h"
#include "core/engine.h"
#include "core/intent.h"
#include "core/wakeups.h"
#include "store/inbox.h"

namespace pawl::core {
namespace {

constexpr const char* kPauseFile = "the file PAUSE";
constexpr Duration kClocksDiffer = std::chrono::minutes{1};

bool waits(const model::Agent& agent, uint64_t item) {
  return std::any_of(agent.outbox.begin(), agent.outbox.end(),
                     [&](const model::Queued& one) { return one.item == item; });
}

}  // namespace

void Engine::recover_files() {
  for (const auto& [name, agent] : fleet().agents) {
    if (over(agent)) {
      finished_.push_back(name);
      if (!model::has_result(agent.task->status)) look_for_wakeup(name);
      continue;
    }
    std::set<uint64_t> waiting;
    for (const auto& item : agent.outbox) waiting.insert(item.item);
    files_.tidy(name, waiting);
    recover_work(agent);
    if (!agent.memory.desk.ledger.empty()) ledgers_.insert(name);
    folders_.push_back(name);
    look_for_wakeup(name);
  }
}

uint64_t Engine::next_item(const Clock& now) {
  return last_item_ =
             std::max(last_item_ + 1, static_cast<uint64_t>(now.wall.time_since_epoch().count()));
}

// The claimed file becomes a text of the outbox.
Done Engine::queue_wakeup(const std::string& agent, uint64_t item) {
  const auto file = files_.claimed(agent, item, act::kTextBytes);
  Wakeup wakeup = wakeup_in(file.text);
  if (!file.aside.empty()) wakeup.text = "its text is too long to be typed; read " + file.aside;
  const std::string text = words_of(wakeup);
  if (auto kept = files_.put_text(agent, item, text); !kept) return kept;
  SendAsked ask;
  ask.agent = agent;
  ask.item = {item, model::Action::wake, text.size(), wakeup.from, false};
  queue_.push_back(std::move(ask));
  return {};
}

// First what an earlier try, or an earlier life of the daemon, has claimed and not queued. True: nothing is left to do.
bool Engine::take_wakeup(const Clock& now, const std::string& name) {
  std::vector<uint64_t> claims = files_.claims(name);
  if (const uint64_t item = next_item(now); files_.claim_wakeup(name, item)) claims.push_back(item);
  bool all = true;
  for (const uint64_t item : claims) {
    last_item_ = std::max(last_item_, item);
    const model::Agent* agent = fleet().find(name);
    if (!waits(*agent, item) && act::has_room(*agent, act::kTextBytes) && queue_wakeup(name, item))
      decide(now);
    agent = fleet().find(name);
    if (agent && waits(*agent, item))
      files_.forget_claim(name, item, act::kTextBytes);
    else
      all = false;
    if (!agent || retry_at_) return false;
  }
  return all;
}

// Called when nothing waits to be decided. What cannot be queued now (no room, a full disk) stays where it is; an agent that
// does not run is looked at again when it is started.
void Engine::take_wakeups(const Clock& now) {
  if (wakeups_.empty() || retry_at_) return;
  wakeups_at_.reset();
  const std::set<std::string> names = std::exchange(wakeups_, {});
  for (const auto& name : names) {
    if (const model::Agent* task = fleet().find(name); task && over(*task)) {
      look_for_resume(name);
      continue;
    }
    look_for_pause(name);
    look_for_permission(name);
    look_for_resume(name);
    if (const model::Agent* sleeper = fleet().find(name);
        sleeper && !sleeper->running() && !sleeper->never_started() && sleeper->spec.loops())
      files_.wakeup_to_inbox(name, next_item(now));
    look_for_work(name);
    look_for_unreadable(name);
    const model::Agent* agent = fleet().find(name);
    if (!agent || !agent->running()) continue;
    if (!retry_at_ && take_wakeup(now, name)) continue;
    wakeups_.insert(name);
    wakeups_at_ = now.mono + kRetryEvery;
  }
}

// One that an operator paused stays so without the file.
void Engine::look_for_pause(const std::string& name) {
  const model::Agent* agent = fleet().find(name);
  if (!agent) return;
  const bool there = files_.paused(name);
  const bool ours = agent->paused && agent->paused_by == kPauseFile;
  if (there != agent->paused && (there || ours))
    queue_.push_back(PauseAsked{{}, name, there, kPauseFile});
}

// Once for each file, and again when it was mended in between.
void Engine::tell_unreadable(const std::string& name, const char* where,
                             const std::vector<store::Unreadable>& found) {
  const auto known = unreadable_.find({name, where});
  if (found.empty() && known == unreadable_.end()) return;
  std::set<std::string> now;
  for (const auto& file : found) {
    if (now.size() == store::kRefusedSeen) break;
    now.insert(file.path);
    if (known != unreadable_.end() && known->second.contains(file.path)) continue;
    queue_.push_back(Noted{name, {"warning", file.text, "file " + file.path, file.todo, {}}});
  }
  if (now.empty())
    unreadable_.erase(known);
  else
    unreadable_[{name, where}] = std::move(now);
}

void Engine::look_for_unreadable(const std::string& name) {
  if (const model::Agent* agent = fleet().find(name))
    tell_unreadable(name, "files", store::unreadable(files_, *agent));
}

void Engine::look_for_person(const Clock& now, const std::string& name) {
  const model::Agent* agent = fleet().find(name);
  auto seen = files_.last_human(name);
  // A time to come, which a clock that was set back leaves behind, would be "just now" for as long.
  if (!agent || !seen || *seen > now.wall + kClocksDiffer) return;
  seen = std::min(WallTime{std::chrono::floor<std::chrono::milliseconds>(seen->time_since_epoch())},
                  now.wall);
  if (agent->human_last_seen && *agent->human_last_seen >= *seen) return;
  model::Agent with = *agent;
  with.human_last_seen = seen;
  if (act::human_until(with, now.wall))
    queue_.push_back(HumanTyped{name, "last_human_interaction", seen});
}

}  // namespace pawl::core
