#include "perceive/opinion.h"

#include <fmt/core.h>

#include <cmath>

#include "base/text.h"
#include "term/marks.h"
#include "term/utf8.h"

namespace pawl::perceive {
namespace {

using model::State;

void from_processes(const Evidence& e, std::vector<Opinion>& out) {
  if (e.ending)
    out.push_back({Tier::process,
                   "process",
                   "ended: " + model::text_of(*e.ending),
                   e.ending->clean() ? State::exited : State::crashed,
                   {}});
  if (!e.facts) return;
  const Facts& f = *e.facts;
  out.push_back({Tier::process, "foreground",
                 f.front.empty()
                     ? "nobody"
                     : fmt::format("{}{}", f.front, f.front_count > 1 ? " and others" : ""),
                 shell_in_front(f) ? std::optional(State::shell) : std::nullopt, e.front.since});
  out.push_back({Tier::process,
                 "terminal mode",
                 f.canonical ? "edits lines: no interface"
                 : f.signals ? "a line editor's"
                             : "raw, as agents want it",
                 {},
                 e.facts_at});
  if (!f.outside.empty())
    out.push_back({Tier::process, "children", join(f.outside, ", "), {}, e.facts_at});
}

void from_status(const Evidence& e, std::vector<Opinion>& out) {
  const Status& s = e.status.value;
  if (!s.any) return;
  std::optional<State> means;
  if (s.state == term::ProgramState::working) means = State::busy;
  if (s.state == term::ProgramState::blocked) means = State::waiting;
  if (s.state == term::ProgramState::idle || s.state == term::ProgramState::done)
    means = State::ready;
  std::string says = std::string(term::name_of(s.state));
  if (!s.message.empty()) says += ": " + s.message;
  if (s.working_jobs > 0) says += fmt::format(", {} jobs work", s.working_jobs);
  out.push_back({Tier::status, "program status", says, means, e.status.since});
}

void from_word(const Aged<Word>& word, Tier tier, const char* channel, std::vector<Opinion>& out) {
  static constexpr std::optional<State> meanings[] = {std::nullopt, State::ready, State::busy,
                                                      State::waiting, State::busy};
  if (word.value.told == Told::nothing) return;
  out.push_back({tier, channel, word.value.detail, meanings[static_cast<size_t>(word.value.told)],
                 word.since});
}

void from_transcript(const Evidence& e, std::vector<Opinion>& out) {
  const Transcript& t = e.transcript.value;
  if (!t.user && !t.assistant) return;
  const bool asked = t.user && (!t.assistant || *t.user >= *t.assistant);
  Opinion one{Tier::file, "transcript", "the model spoke last", std::nullopt, e.transcript.since};
  if (t.error) one.says = "the service refused: " + t.error->text;
  if (asked) one.says = "the model has not answered yet", one.means = State::busy;
  if (t.interrupted) one.says = "a person interrupted it", one.means = State::ready;
  if (t.usage.context() > 0) one.says += fmt::format("; {} tokens of context", t.usage.context());
  out.push_back(std::move(one));
}

void from_osc(const Evidence& e, std::vector<Opinion>& out) {
  if (e.title.value.kind != TitleKind::none) {
    static constexpr std::optional<State> meanings[] = {std::nullopt, State::ready, State::busy,
                                                        State::waiting, std::nullopt};
    out.push_back({Tier::osc, "title",
                   term::plain_text(trim(e.title.value.text), term::kMaxTitleBytes),
                   meanings[static_cast<size_t>(e.title.value.kind)], e.title.since});
  }
  if (e.progress_reports > 0) {
    const bool moves = e.progress.value == term::Progress::State::normal ||
                       e.progress.value == term::Progress::State::indeterminate;
    out.push_back({Tier::osc, "progress", moves ? "in progress" : "none",
                   moves ? State::busy : State::ready, e.progress.since});
  }
  if (e.shell_mark.kind != 0)
    out.push_back({Tier::osc, "shell mark", std::string(1, e.shell_mark.kind), {}, {}});
}

void from_screen(const Evidence& e, std::vector<Opinion>& out) {
  const Sight& s = *e.sight;
  const auto sign = [&](const char* channel, const std::optional<Seen>& seen, State means) {
    if (seen)
      out.push_back({Tier::screen, channel, seen->sign->means + ": " + seen->text, means, {}});
  };
  if (s.menu)
    out.push_back({Tier::screen, "dialog",
                   !s.menu->question.empty() ? s.menu->question
                   : s.menu->known           ? s.menu->named
                                             : "the shape of a menu",
                   State::waiting, e.pictured});
  sign("sign of work", s.busy, State::busy);
  sign("work behind", s.background, State::busy);
  sign("loading", s.start, State::starting);
  sign("end of turn", s.done, State::ready);
  if (e.mode)
    out.push_back({s.mode ? Tier::screen : Tier::osc, "input", e.mode->means, State::typing, {}});
  out.push_back({Tier::screen, "input box",
                 !s.box.there  ? "not there"
                 : s.box.draft ? "holds text: " + s.box.text
                               : "empty",
                 !s.box.there  ? std::nullopt
                 : s.box.draft ? std::optional(State::typing)
                               : std::optional(State::ready),
                 e.box.since});
  if (!e.learnt.empty()) out.push_back({Tier::screen, "box learnt", e.learnt, {}, {}});
  if (!e.shell_prompt.empty())
    out.push_back({Tier::screen, "shell prompt", std::string(trim(e.shell_prompt)), State::shell,
                   e.shell_shown.since});
  for (const auto& notice : s.notices)
    out.push_back({Tier::pattern, "notice", std::string(trim(notice.line)), {}, {}});
}

double seconds(Duration age) {
  return std::round(std::chrono::duration<double>(age).count() * 1000) / 1000;
}

Json opinion_json(const Opinion& one, MonoTime now) {
  return Json::object(
      {{"channel", one.channel},
       {"tier", word(one.tier)},
       {"says", one.says},
       {"means", one.means ? Json(model::word(*one.means)) : Json()},
       {"age_s",
        one.since && *one.since != MonoTime{} ? Json(seconds(now - *one.since)) : Json()}});
}

}  // namespace

std::vector<Opinion> opinions(const Evidence& e) {
  std::vector<Opinion> out;
  from_processes(e, out);
  from_status(e, out);
  from_word(e.hook, Tier::hook, "hook", out);
  from_word(e.file, Tier::file, "status file", out);
  from_transcript(e, out);
  from_osc(e, out);
  from_screen(e, out);
  out.push_back({Tier::silence, "quiet", "text above the box last changed", {}, e.moved_above});
  return out;
}

Json explain(const Tracker& tracker, MonoTime now) {
  const Verdict& verdict = tracker.verdict();
  Json evidence = Json::array(), passed = Json::array();
  for (const auto& one : opinions(tracker.evidence())) evidence.push(opinion_json(one, now));
  Json out = Json::object({{"state", model::word(verdict.state)},
                           {"kind", verdict.kind.empty() ? Json() : Json(verdict.kind)},
                           {"tier", word(verdict.tier)},
                           {"because", verdict.because},
                           {"confidence", verdict.confidence},
                           {"input", model::input_word(verdict.state, verdict.input)},
                           {"background", verdict.background},
                           {"profile", tracker.profile().name},
                           {"rule", tracker.rule()}});
  for (const RuleRow& row : rules()) {
    if (tracker.rule() == std::string_view(row.name)) {
      out.set("rule_is", row.says);
      out.set("changes_when", row.changes);
      break;
    }
    passed.push(Json::object({{"rule", row.name}, {"is", row.says}}));
  }
  out.set("evidence", evidence);
  out.set("passed", passed);
  Json drift = Json::array();
  for (auto& text : tracker.drift().disagreements(tracker.profile())) drift.push(std::move(text));
  out.set("drift", drift);
  return out;
}

}  // namespace pawl::perceive
