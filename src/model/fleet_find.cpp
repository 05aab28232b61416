// Who is who in a fleet.

#include "model/fleet.h"

namespace pawl::model {

const Agent* Fleet::find(const std::string& name) const {
  const auto it = agents.find(name);
  return it == agents.end() ? nullptr : &it->second;
}

const AccountLimit* Fleet::limit_of(const Agent& agent) const {
  const auto it = accounts.find(agent.account());
  return it == accounts.end() ? nullptr : &it->second;
}

const Agent* Fleet::by_session(SessionId session) const {
  if (session.value == 0) return nullptr;
  if (const auto known = whose_.find(session); known != whose_.end()) {
    const Agent* agent = find(known->second);
    if (agent && agent->session == session) return agent;
    whose_.erase(known);
  }
  for (const auto& [name, agent] : agents)
    if (agent.session == session) {
      if (whose_.size() > 2 * agents.size()) whose_.clear();  // of sessions that are over
      whose_[session] = name;
      return &agent;
    }
  return nullptr;
}

}  // namespace pawl::model
