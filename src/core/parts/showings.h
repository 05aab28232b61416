#pragma once
// Which dialog people were shown last, for each agent: an answer that names none is meant for that one.

#include <map>
#include <string>

#include "model/fleet.h"

namespace pawl::core {

class Showings {
 public:
  // A person was shown this agent as it is now.
  void shown(const model::Agent& agent) {
    if (agent.dialog)
      last_[agent.spec.name] = agent.dialog->id;
    else
      last_.erase(agent.spec.name);
  }
  // The id of the dialog; empty: none was shown.
  std::string last(const std::string& agent) const {
    const auto it = last_.find(agent);
    return it == last_.end() ? std::string() : it->second;
  }
  void forget(const std::string& agent) { last_.erase(agent); }

 private:
  std::map<std::string, std::string> last_;
};

}  // namespace pawl::core
