#pragma once
// What this life of the daemon knows beyond the journal: when intents began, and who waits for an outcome. Owned by the
// supervisor; planning reads it.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/plan/known_leases.h"
#include "core/plan/plan.h"
#include "model/fleet.h"

namespace pawl::core {

struct Pending {
  struct Live {  // of an intent
    std::string agent;
    MonoTime started;  // when it was committed
    std::vector<RequestId> waiting;
  };
  std::map<Seq, Live> live;
  std::set<Seq> killing;               // of those: a program is to end, and no KILL went out yet
  std::map<uint64_t, Sender> senders;  // by item
  std::set<std::string> limited;       // who is at a limit, so that nobody else is looked at
  std::set<Seq> unsent;                // texts on their way for which Enter was not pressed
  KnownLeases leases;                  // of tasks of the fleet

  void begin(Seq intent, model::Action action, const std::string& agent, MonoTime now);
  void end(Seq intent);
  // The agent whose open intent this is; null: it is over.
  const model::Agent* agent_of(const model::Fleet& fleet, Seq intent) const;
  // The agent this intent wants to see end, when a KILL is still to come.
  const model::Agent* unkilled(const model::Fleet& fleet, Seq intent) const;
  // When the next KILL is due, or something is to be done about a lease.
  std::optional<MonoTime> wake_at(const model::Fleet& fleet) const;
};

}  // namespace pawl::core
