#pragma once
// A task that the fleet gave us, as whoever has its lease wants to know it. It is begun as every task (TaskAsked, with its lease and how
// long that lasts); what is heard of the lease is submitted as LeaseSeen. It never runs for longer than that said, whoever dies: the
// engine ends it kLeaseStop before the end, and its holder kLeaseHolder before it, by itself (model/lease.h).

#include <optional>
#include <string>

#include "base/clock.h"
#include "model/task.h"

namespace pawl::core {

struct LeasedTask {
  std::string agent, task;
  std::string dir;  // its folder
  model::Lease lease;
  model::TaskStatus status = model::TaskStatus::running;
  std::string reason, detail;
  std::optional<int> exit_code;
  std::optional<WallTime> finished;
  bool over = false;  // its status is the last one
  bool runs = false;  // its program is there, or on its way
  // Its lease lasts until then: as it was confirmed, or as the holder of its program has it from a life before. Nothing: nobody knows.
  std::optional<BootTime> until;
  bool confirmed = false;  // in this life
  // Over, and so many processes of it could not be killed: nobody else may run it before the lease has ended.
  size_t left = 0;
};

}  // namespace pawl::core
