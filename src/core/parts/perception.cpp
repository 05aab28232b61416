#include "core/parts/perception.h"

#include <algorithm>

#include "base/text.h"
#include "perceive/screen/notice.h"

namespace pawl::core {
namespace {

perceive::TrackerOptions options_of(const model::AgentSpec& spec, Perception::Before before) {
  perceive::TrackerOptions options;
  options.runtime = !spec.profile.empty()       ? spec.profile
                    : spec.runtime == "generic" ? "auto"
                                                : spec.runtime;
  options.argv = spec.command;
  options.running = before.running;
  options.rested = before.rested;
  options.stuck =
      std::chrono::duration_cast<Duration>(std::chrono::duration<double>(spec.ready.stuck_s));
  options.quiet = std::chrono::milliseconds{spec.ready.quiet_ms};
  options.cleared = std::chrono::milliseconds{spec.ready.cleared_ms};
  return options;
}

bool same_kinds(const std::vector<model::Notice>& a, const std::vector<model::Notice>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.kind == y.kind && x.until == y.until;
  });
}

std::optional<model::Dialog> dialog_of(const perceive::Tracker& tracker) {
  if (tracker.verdict().state != model::State::waiting) return std::nullopt;
  return perceive::dialog_in(tracker.evidence());
}

using Argv = std::vector<std::string>;

Argv argv_of(const perceive::Tracker& tracker) {
  const auto& facts = tracker.evidence().facts;
  return facts ? facts->argv : Argv{};
}

// Of context, at the end of its last turn.
int64_t tokens_of(const perceive::Tracker& tracker) {
  return tracker.evidence().transcript.value.usage.context();
}

}  // namespace

void Perception::opened(MonoTime now, SessionId session, const model::AgentSpec& spec,
                        Before before, std::vector<model::Notice> notices) {
  if (!catalog_) return;
  closed(session);
  Watch watch(perceive::Tracker(*catalog_, options_of(spec, before), now));
  watch.opened = now;
  watch.runtime = spec.runtime;
  watch.notices = std::move(notices);
  watch.drawn = before.running;
  if (before.running) watch.unwatched = unwatched_;
  watch.look_at = now + kLookSoon;
  watch.ask_at = now + kLookSoon;
  schedule(session, watches_.insert_or_assign(session, std::move(watch)).first->second);
}

void Perception::drawn(SessionId session) {
  if (const auto it = watches_.find(session); it != watches_.end()) it->second.drawn = true;
}

void Perception::wrote(MonoTime now, SessionId session) {
  const auto it = watches_.find(session);
  if (it == watches_.end()) return;
  Watch& watch = it->second;
  // The longer it writes without a pause, the rarer the looks.
  if (now - watch.written > kPause)
    watch.pace = kLookSoon;
  else if (!watch.look_at)
    watch.pace =
        std::min(2 * watch.pace,
                 watch.tracker.verdict().state == model::State::unknown ? kLookUnknown : kLookBusy);
  watch.written = now;
  watch.drawn = true;
  // Its processes are asked for when it pauses, and now and then while it does not.
  watch.ask_at = std::min(now + kPause, std::max(now, watch.asked + kFactsWriting));
  if (!watch.look_at) watch.look_at = now + watch.pace;
  schedule(session, watch);
}

void Perception::hasten(MonoTime now, SessionId session) {
  const auto it = watches_.find(session);
  if (it == watches_.end()) return;
  it->second.look_at = now;
  schedule(session, it->second);
}

void Perception::tell_again(MonoTime now, SessionId session) {
  hasten(now, session);
  if (const auto it = watches_.find(session); it != watches_.end()) it->second.untold = true;
}

bool Perception::behind(SessionId session) const {
  const auto it = watches_.find(session);
  return it != watches_.end() && it->second.drawn;
}

void Perception::facts(MonoTime now, SessionId session, model::Facts facts) {
  const auto it = watches_.find(session);
  if (it == watches_.end()) return;
  it->second.unanswered.reset();
  const std::string transcript = std::exchange(facts.transcript, {});  // too large to be kept
  const perceive::Profile* before = &it->second.tracker.profile();
  it->second.tracker.facts(now, facts);
  // Known by its process: what stands on its screen means something else now, and may never be drawn again.
  if (&it->second.tracker.profile() != before) it->second.drawn = true;
  files_read(now, it->second, facts, transcript);
  if (!it->second.look_at) it->second.look_at = now;
  schedule(session, it->second);
}

