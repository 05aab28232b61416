#pragma once
// Tasks that any machine of the fleet may run: `pawl task start --on any` gives one to the fleet as a unit of work (doc/fleet.md). Until a
// machine has it, and after that machine is gone, the fleet is all there is to ask about it.

#include "api/handlers.h"

namespace pawl::api {

inline constexpr size_t kFleetPrompt = 384u << 10;  // a unit is one value of the bus

// `task start` with --on.
Outcome give_to_fleet(const Call& call);

// A unit of this name; null: there is none, or this machine is in no fleet.
Json unit_named(const Call& call, const std::string& name);
// … as `task status` shows a task.
Json unit_view(const Json& unit);
// It was not begun, or can be ended by the fleet alone.
Outcome cancel_unit(const Call& call, const std::string& name);

}  // namespace pawl::api
