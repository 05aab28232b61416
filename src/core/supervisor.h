#pragma once
// The pure machine. plan() looks at the fleet and one input and says what follows: events to journal, effects to perform
// after that, answers to give. It changes nothing and does nothing; commit() is told when the events are safe.
//
// Every wish of an operator is a decision (intent) with exactly one outcome, also across a kill -9 of the daemon:
// what was cut off is looked at when the terminals that survived are known (input Recovered), never blindly repeated.

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "core/effect.h"
#include "core/input.h"
#include "model/fleet.h"

namespace pawl::core {

struct Answer {
  RequestId request;
  Done done;
};

struct Plan {
  std::vector<model::Event> events;
  std::vector<Effect> effects;
  std::vector<Answer> answers;
  std::vector<std::pair<Seq, RequestId>> waits;  // who waits for the outcome of which intent
  std::vector<Seq> escalated;                    // stops that got their KILL
  bool adopts_intents = false;  // intents of an earlier life get their time from now on
};

class Supervisor {
 public:
  explicit Supervisor(model::Fleet fleet) : fleet_(std::move(fleet)) {}

  Plan plan(const Clock& now, const Input& input) const;
  void commit(const Clock& now, const Plan& plan);
  const model::Fleet& fleet() const { return fleet_; }
  // When a Tick is wanted.
  std::optional<MonoTime> wake_at() const;

 private:
  struct Live {  // of an intent, in this life of the daemon
    std::string agent;
    MonoTime started;     // when it was committed
    bool killed = false;  // the KILL after the TERM went out
    std::vector<RequestId> waiting;
  };
  friend class Planner;
  // The agent this intent wants to see end, when a KILL is still to come.
  const model::Agent* unkilled(Seq intent, const Live& live) const;

  model::Fleet fleet_;
  std::map<Seq, Live> live_;
};

}  // namespace pawl::core