void Perception::files_read(MonoTime now, Watch& watch, const model::Facts& facts,
                            const std::string& transcript) {
  const perceive::Profile& profile = watch.tracker.profile();
  if (profile.files.status.empty()) return;
  const auto said = facts.processes.empty()
                        ? std::nullopt
                        : perceive::read_session_file(facts.status_file, facts.processes.front());
  watch.file = said.value_or(perceive::SessionFile{});
  watch.tracker.told(now, false, watch.file.word);
  if (transcript.empty() || facts.transcript_size == watch.transcript_size) return;
  watch.transcript_size = facts.transcript_size;
  watch.tracker.transcript(now, perceive::read_transcript(profile, transcript));
}

void Perception::told(MonoTime now, SessionId session, bool by_hook, const perceive::Word& word) {
  const auto it = watches_.find(session);
  if (it == watches_.end()) return;
  it->second.tracker.told(now, by_hook, word);
  it->second.look_at = now;
  schedule(session, it->second);
}

void Perception::closed(SessionId session) {
  const auto it = watches_.find(session);
  if (it == watches_.end()) return;
  if (it->second.due) due_.erase({*it->second.due, session});
  watches_.erase(it);
}

void Perception::use(MonoTime now, const perceive::Catalog* catalog, const SpecOf& spec_of) {
  catalog_ = catalog;
  std::vector<SessionId> open;
  for (const auto& [session, watch] : watches_) open.push_back(session);
  for (const SessionId session : open) {
    const perceive::Tracker& old = watches_.at(session).tracker;
    const Before before{.running = old.verdict().state != model::State::starting};
    const std::optional<model::Facts> facts = old.evidence().facts;
    const perceive::Word hook = old.evidence().hook.value;
    const model::AgentSpec* spec = spec_of(session);
    if (!spec) {
      closed(session);
      continue;
    }
    opened(now, session, *spec, before, watches_.at(session).notices);
    perceive::Tracker& fresh = watches_.at(session).tracker;
    drawn(session);
    if (facts) fresh.facts(now, *facts);
    if (hook.told != perceive::Told::nothing) fresh.told(now, true, hook);
  }
}

// What is due later than thought before is left to fire early once: moving it at every byte would cost more.
void Perception::schedule(SessionId session, Watch& watch) {
  std::optional<MonoTime> due = watch.look_at;
  for (const auto& other : {watch.tracker.wake_at(), watch.ask_at})
    if (other && (!due || *other < *due)) due = other;
  if (watch.due && due && *due >= *watch.due) return;
  if (due == watch.due) return;
  if (watch.due) due_.erase({*watch.due, session});
  if (due) due_.insert({*due, session});
  watch.due = due;
}

void Perception::fired(SessionId session, Watch& watch) {
  if (watch.due) due_.erase({*watch.due, session});
  watch.due.reset();
  schedule(session, watch);
}

std::optional<MonoTime> Perception::wake_at() const {
  if (due_.empty()) return std::nullopt;
  return due_.begin()->first;
}

std::vector<SessionId> Perception::ask_facts(MonoTime now) {
  std::vector<SessionId> out;
  for (const auto& [due, session] : due_) {
    if (due > now) break;
    Watch& watch = watches_.at(session);
    if (!watch.ask_at || *watch.ask_at > now) continue;
    watch.ask_at.reset();
    watch.asked = now;
    if (!watch.unanswered) watch.unanswered = now;
    if (watch.tracker.verdict().state == model::State::starting &&
        now - watch.opened < kStartingLong)
      watch.ask_at = now + kFactsStarting;  // programs change without a word
    if (watch.tracker.verdict().state == model::State::busy)
      watch.ask_at = now + kFactsSilent;  // does it still do anything? Output asks sooner
    out.push_back(session);
  }
  return out;
}

std::vector<Perceived> Perception::look(const Clock& now, const ScreenOf& screen_of) {
  std::vector<Perceived> out;
  std::vector<SessionId> ripe;
  for (const auto& [due, session] : due_) {
    if (due > now.mono) break;
    ripe.push_back(session);
  }
  for (const SessionId session : ripe) look_at(now, session, watches_.at(session), screen_of, out);
  return out;
}

