// Tasks of the fleet, as whoever has their leases wants to know them.

#include "core/inside.h"

namespace pawl::core {

LeasedTask Inside::leased_task(const model::Agent& agent) const {
  const model::Task& task = *agent.task;
  LeasedTask out;
  out.agent = agent.spec.name;
  out.task = task.order.name;
  out.dir = task.order.dir;
  out.lease = task.order.lease;
  out.status = task.status;
  out.reason = task.reason;
  out.detail = task.detail;
  out.exit_code = task.exit_code;
  out.finished = task.finished;
  out.over = model::final(task.status);
  out.runs = agent.running();
  const auto* known = supervisor_.leases().find(agent.spec.name);
  if (known && !known->guessed) out.until = known->until;
  out.confirmed = known && known->stage != LeaseStage::unheard;
  return out;
}

std::vector<LeasedTask> Inside::leased() const {
  std::vector<LeasedTask> out;
  for (const auto& [name, agent] : fleet().agents)
    if (agent.task && agent.task->order.lease.held() && !model::final(agent.task->status))
      out.push_back(leased_task(agent));
  return out;
}

void Inside::note_lease_end(const model::Agent& agent) {
  if (agent.task && agent.task->order.lease.held() && model::final(agent.task->status))
    lease_ends_.over(leased_task(agent), agent.session);
}

// Whoever has their leases may not have heard of their ends: it was about to be told when the last daemon died.
void Inside::recover_lease_ends(const Clock& now) {
  for (const auto& [name, agent] : fleet().agents) note_lease_end(agent);
  const auto filed =
      journal_.tasks().list({.since = now.wall - kLeaseEndsTold, .limit = kLeaseEndsListed});
  if (!filed) return;
  for (const auto& agent : *filed) note_lease_end(agent);
}

}  // namespace pawl::core
