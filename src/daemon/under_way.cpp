#include "daemon/under_way.h"

namespace pawl::daemon {
namespace {

constexpr Duration kSecondLook = std::chrono::seconds{4};  // policy/task.cpp takes two

}  // namespace

bool under_way(const model::Agent& agent, WallTime now) {
  using model::State;
  if (agent.task && !model::final(agent.task->status) && model::ended(agent.state))
    return now < agent.since + kSecondLook;
  if (!agent.running()) return false;
  const bool rests = agent.state == State::ready || agent.state == State::typing;
  return agent.state == State::busy || agent.intent || (rests && agent.memory.desk.given);
}

}  // namespace pawl::daemon
