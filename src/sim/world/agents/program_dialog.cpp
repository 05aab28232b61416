// The program's dialogs: when they come up, which keys they understand, what an answer does.

#include "sim/world/agents/program.h"

namespace pawl::sim {
namespace {

using namespace std::chrono_literals;
using model::Cost;
using What = Entry::What;

constexpr Duration kStillAsked = 6s;  // then one more hook says so

About usual(Ask ask) {
  switch (ask) {
    case Ask::command:
      return {.subject = "touch marker.txt && sleep 2"};
    case Ask::write:
      return {.subject = "notes.txt", .content = " 1 line one\n 2 line two"};
    case Ask::edit:
      return {.subject = "main.py", .content = "2 -    return \"hello\"\n2 +    return \"hi\""};
    case Ask::question:
      return {.subject = "Which database should the service use?",
              .content = "PostgreSQL|A server\nSQLite|A file"};
    case Ask::plan:
      return {.content = "Read the code, change it, run the tests"};
    case Ask::trust:
    case Ask::login:
    case Ask::limit:
    case Ask::update:
    case Ask::survey:
    case Ask::resume:
    case Ask::strange:
      break;
  }
  return {};
}

// Nobody said what its rows cost. The first one is what nobody may choose unasked.
Asked strange() {
  Asked out;
  out.question = "The index of this project is of an older version.";
  out.lines = {" " + out.question, ""};
  out.rows = {{"Throw it away and build it again", Cost::destroys},
              {"Send it to support", Cost::question},
              {"Leave it as it is", Cost::question}};
  out.under = {" Enter to confirm · Esc to cancel"};
  out.esc = 2;
  return out;
}

bool before_its_interface(Ask ask) {
  return ask == Ask::trust || ask == Ask::login || ask == Ask::update;
}

bool permission(Ask ask) {
  return ask == Ask::command || ask == Ask::write || ask == Ask::edit;
}

std::string_view blocked_kind(Ask ask) {
  return permission(ask) ? "permission" : ask == Ask::login ? "auth" : "question";
}

}  // namespace

bool Program::ask(MonoTime now, Ask ask, About about) {
  if (phase_ != Phase::up || asked_) return false;
  if (ask == Ask::strange && model_->ask(Ask::edit, usual(Ask::edit), scene(now)).rows.empty())
    return false;  // it has no menus
  return show(now, ask, std::move(about));
}

bool Program::instead(MonoTime now, Ask ask, About about) {
  if (phase_ != Phase::up || !asked_) return false;
  withdraw(now);
  asked_.reset();
  return show(now, ask, std::move(about));
}

bool Program::show(MonoTime now, Ask ask, About about) {
  if (asked_) return false;
  if (about.subject.empty() && about.content.empty()) about = usual(ask);
  Asked asked = ask == Ask::strange ? strange() : model_->ask(ask, about, scene(now));
  if (asked.rows.empty()) return false;
  asked.ask = ask;
  asked.about = std::move(about);
  asked.number = ++dialogs_;
  asked.deaf = chance_.happens(behaviour_.deaf_dialogs);
  log({.at = now,
       .what = What::asked,
       .text = asked.question,
       .working = turn_.on,
       .ask = ask,
       .subject = asked.about.subject});
  asked_ = std::make_unique<Asked>(std::move(asked));
  const Asked& shown = *asked_;
  if (turn_.on && ask != Ask::survey) {  // that one waits for nobody
    turn_.answered = true;
    turn_.left = planned(Due::turn_ends).value_or(now + 3s) - now;
    for (const Due due :
         {Due::turn_ends, Due::spins, Due::tool_begins, Due::tool_ends, Due::fails, Due::retries})
      forget(due);
  }
  settle(now);
  if (!shown.tool.empty()) {
    hook(now, Moment::tool_begins, {}, shown.about.subject);
    hook(now, Moment::asks, {}, shown.about.subject);
    if (hooked_ && permission(ask)) plan(Due::still_asked, now + kStillAsked);
  }
  if (ask != Ask::survey && !before_its_interface(ask) && ask != Ask::limit)
    report(now, "blocked", blocked_kind(ask));
  changed(now);
  return true;
}

void Program::dialog_key(MonoTime now, const Key& key) {
  if (asked_->deaf) return;
  Asked& asked = *asked_;
  switch (key.kind) {
    case Key::Kind::up:
      asked.chosen = asked.chosen > 0 ? asked.chosen - 1 : asked.chosen;
      return changed(now);
    case Key::Kind::down:
      asked.chosen = std::min(asked.chosen + 1, asked.rows.size() - 1);
      return changed(now);
    case Key::Kind::enter:
      return choose(now, asked.chosen);
    case Key::Kind::escape:
      return choose(now, asked.esc);
    case Key::Kind::control:
      if (key.text == "c") choose(now, asked.esc);
      return;
    case Key::Kind::paste:
      log({.at = now, .what = What::lost, .text = key.text});
      return;
    case Key::Kind::text:
      break;
    case Key::Kind::newline:
    case Key::Kind::backspace:
    case Key::Kind::tab:
    case Key::Kind::left:
    case Key::Kind::right:
    case Key::Kind::reply:
      return;
  }
  for (size_t row = 0; row < asked.rows.size(); ++row) {
    const bool digit = asked.numbered && key.text == std::to_string(row + 1);
    if (digit || (asked.rows[row].key != 0 && key.text == std::string(1, asked.rows[row].key)))
      return choose(now, row);
  }
  if (key.text.size() > 1) log({.at = now, .what = What::lost, .text = key.text});
}

void Program::choose(MonoTime now, size_t row) {
  const std::unique_ptr<Asked> asked = std::move(asked_);
  const AskRow* chosen = row < asked->rows.size() ? &asked->rows[row] : nullptr;
  log({.at = now,
       .written = written_,
       .what = What::answered,
       .text = asked->question,
       .working = turn_.on,
       .blind = asked->shown == MonoTime{} || written_ < asked->shown,
       .ask = asked->ask,
       .dialog = asked->number,
       .subject = asked->about.subject,
       .row = row,
       .choice = chosen ? chosen->text : "Escape",
       .cost = chosen ? chosen->cost : Cost::destroys});
  forget(Due::still_asked);
  settle(now);
  changed(now);
  if (phase_ != Phase::up) return answered_at_start(now, *asked, chosen);
  answered(now, *asked, chosen);
}

void Program::answered_at_start(MonoTime now, const Asked& asked, const AskRow* row) {
  if (!row || row->cost == Cost::destroys ||
      (asked.ask == Ask::trust && row->cost != Cost::allow && row->cost != Cost::permission)) {
    if (asked.ask == Ask::update && row)
      launch_.outdated = false;  // done, and started again by hand
    leave(now, row ? 1 : 0);
    return;
  }
  if (asked.ask == Ask::trust) launch_.trusted = true;
  if (asked.ask == Ask::login) launch_.logged_in = true;
  if (asked.ask == Ask::update) launch_.outdated = false;
  ask_at_start(now);
}

void Program::answered(MonoTime now, const Asked& asked, const AskRow* row) {
  if (!row || (before_its_interface(asked.ask) && row->cost == Cost::destroys)) {
    leave(now, row ? 1 : 0);
    return;
  }
  if (asked.ask == Ask::survey) return;
  if (asked.ask == Ask::limit) {
    if (row->cost == Cost::money) limit_.reset();
    if (turn_.on && turn_.trouble == Trouble::limit)
      return row->cost == Cost::free ? failed(now) : go_on(now);
    return report(now, "idle");
  }
  if (!turn_.on) return report(now, "idle");
  if (permission(asked.ask) && row->cost == Cost::deny) {
    say({Said::By::refused, asked.about.subject});
    if (model_->deny_ends) return stop_turn(now, true);
    return go_on(now);
  }
  if (permission(asked.ask)) {
    turn_.tool = asked.about.subject;
    plan(Due::tool_ends, now + turn_.left / 2);
  }
  go_on(now);
}

void Program::go_on(MonoTime now) {
  report(now, "working");
  if (turn_.trouble != Trouble::none)
    plan(Due::retries, now + 2s);
  else
    plan(Due::turn_ends, now + turn_.left);
  plan(Due::spins, now + behaviour_.pace);
}

}  // namespace pawl::sim
