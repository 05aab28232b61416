#pragma once
// The pure machine. plan() looks at the fleet and one input and says what follows: events to journal, effects to perform
// after that, answers to give. It changes nothing and does nothing; commit() is told when the events are safe.
//
// Every wish of an operator is a decision (intent) with exactly one outcome, also across a kill -9 of the daemon:
// what was cut off is looked at when the terminals that survived are known (input Recovered), never blindly repeated.

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/agenda.h"
#include "base/clock.h"
#include "core/input.h"
#include "core/plan/pending.h"
#include "core/plan/plan.h"
#include "model/fleet.h"

namespace pawl::core {

// A delivery that was withdrawn: after a second, and later each time while nothing changes.
inline constexpr Duration kTryAgain = std::chrono::seconds{1};
inline constexpr Duration kTryAgainMost = std::chrono::minutes{1};

class Supervisor {
 public:
  explicit Supervisor(model::Fleet fleet);

  Plan plan(const Clock& now, const Input& input) const;
  void commit(const Clock& now, const Plan& plan);
  const model::Fleet& fleet() const { return fleet_; }
  // Told before each plan: see Pending.
  void know_unsent(std::set<Seq> intents) { pending_.unsent = std::move(intents); }
  // A terminal has this number already, from another journal: events, and with them terminals, are counted on from there.
  void count_from(SessionId session) { fleet_.last = std::max(fleet_.last, Seq{session.value}); }
  // When a Tick is wanted.
  std::optional<MonoTime> wake_at() const { return pending_.wake_at(fleet_); }
  const KnownLeases& leases() const { return pending_.leases; }
  // Agents whose outbox has something that may be typed now; `later` is when the next one may be.
  std::vector<std::string> due(const Clock& now, std::optional<MonoTime>& later);
  // Agents that rules should look at now, because something happened or the time they asked for came; `later` as above.
  std::vector<std::string> to_consult(const Clock& now, std::optional<MonoTime>& later) const;

 private:
  void happened(const model::Event& event);
  void hear(const Clock& now, const LeaseNews& news);
  void writes(const model::Agent& agent);
  std::optional<MonoTime> may_type(const Clock& now, const std::string& name) const;
  void put_off(MonoTime now, const std::string& agent);
  // What kept its text from being typed may be over.
  void may_go_on(MonoTime now, const model::Event& event);
  void consult_again(const std::string& agent, std::optional<WallTime> when);

  model::Fleet fleet_;
  Pending pending_;
  std::set<std::string> writing_;       // agents with something in their outbox
  std::set<std::string> ripe_;          // of those: may it be typed now? To be asked anew
  Agenda<std::string, MonoTime> held_;  // … to be asked then
  struct PutOff {
    MonoTime until{};
    Duration pause{};  // of the last time
  };
  std::map<std::string, PutOff> put_off_;
  std::set<std::string> happened_;  // to agents, and rules have not looked yet
  Agenda<std::string, WallTime> consult_;
};

}  // namespace pawl::core
