// What keys do: in the box, in its modes, and what Enter sends.

#include <algorithm>

#include "sim/world/agents/program.h"

namespace pawl::sim {
namespace {

using namespace std::chrono_literals;
using What = Entry::What;

constexpr Duration kHintLasts = 2s;

size_t line_count(std::string_view text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

// Not in the middle of a character.
size_t boundary(std::string_view text, size_t at) {
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
  return at;
}

bool blank(std::string_view text) {
  return text.find_first_not_of(" \t\n") == std::string_view::npos;
}

// Keys reach no text there.
bool deaf(Mode mode) {
  return mode == Mode::view || mode == Mode::editor;
}

}  // namespace

void Program::take(MonoTime now, const Typed& typed) {
  written_ = typed.written;
  if (phase_ == Phase::shell) {
    for (const Key& each : keys_.read(typed.bytes))
      if (phase_ == Phase::shell) shell_key(now, each);
    return;
  }
  const bool early = phase_ != Phase::up && !asked_;
  if (early && model_->early == Early::taken) {
    const MonoTime later = planned(Due::listens).value_or(now + 1s) + 10ms;
    input_.insert(input_.begin(), {later, typed.written, typed.bytes});
    return;
  }
  for (const Key& each : keys_.read(typed.bytes)) {
    if (phase_ == Phase::gone || phase_ == Phase::shell) return;
    const bool text = each.kind == Key::Kind::text || each.kind == Key::Kind::paste;
    if (early && each.kind != Key::Kind::reply && (!text || model_->early == Early::lost)) {
      if (text) log({.at = now, .what = What::lost, .text = each.text});
      continue;
    }
    key(now, each);
  }
}

void Program::key(MonoTime now, const Key& key) {
  if (key.kind == Key::Kind::reply) {
    if (model_->reports && !reports_ && key.text.starts_with("]7501;?")) {
      reports_ = true;
      report(now, turn_.on ? "working" : "idle");
      changed(now);
    }
    return;
  }
  mute_ = false;
  if (asked_ && asked_->ask != Ask::survey) return dialog_key(now, key);
  if (asked_ && box_.empty() && key.kind == Key::Kind::text) {
    for (size_t row = 0; row < asked_->rows.size(); ++row)
      if (key.text == std::string(1, asked_->rows[row].key)) return choose(now, row);
  }
  if (key.kind == Key::Kind::control) return control(now, key.text[0]);
  if (key.kind == Key::Kind::escape) return escape(now);
  if (key.kind == Key::Kind::enter) return enter(now);
  key_in_box(now, key);
  changed(now);
}

void Program::key_in_box(MonoTime now, const Key& key) {
  switch (key.kind) {
    case Key::Kind::text:
    case Key::Kind::paste:
      return typed(now, key.text, key.kind == Key::Kind::paste);
    case Key::Kind::newline:
      return box_.insert("\n");
    case Key::Kind::backspace:
      if (box_.empty()) return leave_mode(now);
      return box_.rub_out();
    case Key::Kind::left:
      if (box_.empty() && mode_ == Mode::prompt && !turn_.on && model_->has(Mode::agents))
        mode_ = Mode::agents;
      return box_.left();
    case Key::Kind::right:
      return box_.right();
    case Key::Kind::enter:
    case Key::Kind::escape:
    case Key::Kind::tab:
    case Key::Kind::up:
    case Key::Kind::down:
    case Key::Kind::control:
    case Key::Kind::reply:
      return;
  }
}

void Program::control(MonoTime now, char letter) {
  const auto toggle = [&](Mode mode) {
    if (!model_->has(mode) || turn_.on) return;
    mode_ = mode_ == mode ? Mode::prompt : mode;
    changed(now);
  };
  switch (letter) {
    case 'c':
      return interrupt_key(now);
    case 'd':
      if (box_.empty() && !turn_.on) leave(now);
      return;
    case 'u':
      box_.rub_out_line();
      return changed(now);
    case 'e':
      box_.line_end();
      return changed(now);
    case 'o':
      return toggle(Mode::view);
    case 'r':
      return toggle(Mode::search);
    case 'g':
      return toggle(Mode::editor);
    default:
      return;
  }
}

bool Program::opens_mode(std::string_view text) {
  if (!box_.empty() || mode_ != Mode::prompt || text.empty()) return false;
  const Mode mode = text[0] == '!' ? Mode::shell : text[0] == '#' ? Mode::memory : Mode::prompt;
  if (mode == Mode::prompt || !model_->has(mode)) return false;
  mode_ = mode;
  return true;
}

// Into the box, or to where it is lost.
void Program::typed(MonoTime now, std::string text, bool paste) {
  if (deaf(mode_) || mode_ == Mode::picker) {
    log({.at = now, .what = What::lost, .text = text});
    return;
  }
  if (mode_ == Mode::vim && !paste) {  // commands of its editor: two of them begin to insert
    if (text == "i" || text == "a") mode_ = Mode::prompt;
    return;
  }
  if ((!paste || model_->bang_paste) && opens_mode(text)) text.erase(0, 1);
  if (paste) pasted_ = now;
  if (paste && odd(Oddity::eat_paste, behaviour_.eats_paste)) {
    log({.at = now, .what = What::lost, .text = text});
    return;
  }
  if (paste && odd(Oddity::eat_part, behaviour_.eats_part)) text = eaten(text);
  const bool twice = paste && odd(Oddity::double_text, behaviour_.doubles);
  if (twice) log({.at = now, .what = What::doubled, .text = text});
  mute_ = paste && odd(Oddity::mute, behaviour_.mute);
  for (int i = 0; i < (twice ? 2 : 1); ++i) {
    const bool long_one =
        paste && ((model_->note_lines > 0 && line_count(text) >= model_->note_lines) ||
                  (model_->note_bytes > 0 && text.size() >= model_->note_bytes));
    if (long_one)
      box_.insert_note(text, model_->note(text, ++notes_));
    else
      box_.insert(text);
  }
}

// Programs lose whole pieces: the head, the tail, or something in the middle.
std::string Program::eaten(const std::string& text) {
  if (text.size() < 2) return "";
  const size_t length = 1 + chance_.below(text.size() - 1);
  const size_t places[] = {0, text.size() - length, chance_.below(text.size() - length + 1)};
  const size_t from = boundary(text, places[chance_.below(3)]);
  const size_t to = boundary(text, std::min(from + length, text.size()));
  log({.at = pasted_, .what = What::lost, .text = text.substr(from, to - from)});
  return text.substr(0, from) + text.substr(to);
}

void Program::leave_mode(MonoTime now) {
  if (mode_ == Mode::vim || mode_ == Mode::prompt) return;
  mode_ = Mode::prompt;
  changed(now);
}

void Program::escape(MonoTime now) {
  if (mode_ != Mode::prompt && mode_ != Mode::vim) {
    box_.clear();
    return leave_mode(now);
  }
  if (vim_ && mode_ == Mode::prompt) {
    mode_ = Mode::vim;
    return changed(now);
  }
  if (turn_.on) return stop_turn(now, false);
  forget(Due::continues);  // "esc to cancel"
  if (!box_.empty() || !model_->has(Mode::picker)) return;
  if (escaped_) mode_ = model_ == &kCodex ? Mode::view : Mode::picker;
  escaped_ = !escaped_;
  plan(Due::hint_ends, now + kHintLasts);
  changed(now);
}

void Program::interrupt_key(MonoTime now) {
  if (turn_.on) return stop_turn(now, false);
  if (!box_.empty() || (mode_ != Mode::prompt && mode_ != Mode::vim)) {
    box_.clear();
    leave_mode(now);
    return changed(now);
  }
  if (++interrupts_ >= model_->interrupts) {
    leave(now);
    return;
  }
  hint_ = "Press Ctrl-C again to exit";
  plan(Due::hint_ends, now + kHintLasts);
  changed(now);
}

void Program::enter(MonoTime now) {
  const std::string text = box_.whole();
  if (deaf(mode_)) return;
  if (mode_ == Mode::picker || mode_ == Mode::search) {
    if (!text.empty())
      log({.at = now, .what = What::took, .text = text, .reached = Reached::search});
    box_.clear();
    mode_ = Mode::prompt;
    return changed(now);
  }
  if (blank(text)) {
    if (mode_ == Mode::agents) leave_mode(now);
    return;
  }
  if (odd(Oddity::die_at_enter, behaviour_.dies_at_enter)) {
    die(now, 11);
    return;
  }
  if (!swallowed(now)) submit(now);
}

bool Program::swallowed(MonoTime now) {
  const bool soon = pasted_ != MonoTime{} && now - pasted_ < behaviour_.deaf;
  if (soon && chance_.happens(behaviour_.early_enter)) return true;
  if (odd(Oddity::newline_enter, soon ? behaviour_.early_newline : 0)) {
    box_.insert("\n");
    changed(now);
    return true;
  }
  if (!enter_lost_ && odd(Oddity::lose_enter, behaviour_.lost_enter)) return enter_lost_ = true;
  if (!turn_.on && odd(Oddity::dialog_at_enter, behaviour_.dialog_at_enter)) {
    show(now, Ask::command, {});
    return true;
  }
  return false;
}

void Program::submit(MonoTime now) {
  const std::string text = box_.whole();
  Entry entry{.at = now,
              .what = What::took,
              .text = text,
              .working = turn_.on,
              .jobs = jobs_,
              .blind = mode_ != mode_drawn_ || written_ < mode_shown_};
  enter_lost_ = false;
  forget(Due::still_idle);
  if (mode_ == Mode::shell || mode_ == Mode::memory || (model_->bang_text && text[0] == '!')) {
    entry.reached = mode_ == Mode::memory ? Reached::memory : Reached::shell;
    log(std::move(entry));
    if (mode_ != Mode::memory) say({Said::By::tool, text});
    box_.clear();
    mode_ = Mode::prompt;
    return changed(now);
  }
  if (text[0] == '/' && mode_ != Mode::agents) {
    entry.reached = Reached::command;
    log(std::move(entry));
    box_.clear();
    return command(now, text);
  }
  if (model_->ends_by_word && text == "exit") {
    entry.reached = Reached::command;
    log(std::move(entry));
    return (void)leave(now);
  }
  if (odd(Oddity::refuse, behaviour_.refuses)) {
    entry.reached = Reached::refused;
    log(std::move(entry));
    say({Said::By::note, "UserPromptSubmit operation blocked by hook:\n[check.sh]: not today"});
    return changed(now);
  }
  if (odd(Oddity::forget, behaviour_.forgets)) {
    log(std::move(entry));
    box_.clear();
    return changed(now);
  }
  const bool another = mode_ == Mode::agents;
  entry.reached = another ? Reached::agents : Reached::model;
  log(std::move(entry));
  box_.clear();
  if (another) {  // a session of its own, with nothing of what was said before
    mode_ = Mode::prompt;
    said_.clear();
    launch_.argv.clear();
    begin_conversation(now);
  }
  say({Said::By::prompt, text});
  turn_.prompt = text;
  if (model_->own_files) transcript_.user(wall(now), conversation_, launch_.dir, text);
  hook(now, Moment::prompt);
  changed(now);
  if (turn_.on) return;  // it goes into the turn under way
  plan(Due::turn_begins, odd(Oddity::slow_turn, behaviour_.slow_turn) ? now + 2s : now);
}

void Program::command(MonoTime now, const std::string& text) {
  changed(now);
  if (text == model_->quit || text == "/exit" || text == "/quit") {
    leave(now);
  } else if (text == "/compact" || text == "/compress") {
    begin_compacting(now);
  } else if (text == "/clear") {
    said_.clear();
    launch_.argv.clear();
    begin_conversation(now);
    hook(now, Moment::started, "clear");
  } else if (text == "/model" || text == "/settings" || text == "/permissions") {
    if (model_->has(Mode::picker)) mode_ = Mode::picker;
  } else if (text == "/vim") {
    vim(now);
  } else {
    say({Said::By::prompt, text});
    say({Said::By::note, "Unknown command: " + text});
  }
}

}  // namespace pawl::sim
