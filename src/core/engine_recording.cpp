// Terminals and their recordings: taken over from an earlier life, written to disk, and what happens when one cannot be opened. Its
// terminal is used all the same; what it prints stays with its holder until there is a place for it.

#include <algorithm>

#include "core/engine.h"
#include "core/intent.h"

namespace pawl::core {
namespace {

constexpr Duration kRecordAgain = std::chrono::seconds{2},
                   kRecordAgainMost = std::chrono::minutes{5};
constexpr const char* kMatter = "recording";

}  // namespace

void Engine::take_over(const Clock& now, const host::Found& found) {
  const model::Agent* agent = fleet().by_session(found.session);
  // No agent's newest, but recorded: its end was written to the journal, and then the daemon was killed. Its last bytes are
  // still owed to the recording, and its holder waits to be told that they are safe.
  const std::string owner = agent ? agent->spec.name : files_.owner_of(found.session).value_or("");
  if (owner.empty()) return;  // not ours to touch
  LiveTerminal live = open_live(now, owner, found.session, found.size, found.first);
  if (live.dirty()) flush_at_ = now.mono + kFlushEvery;
  host_.attach(found.session, std::max(live.durable(), found.first));
  if (agent && agent->task) take_over_task(now, *agent, live.durable());
  if (agent) current_[owner] = found.session;
  if (agent && has_interface(*agent)) {
    perception_.opened(now.mono, found.session, agent->spec, agent->state != model::State::starting,
                       agent->notices);
  }
  terminals_.insert_or_assign(found.session, std::move(live));
  if (agent && !agent->spec.adopted() && agent->spec.backend != "tmux") redraw(now, found.session);
}

// One that cannot be recorded now is told of, and tried again.
LiveTerminal Engine::open_live(const Clock& now, const std::string& agent, SessionId session,
                               Size size, Offset first) {
  auto live = LiveTerminal::open(files_.disk(), files_.recordings(agent), agent, session, size,
                                 now.wall, options_.recordings);
  if (live) {
    live->skip_to(now.wall, first);
    return std::move(*live);
  }
  unrecorded_[session] = {now.mono + kRecordAgain, kRecordAgain, {}};
  tell_of_recording(agent, "warning", "its terminal is not recorded: " + live.error().what,
                    "move away what is there: recording is tried again by itself");
  return LiveTerminal::unrecorded(agent, session, size, first);
}

void Engine::tell_of_recording(const std::string& agent, const char* severity, std::string text,
                               std::string todo) {
  queue_.push_back(Noted{agent, {severity, std::move(text), kMatter, std::move(todo), {}}});
}

// What was on its screen is in the recording alone. Programs paint everything anew when their window changes.
void Engine::redraw(const Clock& now, SessionId session) {
  const auto one = unrecorded_.find(session);
  const auto it = terminals_.find(session);
  if (one == unrecorded_.end() || it == terminals_.end()) return;
  const Size size = it->second.terminal().screen().size();
  if (size.rows < 2) return;
  one->second.size = size;
  const Size smaller{size.cols, static_cast<uint16_t>(size.rows - 1)};
  host_.resize(session, smaller);
  it->second.resize(now.wall, smaller);
}

void Engine::record_again(const Clock& now) {
  for (auto it = unrecorded_.begin(); it != unrecorded_.end();) {
    const auto live = terminals_.find(it->first);
    const bool over = live == terminals_.end() ||
                      (it->second.at <= now.mono && try_to_record(now, live->second, it->second));
    it = over ? unrecorded_.erase(it) : std::next(it);
  }
}

bool Engine::try_to_record(const Clock& now, LiveTerminal& live, Unrecorded& one) {
  const SessionId session = live.session();
  if (one.size) {
    host_.resize(session, *one.size);
    live.resize(now.wall, *one.size);
    one.size.reset();
  }
  if (!live.record(files_.disk(), files_.recordings(live.agent()), now.wall, options_.recordings)) {
    one.pause = std::min(one.pause * 2, Duration{kRecordAgainMost});
    one.at = now.mono + one.pause;
    return false;
  }
  host_.attach(session, live.durable());  // everything that it lacks
  flush_at_ = earlier(flush_at_, now.mono + kFlushEvery);
  tell_of_recording(live.agent(), "info", "its terminal is recorded again", "");
  return true;
}

// Where no further part can be begun the last one grows.
void Engine::tell_of_parts(LiveTerminal& live) {
  const auto& trouble = live.part_trouble();
  const bool known = part_told_.contains(live.session());
  if (!trouble) {
    if (known) part_told_.erase(live.session());
    return;
  }
  if (known) return;
  part_told_.insert(live.session());
  tell_of_recording(live.agent(), "warning",
                    "its recording goes on in one large file: " + trouble->what,
                    "move away what is there: it is tried again by itself");
}

void Engine::flush_one(const Clock& now, LiveTerminal& live) {
  auto flushed = live.flush(now.wall);
  if (flushed) flushed = task_runs_.flush(live.session());
  if (!flushed) {
    recording_trouble_ = flushed.error();
    return;
  }
  recording_trouble_.reset();
  tell_of_parts(live);
  host_.acknowledge(live.session(), live.durable());
  if (live.behind()) host_.attach(live.session(), live.durable());  // what a full disk refused
}

void Engine::flush(const Clock& now) {
  flush_at_.reset();
  bool refused = false;
  for (auto& [session, live] : terminals_) {
    if (!live.dirty()) continue;
    flush_one(now, live);
    refused = refused || live.dirty();
  }
  finish_closing(now);
  if (refused) flush_at_ = now.mono + kRetryEvery;
}

void Engine::flush_agent(const Clock& now, const std::string& agent) {
  const auto current = current_.find(agent);
  const auto it = current == current_.end() ? terminals_.end() : terminals_.find(current->second);
  if (it != terminals_.end() && it->second.dirty()) flush_one(now, it->second);
}

}  // namespace pawl::core
