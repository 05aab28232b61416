// The program's turns: how they begin, what may happen in them, how they end.

#include <algorithm>

#include "sim/world/agents/program.h"

namespace pawl::sim {
namespace {

using namespace std::chrono_literals;
using What = Entry::What;

constexpr Duration kIdleTold = 60s;  // after a turn, one hook says that it waits
constexpr Duration kCompacts = 25s;
constexpr Duration kFailsWithin = 400ms;  // a request that fails at once

std::string cut(std::string text) {
  if (text.size() <= kMostSaidBytes) return text;
  size_t size = kMostSaidBytes;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  text.resize(size);
  return text + "…";
}

}  // namespace

void Program::say(Said said) {
  const bool words = said.by != Said::By::error && said.by != Said::By::notice;
  if (words) said.text = cut(std::move(said.text));
  said_.push_back(std::move(said));
  if (said_.size() > kMostSaid) said_.erase(said_.begin());
}

// A limit lasts until its time: whoever tries before that is told again.
void Program::meet_limit(MonoTime now) {
  if (next_trouble_ == Trouble::limit) limit_ = next_limit_;
  const bool lasts = limit_ && *limit_ > wall(now);
  if (!lasts) limit_.reset();
  if (lasts)
    next_trouble_ = Trouble::limit;
  else if (next_trouble_ == Trouble::limit)
    next_trouble_ = Trouble::none;
}

void Program::begin_turn(MonoTime now, Duration lasts) {
  if (phase_ != Phase::up) return;
  forget(Due::still_idle);
  forget(Due::continues);
  settle(now);
  meet_limit(now);
  std::string prompt = std::move(turn_.prompt);
  turn_ = {};
  turn_.prompt = std::move(prompt);
  turn_.on = true;
  turn_.since = now;
  spin_ = 0;
  report(now, "working");
  plan(Due::turn_ends, now + lasts);
  plan(Due::spins, now + behaviour_.pace);
  draw_lots(now, lasts);
  changed(now);
}

// What will happen in it.
void Program::draw_lots(MonoTime now, Duration lasts) {
  const auto within = [&] { return now + chance_.between(lasts / 10, lasts * 9 / 10); };
  Trouble trouble = std::exchange(next_trouble_, Trouble::none);
  if (trouble == Trouble::none) {
    if (chance_.happens(behaviour_.limits)) {
      trouble = Trouble::limit;
      limit_ = wall(now) + chance_.between(behaviour_.limit_from, behaviour_.limit_to);
    } else if (chance_.happens(behaviour_.auth)) {
      trouble = Trouble::auth;
    } else if (chance_.happens(behaviour_.overload)) {
      trouble = Trouble::overload;
    } else if (chance_.happens(behaviour_.context_full)) {
      trouble = Trouble::context;
    }
  }
  if (trouble != Trouble::none) {
    turn_.trouble = trouble;
    forget(Due::turn_ends);
    plan(Due::fails, now + chance_.between(100ms, kFailsWithin));
    return;
  }
  if (tokens_ > behaviour_.context * int64_t{9} / 10) return begin_compacting(now);
  if (chance_.happens(behaviour_.asks)) {
    plan(Due::asks, within());
  } else if (chance_.happens(behaviour_.questions)) {
    plan(Due::questions, within());
  } else if (chance_.happens(behaviour_.tool)) {
    plan(Due::tool_begins, now + lasts / 4);
    plan(Due::tool_ends, now + lasts / 2);
  }
  if (chance_.happens(behaviour_.crashes)) plan(Due::dies, within());
  if (chance_.happens(behaviour_.hangs)) plan(Due::hangs, within());
}

void Program::forget_turn() {
  for (const Due due : {Due::turn_begins, Due::turn_ends, Due::spins, Due::tool_begins,
                        Due::tool_ends, Due::asks, Due::questions, Due::fails, Due::retries,
                        Due::compacted, Due::dies, Due::hangs, Due::still_asked})
    forget(due);
}

void Program::tool(MonoTime now, bool begins) {
  if (!turn_.on) return;
  turn_.answered = true;
  if (begins) {
    if (turn_.tool.empty()) turn_.tool = "make test";
    say({Said::By::tool, turn_.tool});
    hook(now, Moment::tool_begins, {}, turn_.tool);
    report(now, "working", "Running a command");
  } else {
    hook(now, Moment::tool_ends, {}, turn_.tool);
    report(now, "working");
    turn_.tool.clear();
  }
  changed(now);
}

void Program::end_turn(MonoTime now) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - turn_.since).count();
  forget_turn();
  settle(now);
  tokens_ += behaviour_.tokens;
  if (chance_.happens(behaviour_.jobs)) {
    ++jobs_;
    plan(Due::job_ends, now + chance_.between(behaviour_.job_from, behaviour_.job_to));
  }
  const std::string answer = "All is well here.";
  say({Said::By::answer, answer});
  if (auto words = model_->done(static_cast<int>(seconds), wall(now), jobs_); !words.empty())
    say({Said::By::done, std::move(words)});
  if (model_->own_files)
    transcript_.assistant(wall(now), conversation_, launch_.dir, answer, Trouble::none, tokens_);
  turn_.on = false;
  hook(now, Moment::turn_ends);
  report(now, "done");
  turn_ = {};
  if (chance_.happens(behaviour_.own_turns)) plan(Due::own_turn, now + chance_.between(1s, 30s));
  if (chance_.happens(behaviour_.surveys)) show(now, Ask::survey, {});
  if (hooked_ && model_->hooks == HookStyle::claude) plan(Due::still_idle, now + kIdleTold);
  changed(now);
}

