#include "core/plan/pending.h"

#include "core/intent.h"

namespace pawl::core {

const model::Agent* Pending::agent_of(const model::Fleet& fleet, Seq intent) const {
  const auto it = live.find(intent);
  const model::Agent* agent = it == live.end() ? nullptr : fleet.find(it->second.agent);
  return agent && agent->intent && agent->intent->seq == intent ? agent : nullptr;
}

const model::Agent* Pending::unkilled(const model::Fleet& fleet, Seq intent,
                                      const Live& its) const {
  const model::Agent* agent = fleet.find(its.agent);
  if (its.killed || !agent || !agent->running() || !ending(*agent)) return nullptr;
  return agent->intent->seq == intent ? agent : nullptr;
}

std::optional<MonoTime> Pending::wake_at(const model::Fleet& fleet) const {
  std::optional<MonoTime> earliest;
  for (const auto& [intent, its] : live) {
    const model::Agent* agent = unkilled(fleet, intent, its);
    if (!agent) continue;
    const MonoTime due = its.started + stop_grace(*agent);
    if (!earliest || due < *earliest) earliest = due;
  }
  return earliest;
}

}  // namespace pawl::core
