#pragma once
// How long tasks of the fleet may run, as this life of the daemon was told: never from the journal, so that a daemon that was started,
// after a reboot or not, knows of no lease before somebody confirms it. Part of Pending; plan/leases.cpp acts on it.
//
// Two clocks: a lease ends by the one that goes on during a suspend, the daemon is woken by the other. Whichever comes first counts.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "core/plan/plan.h"
#include "model/fleet.h"

namespace pawl::core {

class KnownLeases {
 public:
  struct Known {
    BootTime until;  // the lease; of one that is not confirmed: as long as that is waited for
    LeaseStage stage = LeaseStage::unheard;
    bool guessed = false;
    std::optional<MonoTime> at = {};  // something is to be done about it
  };

  void note(const Clock& now, const LeaseNews& news);
  void forget(const std::string& agent) { known_.erase(agent); }

  const Known* find(const std::string& agent) const;
  // Why nothing may be begun for this agent; empty: it has no lease to keep, or one that lasts.
  std::string gap(const model::Agent& agent, BootTime now) const;
  // Whose next step is due now.
  std::vector<std::string> due(const Clock& now) const;
  std::optional<MonoTime> wake_at() const;

 private:
  static bool is_due(const Known& one, const Clock& now);

  std::map<std::string, Known> known_;
};

// When the next thing is to be done about it; nothing: never.
std::optional<BootTime> next_step(BootTime until, LeaseStage stage);

}  // namespace pawl::core
