#pragma once
// How one agent spent its time between two instants, and what was done to it: added up from its events by api/report. Pure.
//
// What it was at the beginning is known only from its first change, or, when nothing changed, from how it is now: time is
// kept by phase, and "as at the beginning" is a phase that is resolved at the end. So it is also shown what happened after the end.

#include <map>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/json.h"
#include "model/event.h"
#include "model/fleet.h"

namespace pawl::api {

// Time in which it got nothing done, by cause.
struct Lost {
  Duration limited{}, crashed{}, waiting{}, stuck{}, idle{};
};

struct Spell {
  std::map<std::string, Duration> time;  // by state; "unwatched": no daemon was there
  Lost lost;
  int64_t turns = 0;  // from busy to ready
  int64_t work_done = 0, restarts = 0, nudges = 0;
  std::optional<int64_t> tokens;  // none: nobody told
  std::optional<double> cost_usd;

  void add(const Spell& other);
};
// The members of a report about it.
void put(Json& out, const Spell& spell);

class Tally {
 public:
  Tally(WallTime since, WallTime until) : until_(until), at_(since) {}

  void take(const model::Event& event);  // of this agent, or a gap of the fleet
  // `agent`: as it is after the last event; null when it was removed.
  Spell finish(const model::Agent* agent) const;
  std::string runtime() const { return spec_ ? spec_->runtime : ""; }
  // Of one that the fleet does not have any more.
  std::string gone() const;

 private:
  // A state, or one of these.
  static constexpr int kAtFirst = -1;  // as at the beginning
  static constexpr int kBorn = -2;     // registered, before anything else was heard of it
  static constexpr int kAbsent = -3;
  enum class Flag { at_first, no, yes };
  struct Phase {
    int state = kAtFirst;
    Flag dismissed = Flag::at_first;  // somebody wants it not to run
    Flag paused = Flag::at_first;
    bool watched = true;
    auto operator<=>(const Phase&) const = default;
  };

  void fold(const model::Event& event, const model::StateChanged& fact);
  void fold(const model::Event& event, const model::Decided& fact);
  void fold(const model::Event& event, const model::Finished& fact);
  void fold(const model::Event& event, const model::Registered& fact);
  void fold(const model::Event& event, const model::Removed& fact);
  void fold(const model::Event& event, const model::TaskFiled& fact);
  void fold(const model::Event& event, const model::Gap& fact);
  void fold(const model::Event& event, const model::Paused& fact);
  void fold(const model::Event& event, const model::WorkSettled& fact);
  void fold(const model::Event& event, const model::TaskGiven& fact);
  void fold(const model::Event& event, const model::TaskTold& fact);
  void fold(const model::Event& event, const model::TaskEnded& fact);
  void fold(const model::Event& event, const model::Spent& fact);
  template <class Other>
  void fold(const model::Event&, const Other&) {}

  bool late(const model::Event& event) const { return event.at > until_; }
  void advance(WallTime to);
  struct Dismissal {
    bool before = false;  // it must have been, until then
    bool now = false;
  };
  void dismissed(WallTime at, Dismissal what);
  void spend(int64_t tokens, std::optional<double> cost_usd);
  int state_in(const Phase& phase, const model::Agent* agent) const;
  bool should_run(const model::Agent* agent) const;

  WallTime until_;
  WallTime at_;  // up to here it is counted
  Phase now_;
  std::map<Phase, Duration> phases_;
  bool heard_ = false, born_ = false;
  std::optional<model::State> first_;
  std::optional<bool> first_dismissed_, first_paused_;
  std::optional<model::AgentSpec> spec_;
  std::optional<std::pair<Seq, bool>> open_;  // a decision, and whether it is a dry one
  std::optional<model::TaskReport> told_;
  std::optional<model::TaskEnded> over_;  // its task, and it was filed
  Spell counts_;
};

}  // namespace pawl::api
