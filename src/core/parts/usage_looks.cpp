#include "core/parts/usage_looks.h"

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
  if (!tells_in_file(agent)) return;
  looks_.set(agent.spec.name, now);
  again_.insert(agent.spec.name);
}

void UsageLooks::changed(MonoTime now, const model::Agent& agent,
                         const model::StateChanged& change) {
  if (!works(agent) && change.from != change.to) return soon(now, agent);
  if (works(agent) && tells_in_file(agent) && !looks_.contains(agent.spec.name))
    looks_.set(agent.spec.name, now + kUsageLookEvery);
}

void UsageLooks::looked(MonoTime now, const std::string& name, const model::Agent* agent,
                        bool more) {
  if (agent && more)
    looks_.set(name, now + kUsageLookOn);
  else if (again_.erase(name) > 0 && agent)
    looks_.set(name, now + kUsageLookAgain);
  else if (agent && works(*agent))
    looks_.set(name, now + kUsageLookEvery);
  else
    looks_.drop(name);
}

}  // namespace pawl::core
