#include "perceive/rules.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "perceive/rules_hook.h"
#include "perceive/say.h"

namespace pawl::perceive {
namespace {

using model::State;
using namespace std::chrono_literals;

constexpr Duration kMenuQuiet = 200ms;    // a menu no profile knows must stand still this long
constexpr Duration kShellQuiet = 250ms;   // a prompt on the screen alone
constexpr Duration kBareShellQuiet = 1s;  // a shell alone in front without a prompt anybody knows
constexpr Duration kToldSent = 300ms;     // by then it would have said that it works
constexpr Duration kNoInterface = 5s;     // a program of its own kind may take so long
// A status file that is not read again says nothing. It is read each five seconds while something is said to work, and a host may be slow.
constexpr Duration kFileTrust = 8s;
constexpr Duration kStartTalk = 1500ms;  // after the box came up
constexpr Duration kOneGo = 500ms;       // from the first byte of a program to the last
constexpr Duration kAfterSplash = 8s;
constexpr Duration kRestQuiet = 1200ms;  // after movement nobody explained
constexpr Duration kUntoldQuiet = 30s;   // a turn whose end was not seen
constexpr Duration kReadyLost = 200ms;   // the box is gone: nothing may be sent any more
constexpr Duration kLostAfter = 1500ms;  // neither box nor dialog: unknown

bool named(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool agent_in_front(const Evidence& e) {
  if (!e.facts) return true;
  const auto& known = e.profile->recognise.processes;
  return known.empty() || named(known, e.facts->front) || named(known, e.facts->busiest) ||
         interpreter_name(e.facts->front) || interpreter_name(e.facts->busiest);
}

std::optional<Reading> program_ended(const Evidence& e) {
  if (!e.ending) return std::nullopt;
  return say(e.ending->clean() ? State::exited : State::crashed, Tier::process,
             "its program ended: " + model::text_of(*e.ending));
}

std::optional<Reading> shell_in_front_of_it(const Evidence& e) {
  if (!e.facts || !shell_in_front(*e.facts)) return std::nullopt;
  const bool line_editor = !e.facts->canonical && e.facts->signals;
  const bool prompt = !e.sight->shell.empty() || !e.shell_prompt.empty();
  if (!line_editor && !prompt) {
    if (!e.agent_seen || e.sight->box.there) return std::nullopt;  // a script that will start one
    if (const MonoTime from = e.moved() + kBareShellQuiet; e.now < from) {
      Reading reading = say(State::unknown, Tier::process, "the agent is not in front any more");
      reading.again = from;
      return reading;
    }
  }
  return say(State::shell, Tier::process,
             fmt::format("{} is alone in front of the terminal{}", e.facts->front,
                         e.agent_seen ? ": the agent is gone" : ""));
}

std::optional<Reading> shell_on_the_screen(const Evidence& e) {
  if (e.facts) return std::nullopt;
  const char mark = e.shell_mark.kind;
  const bool marked = (mark == 'A' || mark == 'B' || mark == 'P') && !e.sight->box.there &&
                      !e.alternate && !e.sight->menu;
  const bool agent = e.status.value.any || (!e.title.value.text.empty() && e.agent_seen);
  if (marked && agent && e.sight->shell.empty())
    return std::nullopt;  // some agents mark their own messages
  if (!e.shell_shown.value && !marked) return std::nullopt;
  const MonoTime from = e.shell_shown.value ? e.shell_shown.since : e.moved();
  if (e.now - from < kShellQuiet) return wait_until(from + kShellQuiet);
  return say(State::shell, marked ? Tier::osc : Tier::screen,
             marked ? "the shell marked its prompt (OSC 133)"
                    : "a shell's prompt is left of the cursor: " +
                          quoted(std::string(trim(e.shell_prompt))),
             marked ? 0.9 : 0.8);
}

std::optional<Reading> another_program(const Evidence& e) {
  if (!e.facts || e.facts->front.empty() || shell_name(e.facts->front) || agent_in_front(e) ||
      e.sight->box.there || e.sight->menu)
    return std::nullopt;
  return say(
      State::unknown, Tier::process,
      fmt::format("{} is in front of the terminal, not {}", e.facts->front, e.profile->name));
}

std::optional<Reading> without_interface(const Evidence& e) {
  if (!e.batch) return std::nullopt;
  return say(State::busy, Tier::process, "it was started without an interface and is running");
}

std::optional<Reading> reports_work(const Evidence& e) {
  const Status& s = e.status.value;
  if (!s.any || s.state != term::ProgramState::working) return std::nullopt;
  return say(State::busy, Tier::status,
             s.message.empty() ? "it reports that it works"
                               : "it reports that it works: " + quoted(s.message));
}

std::optional<Reading> shows_progress(const Evidence& e) {
  if (e.progress.value != term::Progress::State::normal &&
      e.progress.value != term::Progress::State::indeterminate)
    return std::nullopt;
  return say(State::busy, Tier::osc, "it shows progress (OSC 9;4)", 0.95);
}

// What any program may say of itself, whoever it is.
std::optional<Reading> says_it_works(const Evidence& e) {
  if (auto works = reports_work(e)) return works;
  if (auto works = shows_progress(e)) return works;
  if (e.shell_mark.kind == 'C')
    return say(State::busy, Tier::osc, "the shell marked that a command runs (OSC 133)", 0.9);
  return std::nullopt;
}

// Of a program nobody described: it may never have one.
Reading no_interface(const Evidence& e) {
  if (const auto works = says_it_works(e)) return *works;
  if (e.declared && e.now - e.launched < kNoInterface) {
    Reading reading = say(State::starting, Tier::screen, "no interface is on its screen yet", 0.5);
    reading.again = e.launched + kNoInterface;
    return reading;
  }
  return say(State::unknown, Tier::screen,
             "its program runs; no agent's interface is on its screen", 0.5);
}

std::optional<Reading> terminal_not_raw(const Evidence& e) {
  if (!e.facts || !e.facts->canonical || e.profile->boxes.empty()) return std::nullopt;
  if (e.up) return std::nullopt;
  if (e.profile->strict) return no_interface(e);
  return say(State::starting, Tier::process,
             "the terminal still edits lines: its interface is not up yet");
}

std::optional<Reading> dialog(const Evidence& e) {
  if (!e.sight->menu) return std::nullopt;
  const Menu& menu = *e.sight->menu;
  if (menu.known)
    return say(State::waiting, Tier::screen,
               "a dialog: " + quoted(menu.question.empty() ? menu.named : menu.question), 0.97,
               menu.kind);
  const MonoTime still = std::max(e.moved_above, e.pictured);
  if (e.now - still < kMenuQuiet) return wait_until(still + kMenuQuiet);
  return say(State::waiting, Tier::screen, "a menu: " + quoted(menu.rows.front()), 0.8, menu.kind);
}

std::optional<Reading> says_blocked(const Evidence& e) {
  const Status& s = e.status.value;
  if (!s.any || s.state != term::ProgramState::blocked) return std::nullopt;
  const std::string kind = s.kind == term::BlockedKind::permission ? "permission"
                           : s.kind == term::BlockedKind::auth     ? "login"
                                                                   : "question";
  return say(State::waiting, Tier::status,
             s.message.empty() ? "it reports that it is blocked"
                               : "it reports that it is blocked: " + quoted(s.message),
             0.98, kind);
}

std::optional<Reading> told_waiting(const Evidence& e) {
  if (e.title.value.kind == TitleKind::waiting)
    return say(State::waiting, Tier::osc, "its title asks: " + quoted(e.title.value.text), 0.95,
               "permission");
  if (auto asks = by_hook(e, Told::waiting, State::waiting)) return asks;
  // It says so of what a person opened, too.
  if (!e.mode && e.file.value.told == Told::waiting && e.now - e.file.heard < kFileTrust)
    return say(State::waiting, Tier::file, e.file.value.detail, 0.95, e.file.value.kind);
  return std::nullopt;
}

std::optional<Reading> working(const Evidence& e) {
  if (auto works = reports_work(e); works && e.up) return works;
  if (auto works = by_hook(e, Told::busy, State::busy); works && e.up) return works;
  if (e.file.value.told == Told::busy && e.now - e.file.heard < kFileTrust)
    return say(State::busy, Tier::file, e.file.value.detail, 0.95);
  if (e.title.value.kind == TitleKind::busy)
    return say(State::busy, Tier::osc, "its title says so: " + quoted(e.title.value.text), 0.97);
  if (auto works = shows_progress(e); works && e.profile->progress) return works;
  if (!looks_busy(e) || (e.profile->strict && e.mode)) return std::nullopt;
  Reading reading = say(State::busy, Tier::screen,
                        e.sight->busy->sign->means + ": " + quoted(e.sight->busy->text), 0.95);
  reading.again = row_void_from(e);
  return reading;
}

// Something is to be done and nothing happens on any channel: no byte, no CPU, no report.
std::optional<Reading> frozen(const Evidence& e) {
  if (!e.up || e.still || e.stuck_after == Duration{}) return std::nullopt;
  const bool sent_away =
      e.sent != MonoTime{} && e.worked < e.sent && !e.sight->box.there && !e.mode;
  if (!sent_away && !working(e)) return std::nullopt;
  if (e.now - e.stirred() < e.stuck_after) return std::nullopt;
  return say(State::stuck, Tier::silence,
             fmt::format("it has work, and nothing happened for {}: no output, no report{}",
                         short_duration(e.now - e.stirred()), e.facts ? ", no CPU" : ""),
             e.facts ? 0.9 : 0.6);
}

std::optional<Reading> moving(const Evidence& e) {
  if (!e.up || !e.sight->box.there || e.restless == MonoTime{} || e.sight->done)
    return std::nullopt;
  if (e.now - e.restless >= kRestQuiet) return std::nullopt;
  Reading reading = say(State::busy, Tier::silence, "the text above its box keeps changing", 0.7);
  reading.again = e.restless + kRestQuiet;
  return reading;
}

// The time from which it may be taken to listen; nothing when a sign of that is missing.
std::optional<MonoTime> listens_from(const Evidence& e) {
  if (!e.sight->box.there || e.sight->start) return std::nullopt;
  const bool named = !e.title.value.text.empty() || e.status.value.any || e.still;
  if (e.profile->start.title && !(e.osc ? named : e.sight->listens.has_value()))
    return std::nullopt;
  // Start-up is talk with the terminal too; some programs never stop that.
  const MonoTime talk = std::min(e.output, e.box.since + kStartTalk);
  // A program nobody described that drew everything in one go may not have begun to listen.
  const bool splash = e.profile->strict && !e.still && e.output - e.first_output < kOneGo;
  return std::max({e.moved(), talk, e.box.since, e.title.since}) +
         (splash ? kAfterSplash : e.profile->start.settle);
}

std::optional<Reading> not_up(const Evidence& e) {
  if (e.up) return std::nullopt;
  if (e.profile->strict && !e.sight->box.there) return no_interface(e);
  if (e.still && !e.sight->blank && !e.sight->box.there)
    return say(State::unknown, Tier::screen, "neither its box nor a dialog is on the screen", 0.5);
  Reading reading = say(State::starting, Tier::screen,
                        e.sight->box.there ? "its box is drawn, but it does not listen yet"
                                           : "its interface is not there yet",
                        0.9);
  if (const auto from = listens_from(e)) reading.again = *from;
  return reading;
}

// Whatever is typed now is no prompt.
std::optional<Reading> in_mode(const Evidence& e) {
  if (!e.mode || e.mode->pastes) return std::nullopt;
  const bool by_title = e.sight->mode != e.mode;
  return say(
      State::typing, by_title ? Tier::osc : Tier::screen,
      e.mode->means.empty() ? "its keyboard is in another mode: " + e.mode->input : e.mode->means,
      0.95);
}

std::optional<Reading> draft(const Evidence& e) {
  if (!e.sight->box.there || !e.sight->box.draft) return std::nullopt;
  if (!e.declared && !e.seen_work)
    return say(State::unknown, Tier::screen, "text in a box, but it is not known whose", 0.4);
  return say(State::typing, Tier::screen, "the box holds text that was not sent", 0.95);
}

std::optional<Reading> at_prompt(const Evidence& e) {
  if (!e.sight->box.there) return std::nullopt;
  if (e.facts && (e.facts->canonical || (e.profile->strict && e.facts->signals)))
    return say(State::unknown, Tier::process, "the terminal is not in the mode of an agent", 0.6);
  if (!e.declared && !e.seen_work)
    return say(State::unknown, Tier::screen,
               "an empty box, but it is not known whose: name its runtime", 0.4);
  if (e.away)
    return say(State::unknown, Tier::screen,
               "its picture became another one without a turn: its box may not be the prompt", 0.5);
  const MonoTime moved = e.profile->strict ? std::max(e.moved(), e.output) : e.moved_above;
  const Duration quiet = quiet_needed(e);
  const MonoTime worked = e.profile->strict ? moved : e.worked;
  const MonoTime from = std::max({moved + quiet, e.moved_box + quiet, worked + quiet,
                                  e.box.since + quiet, e.cleared + e.after_clear});
  if (e.now < from) return wait_until(from);
  // A box that was emptied, or sent: whoever reports what it does has said so by now.
  const Duration trust = e.status.value.any  ? Duration{}
                         : e.told_outright() ? std::min(e.profile->sent, kToldSent)
                                             : e.profile->sent;
  if (e.sent != MonoTime{} && e.now - e.sent < trust && e.worked < e.sent) {
    Reading reading = say(State::busy, Tier::screen, "what was in its box was just sent", 0.6);
    reading.again = e.sent + trust;
    return reading;
  }
  if (e.turn_open && !e.profile->done.empty() && !e.sight->done && !e.told_outright() &&
      e.now - e.moved() < kUntoldQuiet) {
    Reading reading = say(State::busy, Tier::screen, "the end of its turn was not seen yet", 0.6);
    reading.again = e.moved() + kUntoldQuiet;
    return reading;
  }
  for (const NoticeSeen& notice : e.sight->notices)
    if (notice.kind == NoticeKind::limit)
      return say(State::limited, Tier::screen,
                 "the account's limit is reached: " + quoted(std::string(trim(notice.line))), 0.9);
  const Status& s = e.status.value;
  if (s.any && s.state != term::ProgramState::working)
    return say(State::ready, Tier::status,
               fmt::format("it reports {} and its box is empty{}", term::name_of(s.state),
                           e.sight->busy ? "; a row that looks like work does not move: " +
                                               quoted(e.sight->busy->text)
                                         : ""),
               0.98);
  if (e.title.value.kind == TitleKind::idle)
    return say(State::ready, Tier::osc, "its title is the idle one and its box is empty", 0.97);
  return say(State::ready, Tier::screen, "its box is empty and nothing moves", 0.9);
}

std::optional<Reading> nothing_known(const Evidence& e) {
  const bool was_ready = e.said == State::ready || e.said == State::limited;
  const MonoTime from = was_ready ? e.box.since + kReadyLost : e.moved() + kLostAfter;
  if (e.now < from) return wait_until(from);
  return say(State::unknown, Tier::screen, "neither its box nor a dialog is on the screen", 0.5);
}

constexpr std::array kRules{
    RuleRow{"ended", program_ended, "its process ended", "only a new start"},
    RuleRow{"stopped", stopped, "it was stopped, by Ctrl-Z or a signal",
            "its being let go on (SIGCONT)"},
    RuleRow{"shell-front", shell_in_front_of_it, "a shell is the foreground process",
            "another program in front of the terminal"},
    RuleRow{"shell-shown", shell_on_the_screen, "without process facts: a shell's prompt or mark",
            "the prompt leaving the cursor's row, or process facts"},
    RuleRow{"batch", without_interface, "started without an interface", "its end"},
    RuleRow{"other-program", another_program, "another program is in front",
            "the agent in front again, or its box on the screen"},
    RuleRow{"not-raw", terminal_not_raw, "the terminal is not raw yet", "the terminal going raw"},
    RuleRow{"loading", loading, "a sign that it still loads", "that sign leaving the screen"},
    RuleRow{"dialog", dialog, "a dialog is where the box was; outranks every sign of work",
            "the dialog leaving the screen"},
    RuleRow{"blocked", says_blocked, "its own report: blocked", "another report"},
    RuleRow{"asks", told_waiting, "title, hook or status file: it asks", "another title or word"},
    RuleRow{"stuck", frozen, "work is pending and nothing progresses on any channel",
            "any output, report or CPU time"},
    RuleRow{kWorkingRule.data(), working,
            "report, hook, status file, title, progress or screen: it works",
            "every sign of work gone, then a quiet, empty box"},
    RuleRow{kMovingRule.data(), moving, "unexplained movement above the box",
            "1.2 s without movement, or the end of the turn"},
    RuleRow{"starting", not_up, "it does not listen yet", "its box drawn and everything still"},
    RuleRow{kModeRule.data(), in_mode, "the keyboard does not reach the prompt",
            "that mode being left"},
    RuleRow{kDraftRule.data(), draft, "the box holds unsent text", "an empty box"},
    RuleRow{"background", work_behind, "sub-agents or background jobs run",
            "the count of them gone from its footer and its reports"},
    RuleRow{kPromptRule.data(), at_prompt, "the box is empty and quiet",
            "text in the box, a sign of work, or a dialog"},
    RuleRow{kLostRule.data(), nothing_known, "nothing of the above",
            "its box, a dialog or a shell's prompt"},
};

}  // namespace

std::span<const RuleRow> rules() {
  return kRules;
}

bool listening(const Evidence& e) {
  if (e.sight->box.there && e.sight->busy && !e.sight->busy->sign->turns) return true;
  const auto from = listens_from(e);
  return from && e.now >= *from;
}

Reading judge(const Evidence& evidence) {
  for (const RuleRow& row : kRules)
    if (auto reading = row.rule(evidence)) {
      reading->rule = row.name;
      return *reading;
    }
  return {};
}

}  // namespace pawl::perceive
