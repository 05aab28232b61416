#include "core/parts/inboxes.h"

#include <algorithm>

#include "act/gate.h"
#include "core/parts/wakeups.h"
#include "store/inbox.h"

namespace pawl::core {
namespace {

constexpr const char* kPauseFile = "the file PAUSE";
constexpr Duration kClocksDiffer = std::chrono::minutes{1};

bool waits_in_outbox(const model::Agent& agent, uint64_t item) {
  return std::any_of(agent.outbox.begin(), agent.outbox.end(),
                     [&](const model::Queued& one) { return one.item == item; });
}

}  // namespace

void Inboxes::recover(const model::Agent& agent) {
  const std::string& name = agent.spec.name;
  std::set<uint64_t> waiting;
  for (const auto& item : agent.outbox) waiting.insert(item.item);
  ground_.files.tidy(name, waiting);
  // What was claimed and is not with the agent, by the journal, waits again.
  const store::Inbox inbox(ground_.files.disk(), ground_.files.inbox(name));
  const auto& given = agent.memory.desk.given;
  for (const auto& work : inbox.claimed())
    if (!given || given->work.name != work) inbox.give_back(work);
  if (!agent.memory.desk.ledger.empty()) ledgers_.insert(name);
  new_folder(name);
  look_at(name);
}

std::set<std::string> Inboxes::take_looks() {
  again_at_.reset();
  return std::exchange(to_look_, {});
}

void Inboxes::look(const Clock& now, const std::string& name, Inputs& out) {
  const model::Agent* agent = ground_.fleet.find(name);
  if (!agent) return;
  look_for_pause(*agent, out);
  if (!agent->running() && !agent->never_started() && agent->spec.loops())
    ground_.files.wakeup_to_inbox(name, next_item(now));
  look_for_work(*agent, out);
  look_for_unreadable(name, out);
}

uint64_t Inboxes::next_item(const Clock& now) {
  return last_item_ =
             std::max(last_item_ + 1, static_cast<uint64_t>(now.wall.time_since_epoch().count()));
}

// First what an earlier try, or an earlier life of the daemon, has claimed and not queued.
void Inboxes::take_wakeups(const Clock& now, const std::string& name, Inputs& out) {
  const model::Agent* agent = ground_.fleet.find(name);
  if (!agent || !agent->running()) return;  // looked at again when it is started
  std::vector<uint64_t> claims = ground_.files.claims(name);
  if (const uint64_t item = next_item(now); ground_.files.claim_wakeup(name, item))
    claims.push_back(item);
  for (const uint64_t item : claims) {
    last_item_ = std::max(last_item_, item);
    if (waits_in_outbox(*agent, item) || !act::has_room(*agent, act::kTextBytes)) continue;
    const auto file = ground_.files.claimed(name, item, act::kTextBytes);
    Wakeup wakeup = wakeup_in(file.text);
    if (!file.aside.empty()) wakeup.text = "its text is too long to be typed; read " + file.aside;
    const std::string text = words_of(wakeup);
    if (!ground_.files.put_text(name, item, text)) continue;
    SendAsked ask;
    ask.agent = name;
    ask.item = {item, model::Action::wake, text.size(), wakeup.from, false};
    out.push_back(std::move(ask));
  }
}

void Inboxes::taken(const Clock& now, const std::string& name) {
  const model::Agent* agent = ground_.fleet.find(name);
  if (!agent || !agent->running()) return;
  bool all = true;
  for (const uint64_t item : ground_.files.claims(name)) {
    if (waits_in_outbox(*agent, item))
      ground_.files.forget_claim(name, item, act::kTextBytes);
    else
      all = false;
  }
  if (all) return;
  to_look_.insert(name);
  again_at_ = now.mono + kRetryEvery;
}

// One that an operator paused stays so without the file.
void Inboxes::look_for_pause(const model::Agent& agent, Inputs& out) const {
  const bool there = ground_.files.paused(agent.spec.name);
  const bool ours = agent.paused && agent.paused_by == kPauseFile;
  if (there != agent.paused && (there || ours))
    out.push_back(PauseAsked{{}, agent.spec.name, there, kPauseFile});
}

// Once for each file, and again when it was mended in between.
void Inboxes::tell_unreadable(const std::string& name, const char* where,
                              const std::vector<store::Unreadable>& found, Inputs& out) {
  const auto known = unreadable_.find({name, where});
  if (found.empty() && known == unreadable_.end()) return;
  std::set<std::string> now;
  for (const auto& file : found) {
    if (now.size() == store::kRefusedSeen) break;
    now.insert(file.path);
    if (known != unreadable_.end() && known->second.contains(file.path)) continue;
    out.push_back(
        Noted{name, {model::Severity::warning, file.text, "file " + file.path, file.todo, {}}});
  }
  if (now.empty())
    unreadable_.erase(known);
  else
    unreadable_[{name, where}] = std::move(now);
}

void Inboxes::look_for_unreadable(const std::string& name, Inputs& out) {
  if (const model::Agent* agent = ground_.fleet.find(name))
    tell_unreadable(name, "files", store::unreadable(ground_.files, *agent), out);
}

void Inboxes::look_for_person(const Clock& now, const std::string& name, Inputs& out) const {
  const model::Agent* agent = ground_.fleet.find(name);
  auto seen = ground_.files.last_human(name);
  // A time to come, which a clock that was set back leaves behind, would be "just now" for as long.
  if (!agent || !seen || *seen > now.wall + kClocksDiffer) return;
  seen = std::min(WallTime{std::chrono::floor<std::chrono::milliseconds>(seen->time_since_epoch())},
                  now.wall);
  if (agent->human_last_seen && *agent->human_last_seen >= *seen) return;
  model::Agent with = *agent;
  with.memory.human = seen;
  if (act::human_until(with, now.wall))
    out.push_back(HumanTyped{name, "last_human_interaction", seen});
}

void Inboxes::forget(const std::string& name) {
  for (const char* where : {"files", "work"}) unreadable_.erase({name, where});
}

}  // namespace pawl::core
