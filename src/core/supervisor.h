#pragma once
// The pure machine. plan() looks at the fleet and one input and says what follows: events to journal, effects to perform
// after that, answers to give. It changes nothing and does nothing; commit() is told when the events are safe.
//
// Every wish of an operator is a decision (intent) with exactly one outcome, also across a kill -9 of the daemon:
// what was cut off is looked at when the terminals that survived are known (input Recovered), never blindly repeated.

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "core/effect.h"
#include "core/input.h"
#include "model/fleet.h"

namespace pawl::core {

// What became of a text: "queued" is an answer too.
struct Receipt {
  std::string verdict;  // confirmed, stuck, unverified, queued
  std::string witness;  // how it is known, or why it waits
  int64_t took_ms = 0;
  size_t position = 0;                 // in the outbox, from 1
  std::optional<WallTime> until = {};  // queued: it waits for this time
  bool person = false;                 // queued: somebody has to do something first
  bool keepable = false;               // what was chosen could be kept as a rule, and is not
  bool plain = false;                  // to a program without an interface that is known
};

struct Answer {
  RequestId request;
  Done done;
  std::optional<Receipt> receipt = {};
};

struct Sender {
  RequestId request;
  bool patient = false;  // waits for an end, however many tries that takes
};

struct Plan {
  std::vector<model::Event> events;
  std::vector<Effect> effects;
  std::vector<Answer> answers;
  std::vector<std::pair<Seq, RequestId>> waits;      // who waits for the outcome of which intent
  std::vector<Seq> escalated;                        // stops that got their KILL
  std::vector<std::pair<uint64_t, Sender>> senders;  // who waits for the outcome of which item
  std::vector<uint64_t> told;                        // items whose senders were answered
  std::vector<std::string> put_off;                  // agents whose next delivery waits a while
  std::string consulted;                             // the agent that rules looked at; empty: none
  std::optional<WallTime> consult_again;             // … and want to look at again
  bool adopts_intents = false;  // intents of an earlier life get their time from now on
};

inline constexpr Duration kTryAgain = std::chrono::seconds{1};  // a delivery that was withdrawn

class Supervisor {
 public:
  explicit Supervisor(model::Fleet fleet);

  Plan plan(const Clock& now, const Input& input) const;
  void commit(const Clock& now, const Plan& plan);
  const model::Fleet& fleet() const { return fleet_; }
  // When a Tick is wanted.
  std::optional<MonoTime> wake_at() const;
  // Agents whose outbox has something that may be typed now; `later` is when the next one may be.
  std::vector<std::string> due(const Clock& now, std::optional<MonoTime>& later) const;
  // Agents that rules should look at now, because something happened or the time they asked for came; `later` as above.
  std::vector<std::string> to_consult(const Clock& now, std::optional<MonoTime>& later) const;

 private:
  struct Live {  // of an intent, in this life of the daemon
    std::string agent;
    MonoTime started;     // when it was committed
    bool killed = false;  // the KILL after the TERM went out
    std::vector<RequestId> waiting;
  };
  friend class PlanBuilder;
  friend class DeliveryPlanner;
  friend class RulePlanner;
  friend class Planner;
  // The agent this intent wants to see end, when a KILL is still to come.
  const model::Agent* unkilled(Seq intent, const Live& live) const;

  model::Fleet fleet_;
  std::map<Seq, Live> live_;
  std::map<uint64_t, Sender> senders_;  // by item
  std::set<std::string> writing_;       // agents with something in their outbox
  std::map<std::string, MonoTime> put_off_;
  void happened(const model::Event& event);
  std::set<std::string> happened_;  // to agents, and rules have not looked yet
  void consult_again(const std::string& agent, std::optional<WallTime> when);
  std::map<std::string, WallTime> consult_at_;
  std::set<std::pair<WallTime, std::string>> consult_order_;
};

}  // namespace pawl::core
