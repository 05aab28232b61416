// Rules about what goes on beside box and turn: a start, a program that was stopped, work behind its prompt, a row that only looks
// like work.

#include <fmt/core.h>

#include "perceive/say.h"
#include "term/utf8.h"

namespace pawl::perceive {

using model::State;
using namespace std::chrono_literals;

constexpr Duration kToldQuiet = 400ms;  // it reported the end of its turn

constexpr Duration kScreenTrust =
    std::chrono::seconds{3};  // in a row that all of the program's words deny

// Without marks that turn the order of what a person reads around.
std::string quoted(const std::string& text) {
  const std::string plain = term::plain_text(text, text.size());
  return "'" + (plain.size() > 60 ? term::plain_text(plain, 57) + "..." : plain) + "'";
}

// A program nobody described is silent when it waits: those that work write something at least once in a second. Who reports its
// turns itself need not be given so long.
Duration quiet_needed(const Evidence& e) {
  const Status& s = e.status.value;
  const bool told =
      e.profile->strict && e.reported_work && s.any && s.state != term::ProgramState::working;
  return told ? std::min(e.quiet, kToldQuiet) : e.quiet;
}

std::optional<Reading> loading(const Evidence& e) {
  if (e.up || !e.sight->start) return std::nullopt;
  return say(State::starting, Tier::screen,
             e.sight->start->sign->means + ": " + quoted(e.sight->start->text), 0.9);
}

// Nothing that is typed reaches it, and no shell may be there to bring it back.
std::optional<Reading> stopped(const Evidence& e) {
  const std::string how = e.facts && !e.facts->processes.empty()
                              ? fmt::format("kill -CONT {} lets", e.facts->processes[0].pid)
                              : "SIGCONT lets";
  if (e.facts && e.facts->stopped)
    return say(State::unknown, Tier::process,
               fmt::format("its program is stopped, by Ctrl-Z or a signal: {} it go on", how));
  if (const auto& sign = e.sight->suspended; sign && !e.sight->box.there && !e.sight->menu)
    return say(State::unknown, Tier::screen,
               fmt::format("it was suspended with Ctrl-Z: {} it go on", how), 0.9);
  return std::nullopt;
}

// A row that looks like work, against everything the program says of itself: when its report and its status file say that it
// rests, its title does not deny it, and nothing moves (real work turns something), the row is something else: a status line
// of its user's, say. The time from which it does not count; nothing: it counts.
std::optional<MonoTime> row_void_from(const Evidence& e) {
  const Status& s = e.status.value;
  const bool idle = s.state == term::ProgramState::idle || s.state == term::ProgramState::done;
  if (!s.any || !idle || s.working_jobs > 0 || e.file.value.told != Told::idle ||
      e.title.value.kind == TitleKind::busy || e.title.value.kind == TitleKind::waiting)
    return std::nullopt;
  return std::max(
             {e.moved_above, e.moved_below, e.status.since, e.file.since, e.title.since, e.sent}) +
         kScreenTrust;
}

bool looks_busy(const Evidence& e) {
  const auto until = row_void_from(e);
  return e.sight->busy && !(until && e.now >= *until);
}

// Sub-agents: shells behind a prompt that is free are counted only (running_behind).
std::optional<Reading> work_behind(const Evidence& e) {
  if (!e.up || !e.sight->box.there || e.sight->box.draft) return std::nullopt;
  const auto behind = [](Tier tier, std::string because, double confidence) {
    return say(State::busy, tier, std::move(because), confidence, model::kBackground);
  };
  if (const int jobs = e.status.value.working_jobs; jobs > 0)
    return behind(Tier::status, fmt::format("{} of its jobs report that they work", jobs), 1);
  for (const auto* word : {&e.hook, &e.file})
    if (word->value.told == Told::background)
      return behind(word == &e.hook ? Tier::hook : Tier::file, word->value.detail, 0.9);
  if (const auto& sign = e.sight->background)
    return behind(Tier::screen, sign->sign->means + ": " + quoted(sign->text), 0.9);
  return std::nullopt;
}

}  // namespace pawl::perceive
