#include "api/tally.h"

#include <algorithm>

namespace pawl::api {
namespace {

using model::Action;
using model::State;

Json seconds_json(Duration time) {
  return static_cast<double>(std::chrono::duration_cast<std::chrono::milliseconds>(time).count()) /
         1000;
}

// It should be started again, if it is meant to run.
bool down(State state) {
  return model::ended(state) || state == State::shell;
}

template <class Number>
void sum(std::optional<Number>& into, const std::optional<Number>& more) {
  if (more) into = into.value_or(0) + *more;
}

}  // namespace

void Spell::add(const Spell& other) {
  for (const auto& [state, spent] : other.time) time[state] += spent;
  lost.limited += other.lost.limited;
  lost.crashed += other.lost.crashed;
  lost.waiting += other.lost.waiting;
  lost.stuck += other.lost.stuck;
  lost.idle += other.lost.idle;
  turns += other.turns;
  work_done += other.work_done;
  restarts += other.restarts;
  nudges += other.nudges;
  sum(tokens, other.tokens);
  sum(cost_usd, other.cost_usd);
}

void put(Json& out, const Spell& spell) {
  Json time = Json::object();
  for (const auto& [state, spent] : spell.time) time.set(state, seconds_json(spent));
  out.set("time", std::move(time));
  out.set("lost", Json::object({{"limited", seconds_json(spell.lost.limited)},
                                {"crashed", seconds_json(spell.lost.crashed)},
                                {"waiting", seconds_json(spell.lost.waiting)},
                                {"stuck", seconds_json(spell.lost.stuck)},
                                {"idle", seconds_json(spell.lost.idle)}}));
  out.set("turns", spell.turns).set("work_done", spell.work_done);
  out.set("restarts", spell.restarts).set("nudges", spell.nudges);
  out.set("tokens", spell.tokens ? Json(*spell.tokens) : Json());
  out.set("cost_usd", spell.cost_usd ? Json(*spell.cost_usd) : Json());
}

void Tally::take(const model::Event& event) {
  std::visit([&](const auto& fact) { fold(event, fact); }, event.fact);
  // Who asked for an agent is written down before it is there.
  if (!event.agent.empty() && !std::holds_alternative<model::Requested>(event.fact)) heard_ = true;
}

void Tally::advance(WallTime to) {
  to = std::min(to, until_);
  if (to <= at_) return;  // the wall clock may step back; time spent may not
  phases_[now_] += to - at_;
  at_ = to;
}

void Tally::fold(const model::Event& event, const model::StateChanged& fact) {
  if (!first_) first_ = fact.from;
  if (late(event)) return;
  // What is alive is meant to be; when it ends without a word, it still is.
  if (!down(fact.from) && fact.from != State::unknown && now_.dismissed == Flag::at_first)
    dismissed(event.at, {.before = false, .now = false});
  advance(event.at);
  now_.state = static_cast<int>(fact.to);
  if (fact.from == State::busy && fact.to == State::ready) counts_.turns += 1;
}

void Tally::dismissed(WallTime at, Dismissal what) {
  if (!first_dismissed_) first_dismissed_ = what.before;
  if (at > until_) return;
  advance(at);
  now_.dismissed = what.now ? Flag::yes : Flag::no;
}

void Tally::fold(const model::Event& event, const model::Decided& fact) {
  if (fact.dry) {
    open_ = {event.seq, true};
    return;
  }
  open_ = {event.seq, false};
  if (fact.action == Action::stop) dismissed(event.at, {.before = false, .now = true});
  // Who starts it by hand found it not running and did not wait for a rule: it was not meant to run before.
  if (fact.action == Action::start || fact.action == Action::restart)
    dismissed(event.at, {.before = fact.rule.empty(), .now = false});
}

void Tally::fold(const model::Event& event, const model::Finished& fact) {
  const bool known = open_ && open_->first == fact.decision;
  const bool done = known ? !open_->second && !model::in_vain(fact.verdict)
                          : fact.verdict == model::Verdict::confirmed;
  if (late(event) || !done) return;
  if (fact.action == Action::restart) counts_.restarts += 1;
  if (fact.action == Action::nudge) counts_.nudges += 1;
}

void Tally::fold(const model::Event& event, const model::Registered& fact) {
  spec_ = fact.spec;
  born_ = born_ || !heard_;
  if (late(event) || (heard_ && now_.state != kAbsent)) return;
  advance(event.at);
  now_.state = now_.state == kAbsent ? static_cast<int>(State::unknown) : kBorn;
}

void Tally::fold(const model::Event& event, const model::Removed&) {
  if (late(event)) return;
  advance(event.at);
  now_.state = kAbsent;
}

void Tally::fold(const model::Event& event, const model::TaskFiled&) {
  if (late(event)) return;
  advance(event.at);
  now_.state = kAbsent;
}

std::string Tally::gone() const {
  if (!over_) return "it was removed";
  const std::string why = over_->reason.empty() ? "" : ": " + over_->reason;
  return "its task is over, " + std::string(word(over_->status)) + why;
}

void Tally::fold(const model::Event& event, const model::Gap& fact) {
  if (late(event)) return;
  advance(event.at - fact.length);
  now_.watched = false;
  advance(event.at);
  now_.watched = true;
}

void Tally::fold(const model::Event& event, const model::Paused& fact) {
  if (!first_paused_) first_paused_ = !fact.paused;
  if (late(event)) return;
  advance(event.at);
  now_.paused = fact.paused ? Flag::yes : Flag::no;
}

void Tally::fold(const model::Event& event, const model::WorkSettled& fact) {
  if (!late(event) && fact.done) counts_.work_done += 1;
}

void Tally::fold(const model::Event& event, const model::TaskGiven&) {
  told_ = model::TaskReport{};
  dismissed(event.at, {.before = true, .now = false});
}

void Tally::fold(const model::Event& event, const model::TaskEnded& fact) {
  over_ = fact;
  if (!late(event) && model::has_result(fact.status)) counts_.work_done += 1;
  dismissed(event.at, {.before = false, .now = true});
}

// A run counts from its start: what it told before the beginning is not known, so its first word is where counting begins.
void Tally::fold(const model::Event& event, const model::TaskTold& fact) {
  if (late(event)) return;
  if (told_) {
    const double cost = fact.report.cost_usd - told_->cost_usd;
    const int64_t tokens = fact.report.tokens - told_->tokens;
    if (tokens > 0 || cost > 0)
      spend(std::max<int64_t>(tokens, 0), cost > 0 ? std::optional(cost) : std::nullopt);
  }
  told_ = fact.report;
}

void Tally::fold(const model::Event& event, const model::Spent& fact) {
  if (!late(event)) spend(fact.tokens, fact.cost_usd);
}

void Tally::spend(int64_t tokens, std::optional<double> cost_usd) {
  counts_.tokens = counts_.tokens.value_or(0) + tokens;
  sum(counts_.cost_usd, cost_usd);
}

int Tally::state_in(const Phase& phase, const model::Agent* agent) const {
  if (phase.state >= 0 || phase.state == kAbsent) return phase.state;
  const State first = first_ ? *first_ : agent ? agent->state : State::unknown;
  const bool new_one =
      born_ && first == State::unknown && (first_ || !agent || agent->never_started());
  if (new_one && phase.state == kAtFirst) return kAbsent;
  return static_cast<int>(first);
}

bool Tally::should_run(const model::Agent* agent) const {
  if (agent && agent->task) return true;  // until it ended, which dismisses it
  const model::AgentSpec* spec = agent ? &agent->spec : spec_ ? &*spec_ : nullptr;
  return spec && spec->restart != model::Restart::never;
}

Spell Tally::finish(const model::Agent* agent) const {
  Tally whole = *this;
  whole.advance(until_);
  Spell spell = counts_;
  const bool dismissed_now =
      agent && (agent->memory.dismissed || (agent->task && model::final(agent->task->status)));
  for (const auto& [phase, spent] : whole.phases_) {
    const int number = whole.state_in(phase, agent);
    if (number < 0) continue;
    const State state = static_cast<State>(number);
    spell.time[phase.watched ? std::string(word(state)) : "unwatched"] += spent;
    if (!phase.watched) continue;
    const auto is = [](Flag flag, const std::optional<bool>& first, bool now) {
      return flag == Flag::at_first ? first.value_or(now) : flag == Flag::yes;
    };
    if (is(phase.paused, first_paused_, agent && agent->paused)) continue;  // a person's wish
    if (state == State::limited) spell.lost.limited += spent;
    if (state == State::waiting) spell.lost.waiting += spent;
    if (state == State::stuck) spell.lost.stuck += spent;
    if (state == State::ready) spell.lost.idle += spent;
    if (down(state) && should_run(agent) && !is(phase.dismissed, first_dismissed_, dismissed_now))
      spell.lost.crashed += spent;
  }
  return spell;
}

}  // namespace pawl::api