void Perception::look_at(const Clock& now, SessionId session, Watch& watch,
                         const ScreenOf& screen_of, std::vector<Perceived>& out) {
  const bool fresh = watch.look_at && *watch.look_at <= now.mono;
  const auto wake = watch.tracker.wake_at();
  const bool asked = watch.asked == now.mono;
  if (!fresh && !asked && (!wake || *wake > now.mono)) return fired(session, watch);  // put off
  if (fresh) {
    watch.look_at.reset();
    watch.looked = now.mono;
    const term::Screen* screen = watch.drawn ? screen_of(session) : nullptr;
    watch.drawn = screen && !watch.tracker.screen(now.mono, *screen);
    if (watch.drawn) watch.look_at = now.mono + kLookSoon;
  }
  if (watch.drawn) watch.tracker.wrote(watch.written);
  if (watch.unanswered && now.mono - *watch.unanswered > kFactsLost) watch.tracker.no_facts();
  const bool edge = watch.tracker.read(now.mono).has_value();
  fired(session, watch);
  std::vector<model::Notice> notices = fresh ? notices_of(now, watch) : watch.notices;
  if (fresh && !watch.tracker.evidence().sight->menu)
    watch.covered.reset();
  else if (fresh)
    watch.covered = written_since(now, watch);
  if (!watch.tracker.judged()) return;  // what was known of it before still stands
  const std::string& runtime = watch.tracker.profile().name;
  const std::string alert = watch.tracker.take_alarm().value_or("");
  const bool renamed = runtime != "generic" && runtime != watch.runtime && watch.tracker.guesses();
  const bool again = std::exchange(watch.untold, false);
  const auto dialog = dialog_of(watch.tracker);
  if (!edge && !again && !renamed && alert.empty() && same_kinds(notices, watch.notices) &&
      dialog == watch.dialog)
    return;
  watch.dialog = dialog;
  watch.notices = notices;
  if (renamed) watch.runtime = runtime;
  const perceive::Verdict& verdict = watch.tracker.verdict();
  out.push_back({session, verdict.state, verdict.kind, verdict.tier, verdict.because,
                 verdict.confidence, std::move(notices), renamed ? runtime : std::string(),
                 renamed ? argv_of(watch.tracker) : Argv{}, alert, dialog, tokens_of(watch.tracker),
                 verdict.input, verdict.background});
}

// What is seen for the first time may have been there since then.
WallTime Perception::written_since(const Clock& now, const Watch& watch) {
  WallTime since = std::min(watch.covered.value_or(now.wall), now.wall);
  if (watch.unwatched && now.mono - watch.opened < kReadUp)
    since = std::min(since, *watch.unwatched);
  return since;
}

// A time is worked out once, when its text appears: later it would be taken for tomorrow's. What may have been there for a while, under a
// dialog or while no daemon was running, is taken as if it was read at the beginning of that.
std::vector<model::Notice> Perception::notices_of(const Clock& now, const Watch& watch) const {
  std::vector<model::Notice> out;
  for (const auto& seen : watch.tracker.evidence().sight->notices) {
    if (out.size() == model::kMaxNotices) break;
    model::Notice notice = perceive::notice_of(seen);
    const auto known =
        std::find_if(watch.notices.begin(), watch.notices.end(), [&](const model::Notice& old) {
          return old.kind == notice.kind && old.text == notice.text;
        });
    const auto when = perceive::reset_in(seen);
    if (known != watch.notices.end()) {
      notice.until = known->until;
    } else if (when && zone_of_) {
      const WallTime written = written_since(now, watch);
      if (const auto zone = zone_of_(when->zone))
        notice.until = resolve(*when, when->in ? now.wall : written, *zone);
    }
    out.push_back(std::move(notice));
  }
  return out;
}

// Not forward, nor of one that is over: "3 pm" would be tomorrow's.
void Perception::clock_set_back(const Clock& now, Duration by) {
  for (auto& [session, watch] : watches_) {
    const size_t before = watch.notices.size();
    std::erase_if(watch.notices, [&](const model::Notice& one) {
      return one.until && *one.until > now.wall - by;
    });
    if (watch.notices.size() != before) tell_again(now.mono, session);
  }
}

model::OwnFiles Perception::own_files(SessionId session) const {
  const auto it = watches_.find(session);
  if (it == watches_.end()) return {};
  const auto& files = it->second.tracker.profile().files;
  return {files.status, perceive::transcript_path(files.transcript, it->second.file),
          it->second.transcript_size};
}

bool Perception::knows(const model::AgentSpec& spec) const {
  if (!catalog_) return false;
  const std::string& name = spec.profile.empty() ? spec.runtime : spec.profile;
  return (name != "generic" && catalog_->find(name)) || catalog_->by_command(spec.command);
}

const perceive::Tracker* Perception::tracker(SessionId session) const {
  const auto it = watches_.find(session);
  return it == watches_.end() ? nullptr : &it->second.tracker;
}

}  // namespace pawl::core
