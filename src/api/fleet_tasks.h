#pragma once
// Tasks that any machine of the fleet may run: `pawl task start --on any` gives one to the fleet as a unit of work (doc/fleet.md). Until a
// machine has it, and after that machine is gone, the fleet is all there is to ask about it.

#include "api/any_task.h"
#include "api/handlers.h"

namespace pawl::api {

inline constexpr size_t kFleetPrompt = 384u << 10;  // a unit is one value of the bus

// `task start` with --on.
Outcome give_to_fleet(const Call& call);

// A unit of this name; null: there is none, or this machine is in no fleet.
Json unit_named(const Server& server, const std::string& name);
// … that is not the very run which this machine knows under that name (`local`): what the fleet says of it is newer.
Json unit_beside(const Server& server, const AnyAgent& local, const std::string& name);
// Those that no machine has yet, as `task ls` shows tasks.
Json waiting_units(const Server& server);
// … as `task status` shows a task.
Json unit_view(const Json& unit);
// Its words: from the machine that runs or ran it; of its result the fleet has the end.
Outcome unit_output(const Call& call, const Json& unit);
// To be gone on with, on the machine that has it.
Outcome resume_unit(const Call& call, const Json& unit);
// It was not begun, or can be ended by the fleet alone.
Outcome cancel_unit(const Call& call, const std::string& name);

}  // namespace pawl::api
