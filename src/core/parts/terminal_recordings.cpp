// How terminals are recorded, and what happens when one cannot be.

#include <algorithm>

#include "core/parts/terminals.h"

namespace pawl::core {
namespace {

using model::Severity;

constexpr Duration kRecordAgain = std::chrono::seconds{2},
                   kRecordAgainMost = std::chrono::minutes{5};

Noted about_recording(const std::string& agent, Severity severity, std::string text,
                      std::string todo) {
  return {agent, {severity, std::move(text), "recording", std::move(todo), {}}};
}

}  // namespace

// One that cannot be recorded now is told of, and tried again.
LiveTerminal Terminals::open_live(const Clock& now, const std::string& agent, SessionId session,
                                  Size size, Offset first, Inputs& out) {
  auto live = LiveTerminal::open(ground_.files.disk(), ground_.files.recordings(agent), agent,
                                 session, size, now.wall, ground_.options.recordings);
  if (live) {
    live->skip_to(now.wall, first);
    return std::move(*live);
  }
  unrecorded_[session] = {now.mono + kRecordAgain, kRecordAgain, {}};
  out.push_back(about_recording(agent, Severity::warning,
                                "its terminal is not recorded: " + live.error().what,
                                "move away what is there: recording is tried again by itself"));
  return LiveTerminal::unrecorded(agent, session, size, first);
}

// What was on its screen is in the recording alone. Programs paint everything anew when their window changes.
void Terminals::redraw(const Clock& now, SessionId session) {
  const auto one = unrecorded_.find(session);
  const auto it = terminals_.find(session);
  if (one == unrecorded_.end() || it == terminals_.end()) return;
  const Size size = it->second.terminal().screen().size();
  if (size.rows < 2) return;
  one->second.size = size;
  const Size smaller{size.cols, static_cast<uint16_t>(size.rows - 1)};
  ground_.host.resize(session, smaller);
  it->second.resize(now.wall, smaller);
  unflushed_.insert(session);
}

void Terminals::record_again(const Clock& now, Inputs& out) {
  for (auto it = unrecorded_.begin(); it != unrecorded_.end();) {
    const auto live = terminals_.find(it->first);
    const bool over =
        live == terminals_.end() ||
        (it->second.at <= now.mono && try_to_record(now, live->second, it->second, out));
    it = over ? unrecorded_.erase(it) : std::next(it);
  }
}

bool Terminals::try_to_record(const Clock& now, LiveTerminal& live, Unrecorded& one, Inputs& out) {
  const SessionId session = live.session();
  if (one.size) {
    ground_.host.resize(session, *one.size);
    live.resize(now.wall, *one.size);
    one.size.reset();
  }
  if (!live.record(ground_.files.disk(), ground_.files.recordings(live.agent()), now.wall,
                   ground_.options.recordings)) {
    one.pause = std::min(one.pause * 2, Duration{kRecordAgainMost});
    one.at = now.mono + one.pause;
    return false;
  }
  ground_.host.attach(session, live.durable());  // everything that it lacks
  unflushed_.insert(session);
  flush_at_ = earlier(flush_at_, now.mono + kFlushEvery);
  out.push_back(
      about_recording(live.agent(), Severity::info, "its terminal is recorded again", ""));
  return true;
}

// Where no further part can be begun the last one grows.
void Terminals::tell_of_parts(LiveTerminal& live, Inputs& out) {
  const auto& trouble = live.part_trouble();
  const bool known = part_told_.contains(live.session());
  if (!trouble) {
    if (known) part_told_.erase(live.session());
    return;
  }
  if (known) return;
  part_told_.insert(live.session());
  out.push_back(about_recording(live.agent(), Severity::warning,
                                "its recording goes on in one large file: " + trouble->what,
                                "move away what is there: it is tried again by itself"));
}

void Terminals::flush_one(const Clock& now, LiveTerminal& live, Inputs& out) {
  auto flushed = live.flush(now.wall);
  if (live.take_finished()) recorded_.insert(live.agent());
  if (flushed) flushed = before_(live.session());
  if (!flushed) {
    trouble_ = flushed.error();
    return;
  }
  trouble_.reset();
  tell_of_parts(live, out);
  ground_.host.acknowledge(live.session(), live.durable());
  if (live.behind())
    ground_.host.attach(live.session(), live.durable());  // what a full disk refused
}

void Terminals::flush(const Clock& now, Inputs& out) {
  flush_at_.reset();
  std::erase_if(unflushed_, [&](SessionId session) {
    const auto it = terminals_.find(session);
    if (it != terminals_.end() && it->second.dirty()) flush_one(now, it->second, out);
    return it == terminals_.end() || !it->second.dirty();
  });
  const bool refused = !unflushed_.empty();
  finish_closing(now, out);
  if (refused) flush_at_ = now.mono + kRetryEvery;
}

std::set<SessionId> Terminals::writing(const std::string& agent) const {
  std::set<SessionId> out;
  for (const auto& [session, live] : terminals_)
    if (live.agent() == agent && live.writes()) out.insert(session);
  const model::Agent* known = ground_.fleet.find(agent);
  if (known && known->running()) out.insert(known->session);
  return out;
}

void Terminals::flush_agent(const Clock& now, const std::string& agent, Inputs& out) {
  const auto session = newest(agent);
  if (!session) return;
  const auto it = terminals_.find(*session);
  if (it != terminals_.end() && it->second.dirty()) flush_one(now, it->second, out);
}

}  // namespace pawl::core
