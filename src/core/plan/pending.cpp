#include "core/plan/pending.h"

#include "core/intent.h"

namespace pawl::core {

const model::Agent* Pending::agent_of(const model::Fleet& fleet, Seq intent) const {
  const auto it = live.find(intent);
  const model::Agent* agent = it == live.end() ? nullptr : fleet.find(it->second.agent);
  return agent && agent->intent && agent->intent->seq == intent ? agent : nullptr;
}

void Pending::begin(Seq intent, model::Action action, const std::string& agent, MonoTime now) {
  if (!live.try_emplace(intent, Live{agent, now, {}}).second) return;
  if (ends_a_program(action)) killing.insert(intent);
}

void Pending::end(Seq intent) {
  live.erase(intent);
  killing.erase(intent);
}

const model::Agent* Pending::unkilled(const model::Fleet& fleet, Seq intent) const {
  const model::Agent* agent = agent_of(fleet, intent);
  return agent && agent->running() && ending(*agent) ? agent : nullptr;
}

std::optional<MonoTime> Pending::wake_at(const model::Fleet& fleet) const {
  std::optional<MonoTime> earliest = leases.wake_at();
  for (const Seq intent : killing) {
    const model::Agent* agent = unkilled(fleet, intent);
    if (!agent) continue;
    const MonoTime due = live.at(intent).started + stop_grace(*agent);
    if (!earliest || due < *earliest) earliest = due;
  }
  return earliest;
}

}  // namespace pawl::core
