// What the program is told to do, and the words of it.

#include <array>

#include "base/text.h"
#include "sim/world/agents/program.h"

namespace pawl::sim {
namespace {

constexpr std::array<std::string_view, static_cast<size_t>(Oddity::count)> kOddities{
    "eat_paste",     "eat_part",  "double_text", "slow_echo",       "mute",         "lose_enter",
    "newline_enter", "refuse",    "forget",      "dialog_at_enter", "die_at_enter", "lose_hook",
    "double_hook",   "late_hook", "no_status",   "late_status",     "wrong_status", "slow_turn"};

// The value of an enum whose word this is.
template <class Enum>
std::optional<Enum> named(std::string_view text, Enum last) {
  for (size_t i = 0; i <= static_cast<size_t>(last); ++i)
    if (word(static_cast<Enum>(i)) == text) return static_cast<Enum>(i);
  return std::nullopt;
}

std::optional<Duration> duration(std::string_view text) {
  const auto seconds = parse_duration_s(text);
  if (!seconds) return std::nullopt;
  return Duration{static_cast<int64_t>(*seconds * 1e6)};
}

// "subject // content // reason"
About about(std::string_view text) {
  constexpr std::string_view kSeparator = " // ";
  About out;
  for (std::string* part : {&out.subject, &out.content, &out.reason}) {
    const size_t end = std::min(text.find(kSeparator), text.size());
    *part = text.substr(0, end);
    text.remove_prefix(std::min(end + kSeparator.size(), text.size()));
  }
  return out;
}

struct Words {
  std::string_view first, rest;
};

Words cut(std::string_view text) {
  text = trim(text);
  const size_t end = std::min(text.find(' '), text.size());
  return {text.substr(0, end), trim(text.substr(end))};
}

}  // namespace

bool Program::work(MonoTime now, Duration lasts) {
  if (!up() || turn_.on || asked_) return false;
  turn_.prompt.clear();
  begin_turn(now, lasts);
  return true;
}

bool Program::fail(MonoTime now, Trouble trouble, WallTime until) {
  if (trouble == Trouble::none || !up()) return false;
  next_limit_ = until;
  if (!turn_.on) {
    next_trouble_ = trouble;
    return true;
  }
  if (trouble == Trouble::limit) limit_ = until;
  turn_.trouble = trouble;
  if (asked_) return true;  // what it asked for comes first
  forget(Due::turn_ends);
  plan(Due::fails, now);
  return true;
}

bool Program::open(MonoTime now, Mode mode) {
  if (!up() || asked_ || !model_->has(mode)) return false;
  if (mode == Mode::vim) vim_ = true;
  mode_ = mode;
  changed(now);
  return true;
}

bool Program::vim(MonoTime now) {
  if (!up() || !model_->has(Mode::vim)) return false;
  vim_ = !vim_;
  mode_ = Mode::prompt;
  changed(now);
  return true;
}

bool Program::draft(MonoTime now, const std::string& text) {
  if (!up() || asked_) return false;
  box_.insert(text);
  changed(now);
  return true;
}

bool Program::run_tool(MonoTime now, const std::string& command, Duration lasts) {
  if (!turn_.on || asked_) return false;
  turn_.tool = command;
  tool(now, true);
  plan(Due::tool_ends, now + lasts);
  const MonoTime ends = planned(Due::turn_ends).value_or(now);
  plan(Due::turn_ends, std::max(ends, now + lasts + std::chrono::seconds{1}));
  return true;
}

bool Program::leave_job(MonoTime now, Duration lasts) {
  if (!up()) return false;
  ++jobs_;
  plan(Due::job_ends, now + lasts);
  changed(now);
  return true;
}

bool Program::compact(MonoTime now) {
  if (!up() || asked_) return false;
  begin_compacting(now);
  return true;
}

bool Program::hang(MonoTime now, std::optional<Duration> lasts) {
  if (phase_ == Phase::gone || phase_ == Phase::shell) return false;
  settle(now);
  hung_ = lasts ? now + *lasts : MonoTime::max();
  return true;
}

bool Program::garble(MonoTime now) {
  if (phase_ == Phase::gone) return false;
  put(now, "\x1b[31m\xff\xfe\x1b[?;;z\x1b]52;c;?\a garbled \x1b[10;3H####\x1b[0m");
  return true;
}

bool Program::order(MonoTime now, std::string_view words) {
  const auto [verb, rest] = cut(words);
  const auto [first, more] = cut(rest);
  const std::string text(rest);
  const auto lasts = duration(first);
  if (verb == "work") return lasts && work(now, *lasts);
  if (verb == "draft") return draft(now, text);
  if (verb == "vim") return vim(now);
  if (verb == "compact") return compact(now);
  if (verb == "update") return update(now);
  if (verb == "garble") return garble(now);
  if (verb == "crash") return die(now, 11);
  if (verb == "oom") return die(now, 9);
  if (verb == "leave") return leave(now);
  if (verb == "hang") return (rest.empty() || lasts) && hang(now, lasts);
  if (verb == "job") return lasts && leave_job(now, *lasts);
  if (verb == "tool") return lasts && run_tool(now, std::string(more), *lasts);
  if (verb == "type") return up() && (read(now, rest), true);
  if (verb == "open") {
    const auto mode = named(first, Mode::vim);
    return mode && open(now, *mode);
  }
  if (verb == "ask" || verb == "instead") {
    const auto kind = named(first, Ask::strange);
    return kind &&
           (verb == "ask" ? ask(now, *kind, about(more)) : instead(now, *kind, about(more)));
  }
  if (verb == "fail") {
    const auto trouble = named(first, Trouble::context);
    const auto wait = duration(more);
    return trouble && fail(now, *trouble, wall(now) + wait.value_or(behaviour_.limit_to));
  }
  if (verb != "expect") return false;
  for (size_t i = 0; i < kOddities.size(); ++i)
    if (kOddities[i] == first) return expect(static_cast<Oddity>(i)), true;
  return false;
}

}  // namespace pawl::sim
