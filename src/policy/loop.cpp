#include <fmt/core.h>

#include <cmath>

#include "base/cron.h"
#include "policy/rules.h"

namespace pawl::policy {
namespace {

constexpr double kMemoryCapS = 3600;  // the longest wait for memory
constexpr int kRefreshes = 3;
constexpr int kLeftTries = 3;     // sessions for work that was left
constexpr int64_t kDiskMb = 200;  // less and nothing new is begun
constexpr double kLookS = 60;     // at what keeps it from starting

using model::Archived;
using model::SessionEnd;

// Which conversation the next session is in.
Launch conversation(const Situation& s) {
  const Agent& agent = s.agent;
  if (agent.spec.restart == Restart::fresh || agent.spec.loop.one_task) return Launch::fresh;
  // Where its transcript is not known, nobody but its program can tell that there is nothing to go on with.
  const bool unknown = agent.transcript.empty() && resumed_in_vain(agent);
  if (agent.session_id.empty() || unknown) return Launch::fresh;
  return s.before && !s.before->resumable ? Launch::fresh : Launch::resume;
}

Choice archive(std::string because, Archived what) {
  Choice choice = act(Action::archive, std::move(because));
  choice.how = word(what);
  return choice;
}

// O1, O2: what would kill the next session is put away before it begins.
Claim too_much(const Situation& s) {
  if (!s.before || s.agent.memory.sessions.archived) return std::nullopt;
  const model::Preflight& limits = s.agent.spec.preflight;
  const int64_t size = s.before->transcript_mb;
  if (size > limits.transcript_max_mb)
    return archive(fmt::format("its largest transcript has {} MB, {} are allowed", size,
                               limits.transcript_max_mb),
                   Archived::conversation);
  if (size * model::kLargePart > limits.transcript_max_mb &&
      s.before->memory_pct >= limits.memory_pct)
    return archive(fmt::format("{} % of the memory are used, and its transcript has {} MB",
                               s.before->memory_pct, size),
                   Archived::conversation);
  return std::nullopt;
}

// What has to be there first. A person is told once; it is looked at again.
Claim not_possible(const Situation& s) {
  if (!s.before) return std::nullopt;
  std::string what;
  if (!s.before->dir) what = "its folder " + s.agent.spec.dir + " is not there";
  if (s.before->disk_mb >= 0 && s.before->disk_mb < kDiskMb)
    what = fmt::format("only {} MB of disk are left", s.before->disk_mb);
  if (what.empty()) return std::nullopt;
  Choice told = tell(s, "preflight " + what, what, "it starts when that is mended");
  if (!told.action) told.until = s.now + seconds(kLookS);
  return told;
}

Choice launch(const Situation& s, Action action, std::string because, Launch how,
              std::string matter, int attempt) {
  if (auto hindered = not_possible(s)) return *hindered;
  if (auto full = too_much(s)) return *full;
  if (s.agent.memory.sessions.archived && how == Launch::resume) how = Launch::fresh;
  Choice choice = act(action, std::move(because));
  choice.how = word(how);
  choice.matter = std::move(matter);
  choice.attempt = attempt;
  return choice;
}

// The first time of any line after the last session, and not before the floor.
std::optional<WallTime> scheduled(const Situation& s, WallTime from) {
  std::optional<WallTime> next;
  const Zone zone = s.zone.value_or(Zone::utc());
  for (const auto& line : s.agent.spec.loop.schedule) {
    const auto cron = Cron::parse(line);
    const auto at = cron ? cron->next(from, zone) : std::nullopt;
    if (at && (!next || *at < *next)) next = at;
  }
  return next;
}

// The next time of a schedule is one after this.
WallTime due_from(const Situation& s) {
  const WallTime ended = s.agent.memory.sessions.ended.value_or(s.agent.changed);
  return ended + std::max(Duration{0}, seconds(s.agent.spec.floor_s) - std::chrono::seconds{1});
}

struct Next {
  std::optional<WallTime> at;  // nothing: when there is work
  std::string because;
};

Next next_session(const Situation& s) {
  const model::AgentSpec& spec = s.agent.spec;
  const model::Sessions& its = s.agent.memory.sessions;
  const WallTime ended = model::counted_end(its).value_or(s.agent.since);
  const auto after = [&](double wait_s) { return ended + seconds(std::max(wait_s, spec.floor_s)); };
  if (spec.strategy == "continuous") return {after(0), "its session is over; the next one begins"};
  if (spec.strategy == "interval-poll")
    return {after(spec.loop.interval_s),
            fmt::format("its session is over; one begins every {} s", spec.loop.interval_s)};
  if (spec.strategy == "backoff") {
    const double wait_s = std::min(
        spec.loop.base_s * std::pow(spec.loop.factor, std::max(0, its.idle - 1)), spec.loop.cap_s);
    return {after(its.idle == 0 ? 0 : wait_s),
            fmt::format("its session is over; {} in a row found nothing to do", its.idle)};
  }
  if (spec.strategy == "scheduled")
    return {scheduled(s, due_from(s)),  // what was missed while nobody was there is made up for
            "its session is over; the next one has its time"};
  return {std::nullopt, "its session is over; it waits for work"};
}

// A session ended well and left its work where it was. It gets a few more, each later than the one before; then a person hears of
// it, and the next piece of work or that person is waited for.
Choice try_again(const Situation& s) {
  const model::Sessions& its = s.agent.memory.sessions;
  const std::string& name = s.agent.memory.desk.waiting.front().name;
  if (its.left >= kLeftTries)
    return tell(s, "work left",
                fmt::format("{} sessions in a row ended without taking up {}", its.left + 1, name),
                "look why with: pawl logs " + s.agent.spec.name + ", then: pawl restart " +
                    s.agent.spec.name);
  const std::string because = "its session ended without taking up " + name;
  const WallTime due = model::counted_end(its).value_or(s.agent.since) +
                       seconds(s.agent.spec.floor_s * std::pow(2, its.left));
  if (s.now < due) return wait(due, because);
  return launch(s, Action::start, because, conversation(s), "", its.left + 2);
}

// O11: a piece of work starts a session at once only when none began for it yet, or when the last one got some work done.
Choice go_on(const Situation& s) {
  const Agent& agent = s.agent;
  const model::Desk& desk = agent.memory.desk;
  const model::Work* first = model::uncalled(desk);
  if (!first && !desk.waiting.empty() && agent.memory.sessions.took > 0)
    first = &desk.waiting.front();
  if (first) return launch(s, Action::start, assigned(*first), conversation(s), "", 1);
  const Next next = next_session(s);
  if (!next.at && !desk.waiting.empty()) return try_again(s);
  if (!next.at) return nothing(next.because);
  if (s.now < *next.at) return wait(*next.at, next.because);
  return launch(s, Action::start, next.because, conversation(s), "", 1);
}

Choice again(const Situation& s, std::string because, Launch how, std::string matter) {
  const int attempt = s.agent.memory.sessions.crashes;
  return launch(s, Action::restart, std::move(because), how, std::move(matter),
                std::max(1, attempt));
}

// O7: a loop of its own, which costs no try of recovery. What would keep it from starting comes first: two matters at once would
// each make the other one forgotten.
Choice renew(const Situation& s) {
  if (auto hindered = not_possible(s)) return *hindered;
  const std::string todo = "log in again, then: pawl restart " + s.agent.spec.name;
  const int tries = tries_at(s, "auth");
  if (s.agent.spec.recovery.auth_refresh.empty() || tries >= 2 * kRefreshes)
    return tell(s, "auth", "it ended because its login does not work", todo);
  if (tries % 2 == 0) {
    Choice choice = act(Action::refresh_auth, "it ended because its login does not work");
    choice.matter = "auth";
    choice.attempt = tries + 1;
    return choice;
  }
  Choice choice = again(s, "its login was renewed", conversation(s), "auth");
  if (choice.action == Action::restart) choice.attempt = tries + 1;
  return choice;
}

// O6: more memory may be free later; a large transcript is what fills it.
Claim starved(const Situation& s) {
  const model::Sessions& its = s.agent.memory.sessions;
  const double wait_s =
      std::min(s.agent.spec.floor_s * std::pow(2, std::max(0, its.starved - 1)), kMemoryCapS);
  const WallTime due = model::counted_end(its).value_or(s.now) + seconds(wait_s);
  const std::string because = "it was killed, as programs are when memory runs out";
  if (s.now < due) return wait(due, because + "; it is given time to become free");
  const bool large = s.before && s.before->transcript_mb * model::kLargePart >
                                     s.agent.spec.preflight.transcript_max_mb;
  if (large && !its.archived)
    return archive(because + ", and its transcript is large", Archived::conversation);
  return std::nullopt;
}

// O4: resume; then afresh; then from nothing.
Choice recover(const Situation& s) {
  const Agent& agent = s.agent;
  const model::Sessions& its = agent.memory.sessions;
  if (auto no = held_up(s)) return *no;
  if (its.last == SessionEnd::unseen)
    return again(s, "its end was not seen", conversation(s), "crash");
  if (its.last == SessionEnd::login) return renew(s);
  if (its.last == SessionEnd::memory)
    if (auto later = starved(s)) return *later;
  const int stage = its.crashes - agent.spec.recovery.resume_crashes;  // < 0: resume
  const std::string cause = how_it_ended(agent);
  if (stage < 0) return again(s, cause, conversation(s), "crash");
  const bool all = stage > 0;
  if (!its.archived && stage <= 1)
    return archive(fmt::format("{}; {} times in a row", cause, its.crashes),
                   all ? Archived::all : Archived::conversation);
  return again(s, fmt::format("{}; {} times in a row", cause, its.crashes),
               all ? Launch::reset : Launch::fresh, "crash");
}

}  // namespace

Claim loop(const Situation& s) {
  const Agent& agent = s.agent;
  const bool gone = model::ended(agent.state) || agent.state == State::shell;
  if (!gone || !agent.spec.loops() || agent.task) return std::nullopt;
  if (agent.memory.dismissed) return nothing("it was stopped on request");
  if (agent.state == State::shell && !agent.memory.seen)
    return nothing("a shell is there and no agent was seen in it");
  if (agent.state == State::shell || agent.memory.sessions.last == SessionEnd::clean)
    return go_on(s);
  return recover(s);
}

}  // namespace pawl::policy
