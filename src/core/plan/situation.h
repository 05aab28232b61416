#pragma once
// What the rules (policy/) see of an agent: the fleet, and what only the world knows (RulesDue).

#include "core/input.h"
#include "model/fleet.h"
#include "policy/situation.h"

namespace pawl::core {

policy::Situation situation_of(WallTime now, const model::Agent& agent, const model::Fleet& fleet,
                               const RulesDue& due, const std::set<std::string>* limited = nullptr);

}  // namespace pawl::core
