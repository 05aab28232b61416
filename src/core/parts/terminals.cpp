#include "core/parts/terminals.h"

#include <algorithm>
#include <csignal>

namespace pawl::core {

const LiveTerminal* Terminals::find(SessionId session) const {
  const auto it = terminals_.find(session);
  return it == terminals_.end() ? nullptr : &it->second;
}

std::optional<SessionId> Terminals::newest(const std::string& agent) const {
  const auto it = newest_.find(agent);
  return it == newest_.end() ? std::nullopt : std::optional(it->second);
}

const LiveTerminal* Terminals::of(const std::string& agent) const {
  const auto session = newest(agent);
  return session ? find(*session) : nullptr;
}

const term::Screen* Terminals::screen(SessionId session) const {
  const LiveTerminal* live = find(session);
  return live ? &live->terminal().screen() : nullptr;
}

Offset Terminals::take_over(const Clock& now, const host::Found& found, const std::string& owner,
                            Taken as, Inputs& out) {
  LiveTerminal live = open_live(now, owner, found.session, found.size, found.first, out);
  if (live.dirty()) flush_at_ = now.mono + kFlushEvery;
  const Offset durable = live.durable();
  ground_.host.attach(found.session, std::max(durable, found.first));
  if (const model::Agent* agent = ground_.fleet.find(owner); agent && as.newest)
    ground_.host.limit(found.session, limits_of(*agent));
  if (as.newest) newest_[owner] = found.session;
  terminals_.insert_or_assign(found.session, std::move(live));
  unflushed_.insert(found.session);
  if (as.redraw) redraw(now, found.session);
  return durable;
}

void Terminals::open(const Clock& now, const std::string& agent, SessionId session, Size size,
                     Inputs& out) {
  if (const auto old = newest(agent); old && !closing(*old)) terminals_.erase(*old);
  newest_[agent] = session;
  terminals_.insert_or_assign(session, open_live(now, agent, session, size, Offset{}, out));
  unflushed_.insert(session);
}

void Terminals::count(SessionId session, term::Counting counting) {
  if (const auto it = terminals_.find(session); it != terminals_.end()) it->second.count(counting);
}

bool Terminals::output(const Clock& now, const host::Output& seen, Inputs& out) {
  const auto it = terminals_.find(seen.session);
  if (it == terminals_.end()) return false;
  const std::string answers = it->second.output(now.wall, seen.offset, seen.bytes);
  unflushed_.insert(seen.session);
  if (!answers.empty() && !seen.answered) ground_.host.write(seen.session, answers);
  if (it->second.waiting() > kFlushAbove) flush_one(now, it->second, out);
  if (!flush_at_) flush_at_ = now.mono + kFlushEvery;
  return true;
}

void Terminals::resized(const Clock& now, SessionId session, Size size) {
  const auto it = terminals_.find(session);
  if (it == terminals_.end()) return;
  it->second.resize(now.wall, size);
  unflushed_.insert(session);
}

void Terminals::note(SessionId session, const std::string& text) {
  if (const auto it = terminals_.find(session); it != terminals_.end()) it->second.note(text);
}

Done Terminals::resize(const Clock& now, const std::string& agent, Size size) {
  const auto session = newest(agent);
  const model::Agent* known = ground_.fleet.find(agent);
  if (!session || !known || !known->running()) return fail("'" + agent + "' is not running");
  auto& live = terminals_.at(*session);
  if (live.terminal().screen().size() == size) return {};
  ground_.host.resize(*session, size);
  live.resize(now.wall, size);
  unflushed_.insert(*session);
  if (!flush_at_) flush_at_ = now.mono + kFlushEvery;
  return {};
}

void Terminals::close(const Clock& now, const CloseTerminal& effect, Inputs& out) {
  const auto it = terminals_.find(effect.session);
  if (effect.end_leftovers) to_sweep_.push_back(effect.session);
  if (it == terminals_.end()) return ground_.host.close(effect.session);
  it->second.program_ended(now.wall, effect.exit_code);
  unflushed_.insert(effect.session);
  closing_.push_back(effect.session);
  finish_closing(now, out);
}

void Terminals::finish_closing(const Clock& now, Inputs& out) {
  std::erase_if(closing_, [&](SessionId session) {
    const auto it = terminals_.find(session);
    if (it == terminals_.end()) return true;
    flush_one(now, it->second, out);
    if (it->second.dirty()) {
      flush_at_ = now.mono + kRetryEvery;
      return false;
    }
    ground_.host.close(session);
    unrecorded_.erase(session);
    if (newest(it->second.agent()) != session) terminals_.erase(it);
    return true;
  });
}

bool Terminals::closing(SessionId session) const {
  return std::find(closing_.begin(), closing_.end(), session) != closing_.end();
}

void Terminals::forget(SessionId session) {
  const auto it = terminals_.find(session);
  if (it == terminals_.end()) return;
  newest_.erase(it->second.agent());
  terminals_.erase(it);
}

std::optional<SessionId> Terminals::remove(const std::string& agent) {
  const auto session = newest(agent);
  if (!session) return std::nullopt;
  std::erase(closing_, *session);
  terminals_.erase(*session);
  ground_.host.close(*session);
  newest_.erase(agent);
  return session;
}

void Terminals::let_go(const std::string& agent) {
  if (const auto session = newest(agent)) {
    terminals_.erase(*session);
    newest_.erase(agent);
  }
}

// Processes that detached themselves from an ended terminal: TERM, and KILL for those that stay.
void Terminals::sweep_leftovers(const Clock& now) {
  if (!to_sweep_.empty()) {
    if (ground_.host.signal_leftovers(to_sweep_, SIGTERM) > 0)
      sweeps_.push_back({to_sweep_, now.mono + kLeftoverGrace});
    to_sweep_.clear();
  }
  std::erase_if(sweeps_, [&](const Sweep& sweep) {
    if (now.mono < sweep.kill_at) return false;
    ground_.host.signal_leftovers(sweep.sessions, SIGKILL);
    return true;
  });
}

void Terminals::turn(const Clock& now, Inputs& out) {
  sweep_leftovers(now);
  if (flush_at_ && *flush_at_ <= now.mono) flush(now, out);
  record_again(now, out);
}

std::optional<MonoTime> Terminals::wake_at() const {
  std::optional<MonoTime> earliest = flush_at_;
  for (const auto& sweep : sweeps_) earliest = earlier(earliest, sweep.kill_at);
  for (const auto& [session, one] : unrecorded_) earliest = earlier(earliest, one.at);
  return earliest;
}

}  // namespace pawl::core
