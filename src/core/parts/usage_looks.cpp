#include "core/parts/usage_looks.h"

#include <utility>

namespace pawl::core {
namespace {

// It may be using something. What is not known may be work as well.
bool works(const model::Agent& agent) {
  return agent.running() &&
         (agent.state == model::State::busy || agent.state == model::State::unknown);
}

}  // namespace

bool tells_in_file(const model::Agent& agent) {
  const bool known = !agent.transcript.empty() || !agent.session_id.empty();
  return known && (!agent.task || agent.task->order.interactive);
}

void UsageLooks::soon(MonoTime now, const model::Agent& agent) {
  if (tells_in_file(agent)) looks_[agent.spec.name] = {now, true};
}

void UsageLooks::changed(MonoTime now, const model::Agent& agent,
                         const model::StateChanged& change) {
  if (!tells_in_file(agent)) return;
  if (works(agent))
    looks_.try_emplace(agent.spec.name, Look{now + kUsageLookEvery, false});
  else if (change.from != change.to)
    looks_[agent.spec.name] = {now, true};
}

std::vector<std::string> UsageLooks::due(MonoTime now) const {
  std::vector<std::string> out;
  for (const auto& [name, look] : looks_)
    if (look.at <= now) out.push_back(name);
  return out;
}

void UsageLooks::looked(MonoTime now, const std::string& name, const model::Agent* agent,
                        bool more) {
  const auto it = looks_.find(name);
  if (it == looks_.end()) return;
  if (agent && more)
    it->second.at = now + kUsageLookOn;
  else if (agent && std::exchange(it->second.again, false))
    it->second.at = now + kUsageLookAgain;
  else if (agent && works(*agent))
    it->second.at = now + kUsageLookEvery;
  else
    looks_.erase(it);
}

std::optional<MonoTime> UsageLooks::wake_at() const {
  std::optional<MonoTime> out;
  for (const auto& [name, look] : looks_)
    if (!out || look.at < *out) out = look.at;
  return out;
}

}  // namespace pawl::core
