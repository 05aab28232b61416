// The program's time: what is planned, what is due, what comes out.

#include "sim/world/agents/program.h"

#include <algorithm>

namespace pawl::sim {
namespace {

using namespace std::chrono_literals;

constexpr Duration kReadsWithin = 15ms;  // what was typed

}  // namespace

Program::Program(const Model& model, const Behaviour& behaviour, uint64_t seed)
    : model_(&model), behaviour_(behaviour), chance_(seed) {}

void Program::plan(Due due, MonoTime at) {
  forget(due);
  agenda_.push_back({at, due});
}

void Program::forget(Due due) {
  std::erase_if(agenda_, [&](const Plan& plan) { return plan.due == due; });
}

std::optional<MonoTime> Program::planned(Due due) const {
  for (const Plan& plan : agenda_)
    if (plan.due == due) return plan.at;
  return std::nullopt;
}

std::optional<MonoTime> Program::wake_at() const {
  std::optional<MonoTime> next;
  const auto consider = [&](MonoTime at) {
    if (!next || at < *next) next = at;
  };
  for (const Plan& plan : agenda_) consider(plan.at);
  if (!input_.empty()) consider(input_.front().at);
  if (!output_.empty()) consider(output_.front().at);
  if (hung_ && next) next = *hung_ == MonoTime::max() ? std::nullopt : std::optional(*hung_);
  for (const Hook& hook : hooks_) consider(hook.at);
  return next;
}

void Program::put(MonoTime at, std::string bytes, std::optional<Picture> whole) {
  const auto later = std::find_if(output_.begin(), output_.end(),
                                  [&](const Piece& piece) { return piece.at > at; });
  output_.insert(later, {at, std::move(bytes), whole});
}

void Program::read(MonoTime now, std::string_view bytes) {
  if (bytes.empty() || phase_ == Phase::gone || phase_ == Phase::none) return;
  MonoTime at = now + chance_.between(Duration{}, kReadsWithin);
  if (!input_.empty()) at = std::max(at, input_.back().at);
  input_.push_back({at, now, std::string(bytes)});
}

// One after the other in the order of time: what is printed, what was typed, what was planned.
std::string Program::print(MonoTime now) {
  std::string out;
  if (hung_ && *hung_ > now) return out;
  const MonoTime not_before = hung_.value_or(MonoTime::min());
  hung_.reset();
  for (;;) {
    const auto first = std::min_element(
        agenda_.begin(), agenda_.end(),
        [](const Plan& a, const Plan& b) { return a.at != b.at ? a.at < b.at : a.due < b.due; });
    const MonoTime never = MonoTime::max();
    const MonoTime plans = first == agenda_.end() ? never : first->at;
    const MonoTime reads = input_.empty() ? never : input_.front().at;
    const MonoTime prints = output_.empty() ? never : output_.front().at;
    const MonoTime next = std::min({plans, reads, prints});
    if (next > now || next == never) break;
    const MonoTime at = std::max(next, not_before);
    if (prints == next) {
      out += output_.front().bytes;
      if (output_.front().whole) shown(at, *output_.front().whole);
      output_.erase(output_.begin());
    } else if (reads == next) {
      const Typed typed = std::move(input_.front());
      input_.erase(input_.begin());
      take(at, typed);
    } else {
      const Due due = first->due;
      agenda_.erase(first);
      step(at, due);
    }
    if (hung_ && *hung_ > now) break;
  }
  return out;
}

void Program::shown(MonoTime at, const Picture& picture) {
  if (asked_ && picture.dialog == asked_->number && asked_->shown == MonoTime{}) asked_->shown = at;
  if (picture.mode != mode_drawn_) mode_shown_ = at;
  mode_drawn_ = picture.mode;
}

void Program::step(MonoTime now, Due due) {
  switch (due) {
    case Due::opened:
      return opened(now);
    case Due::listens:
      return listens(now);
    case Due::draws:
      return paint(now);
    case Due::spins:
      plan(Due::spins, now + behaviour_.pace);
      return spun(now);
    case Due::still_asked:
      return hook(now, Moment::asks_still);
    case Due::still_idle:
      return hook(now, Moment::idle_still);
    case Due::hint_ends:
      hint_.clear();
      interrupts_ = 0;
      escaped_ = false;
      return changed(now);
    case Due::restarts: {
      Launch again = launch_;
      again.wall = wall(now);
      return start(now, std::move(again));
    }
    case Due::hangs:
      hang(now, std::nullopt);
      return;
    case Due::dies:
      die(now, 11);
      return;
    case Due::typed:
    case Due::hang_ends:
    case Due::turn_begins:
    case Due::tool_begins:
    case Due::tool_ends:
    case Due::asks:
    case Due::questions:
    case Due::fails:
    case Due::retries:
    case Due::turn_ends:
    case Due::job_ends:
    case Due::own_turn:
    case Due::continues:
    case Due::compacted:
      break;
  }
  return step_turn(now, due);
}

void Program::step_turn(MonoTime now, Due due) {
  switch (due) {
    case Due::turn_begins:
      return begin_turn(now, chance_.between(behaviour_.turn_from, behaviour_.turn_to));
    case Due::own_turn:
    case Due::continues:
      limit_.reset();
      work(now, chance_.between(behaviour_.turn_from, behaviour_.turn_to));
      return;
    case Due::tool_begins:
      return tool(now, true);
    case Due::tool_ends:
      return tool(now, false);
    case Due::asks:
      show(now, Ask::command, {});
      return;
    case Due::questions:
      show(now, Ask::question, {});
      return;
    case Due::fails:
    case Due::retries:
      return failing(now);
    case Due::turn_ends:
      return end_turn(now);
    case Due::job_ends:
      return job_ends(now);
    case Due::compacted:
      turn_.compacting = false;
      tokens_ = 20'000;
      hook(now, Moment::compacted, "auto");
      return end_turn(now);
    case Due::opened:
    case Due::listens:
    case Due::typed:
    case Due::hang_ends:
    case Due::hangs:
    case Due::dies:
    case Due::still_asked:
    case Due::still_idle:
    case Due::hint_ends:
    case Due::restarts:
    case Due::spins:
    case Due::draws:
      return;
  }
}

bool Program::odd(Oddity oddity, double likelihood) {
  uint8_t& times = expected_[static_cast<size_t>(oddity)];
  if (times == 0) return chance_.happens(likelihood);
  --times;
  return true;
}

void Program::expect(Oddity oddity, unsigned times) {
  expected_[static_cast<size_t>(oddity)] = static_cast<uint8_t>(std::min(times, 255u));
}

std::vector<std::string> Program::take_hooks(MonoTime now) {
  std::vector<std::string> out;
  std::stable_sort(hooks_.begin(), hooks_.end(),
                   [](const Hook& a, const Hook& b) { return a.at < b.at; });
  size_t due = 0;
  while (due < hooks_.size() && hooks_[due].at <= now) out.push_back(std::move(hooks_[due++].text));
  hooks_.erase(hooks_.begin(), hooks_.begin() + static_cast<long>(due));
  return out;
}

std::vector<Entry> Program::take_log() {
  return std::exchange(log_, {});
}

}  // namespace pawl::sim
