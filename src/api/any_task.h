#pragma once
// A task, or the agent of one, wherever it is: in the fleet, or filed in the journal because it is over.

#include <memory>
#include <string>

#include "base/result.h"
#include "core/face.h"
#include "model/fleet.h"

namespace pawl::api {

// Of the fleet, or a copy of its own. As it is now: not to be kept over a turn.
using AnyAgent = std::shared_ptr<const model::Agent>;

// By the task's name, or its agent's; null: there is none. An error when the journal cannot be read.
Result<AnyAgent> any_task(core::Engine& engine, const std::string& name);
// By the agent's name alone; the agent of a task that was filed as well.
Result<AnyAgent> any_agent(core::Engine& engine, const std::string& name);
// It is in the fleet no longer.
bool filed(core::Engine& engine, const model::Agent& agent);

}  // namespace pawl::api
