#include "core/perception.h"

#include <algorithm>

#include "base/text.h"
#include "perceive/notice.h"
#include "perceive/session_file.h"

namespace pawl::core {
namespace {

perceive::TrackerOptions options_of(const model::AgentSpec& spec, bool running) {
  perceive::TrackerOptions options;
  options.runtime = !spec.profile.empty()       ? spec.profile
                    : spec.runtime == "generic" ? "auto"
                                                : spec.runtime;
  options.argv = spec.command;
  options.running = running;
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

}  // namespace

void Perception::opened(MonoTime now, SessionId session, const model::AgentSpec& spec,
                        bool running) {
  if (!catalog_) return;
  closed(session);
  Watch watch(perceive::Tracker(*catalog_, options_of(spec, running), now));
  watch.opened = now;
  watch.runtime = spec.runtime;
  watch.drawn = running;
  watch.look_at = now + kLookSoon;
  watch.ask_at = now + kLookSoon;
  schedule(session, watches_.insert_or_assign(session, std::move(watch)).first->second);
}

void Perception::wrote(MonoTime now, SessionId session) {
  const auto it = watches_.find(session);
  if (it == watches_.end()) return;
  Watch& watch = it->second;
  watch.drawn = true;
  want_facts(now, watch, kFactsEvery);
  if (watch.look_at) return schedule(session, watch);
  // The longer it writes without a pause, the rarer the looks.
  watch.pace =
      now - watch.looked < 2 * watch.pace ? std::min(2 * watch.pace, kLookBusy) : kLookSoon;
  watch.look_at = now + watch.pace;
  schedule(session, watch);
}

void Perception::facts(MonoTime now, SessionId session, const model::Facts& facts) {
  const auto it = watches_.find(session);
  if (it == watches_.end()) return;
  it->second.tracker.facts(now, facts);
  if (const auto& status = it->second.tracker.profile().files.status; !status.empty()) {
    const auto said = facts.processes.empty()
                          ? std::nullopt
                          : perceive::read_session_file(facts.status_file, facts.processes.front());
    it->second.tracker.told(now, false, said ? said->word : perceive::Word{});
  }
  if (!it->second.look_at) it->second.look_at = now;
  schedule(session, it->second);
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

void Perception::want_facts(MonoTime now, Watch& watch, Duration every) {
  if (!watch.ask_at) watch.ask_at = std::max(now + kLookSoon, watch.asked + every);
}

void Perception::schedule(SessionId session, Watch& watch) {
  std::optional<MonoTime> due = watch.look_at;
  for (const auto& other : {watch.tracker.wake_at(), watch.ask_at})
    if (other && (!due || *other < *due)) due = other;
  if (due == watch.due) return;
  if (watch.due) due_.erase({*watch.due, session});
  if (due) due_.insert({*due, session});
  watch.due = due;
}

std::optional<MonoTime> Perception::wake_at() const {
  if (due_.empty()) return std::nullopt;
  return due_.begin()->first;
}

std::vector<SessionId> Perception::ask_facts(MonoTime now) {
  std::vector<SessionId> out;
  for (auto it = due_.begin(); it != due_.end() && it->first <= now;) {
    const SessionId session = it->second;
    ++it;  // schedule() may take it away
    Watch& watch = watches_.at(session);
    if (!watch.ask_at || *watch.ask_at > now) continue;
    watch.ask_at.reset();
    watch.asked = now;
    if (watch.tracker.verdict().state == model::State::starting &&
        now - watch.opened < kStartingLong)
      watch.ask_at = now + kFactsStarting;  // programs change without a word
    if (watch.tracker.verdict().state == model::State::busy && now - watch.looked > kFactsSilent)
      watch.ask_at = now + kFactsSilent;  // does it still do anything?
    schedule(session, watch);
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
  if (fresh) {
    watch.look_at.reset();
    watch.looked = now.mono;
    const term::Screen* screen = watch.drawn ? screen_of(session) : nullptr;
    watch.drawn = screen && !watch.tracker.screen(now.mono, *screen);
    if (watch.drawn) watch.look_at = now.mono + kLookSoon;
  }
  const bool edge = watch.tracker.read(now.mono).has_value();
  schedule(session, watch);
  std::vector<model::Notice> notices = fresh ? notices_of(now, watch) : watch.notices;
  const std::string& runtime = watch.tracker.profile().name;
  const bool renamed = runtime != "generic" && runtime != watch.runtime && watch.tracker.guesses();
  if (!edge && !renamed && same_kinds(notices, watch.notices)) return;
  watch.notices = notices;
  if (renamed) watch.runtime = runtime;
  const perceive::Verdict& verdict = watch.tracker.verdict();
  out.push_back({session, verdict.state, verdict.kind, std::string(perceive::word(verdict.tier)),
                 verdict.because, verdict.confidence, std::move(notices),
                 renamed ? runtime : std::string()});
}

// A time is worked out once, when its text appears: later it would be taken for tomorrow's.
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
      if (const auto zone = zone_of_(when->zone)) notice.until = resolve(*when, now.wall, *zone);
    }
    out.push_back(std::move(notice));
  }
  return out;
}

std::string Perception::status_file(SessionId session) const {
  const perceive::Tracker* its = tracker(session);
  return its ? its->profile().files.status : std::string();
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