// By Escape, or because a permission was refused. No hook tells of that.
void Program::stop_turn(MonoTime now, bool refused) {
  forget_turn();
  settle(now);
  const bool back = !refused && model_->gives_back && !turn_.answered && box_.empty() &&
                    !turn_.prompt.empty() && !said_.empty();
  if (back) {
    said_.pop_back();
    box_.insert(turn_.prompt);
  } else if (!refused) {
    say({Said::By::note, std::string(model_->interrupted)});
  }
  turn_ = {};
  report(now, "idle");
  changed(now);
}

// It tries again as often as it does that, and then says why it cannot.
void Program::failing(MonoTime now) {
  if (!turn_.on) return;
  if (turn_.trouble == Trouble::limit && limit_ && *limit_ <= wall(now)) {
    // It was over while somebody thought about a dialog.
    limit_.reset();
    turn_.trouble = Trouble::none;
    return plan(Due::turn_ends, now + std::max(turn_.left, Duration{3s}));
  }
  if (turn_.trouble == Trouble::limit && model_->limit_asks && turn_.attempt == 0) {
    turn_.attempt = 1;
    if (show(now, Ask::limit, {})) return;
  }
  const Patience patience = model_->patience(turn_.trouble);
  if (turn_.attempt >= patience.attempts) return failed(now);
  ++turn_.attempt;
  if (model_->tells_each) say(model_->failed(turn_.trouble, "").front());
  const int doublings = std::min(turn_.attempt - 1, 10);
  const Duration wait = std::min(patience.first * (1 << doublings), patience.most);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(wait).count();
  turn_.retry = model_->retry(turn_.trouble, turn_.attempt, static_cast<int>(seconds));
  plan(Due::retries, now + wait);
  changed(now);
}

void Program::failed(MonoTime now) {
  const Trouble trouble = turn_.trouble;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - turn_.since).count();
  forget_turn();
  settle(now);
  if (trouble == Trouble::limit && !limit_) limit_ = wall(now) + behaviour_.limit_to;
  const std::string until = limit_ ? model_->until(wall(now), *limit_) : "";
  std::string words;
  for (Said& said : model_->failed(trouble, until)) {
    if (words.empty()) words = said.text;
    say(std::move(said));
  }
  if (auto done = model_->done(static_cast<int>(seconds), wall(now), 0);
      !done.empty() && model_ == &kClaude)
    say({Said::By::done, std::move(done)});
  if (model_->own_files)
    transcript_.assistant(wall(now), conversation_, launch_.dir, words, trouble, tokens_);
  turn_.on = false;
  hook(now, Moment::turn_fails, words);
  report(now, "error");
  turn_ = {};
  if (trouble != Trouble::limit) limit_.reset();
  if (limit_ && chance_.happens(behaviour_.continues))
    plan(Due::continues, now + std::max(*limit_ - wall(now), Duration{}));
  if (trouble == Trouble::limit && chance_.happens(behaviour_.limit_menu))
    show(now, Ask::limit, {});
  changed(now);
}

void Program::job_ends(MonoTime now) {
  if (jobs_ > 0) --jobs_;
  changed(now);
  // Claude Code begins a turn when a shell behind it ends.
  if (model_ == &kClaude && !turn_.on) work(now, 3s);
}

void Program::begin_compacting(MonoTime now) {
  if (!turn_.on) begin_turn(now, kCompacts);
  for (const Due due :
       {Due::turn_ends, Due::asks, Due::questions, Due::tool_begins, Due::tool_ends, Due::fails})
    forget(due);
  turn_.compacting = true;
  turn_.trouble = Trouble::none;
  hook(now, Moment::compacts, "auto");
  plan(Due::compacted, now + kCompacts);
  changed(now);
}

}  // namespace pawl::sim
