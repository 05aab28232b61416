#pragma once
// Tasks that any machine of the fleet may run: `pawl task start --on any` gives one to the fleet as a unit of work (doc/fleet.md). Until a
// machine has it, and after that machine is gone, the fleet is all there is to ask about it.

#include "api/any_task.h"
#include "api/handlers.h"

namespace pawl::api {

inline constexpr size_t kUnitPrompt = 32u << 10;  // a larger one goes beside the unit, in parts

// `task start` with --on.
Outcome give_to_fleet(const Call& call);

// What a task's name means: a run that is here (`here`), or a unit of the fleet that another machine has, or none yet. Neither: nobody
// knows it. Of a unit that was begun again elsewhere, what the fleet says is newer than the run that is here.
struct TaskMeant {
  AnyAgent here;
  Json unit;
};
Result<TaskMeant> task_meant(core::Engine& engine, const Server& server, const std::string& name);
// What a new run of a unit is called on this machine: as the unit is, or with a number where an earlier run of it has that name.
std::string name_for_run(core::Engine& engine, const std::string& unit);
// Those that no machine has yet, as `task ls` shows tasks.
Json waiting_units(const Server& server);
// … as `task status` shows a task.
Json unit_view(const Json& unit);
// Its words: from the machine that runs or ran it; of its result the fleet has the end.
Outcome unit_output(const Call& call, const Json& unit);
// To be gone on with, on the machine that has it; begun again, when it is over.
Outcome resume_unit(const Call& call, const Json& unit);
// The unit of a run that is over: it goes on only as one of the fleet's, anywhere. None: it is not over there, or no unit.
std::optional<Json> ended_unit(const Server& server, const AnyAgent& run);
// Machines on which the unit of this run was before and did not come to its end: "gpu, pod". Null: on none.
Json left_on(const Server& server, const model::Agent& run);
// It was not begun, or can be ended by the fleet alone.
Outcome cancel_unit(const Call& call, const std::string& name);

}  // namespace pawl::api
