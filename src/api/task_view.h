#pragma once
// A task as JSON: the keys of its manifest (doc/task.md), unknown ones null.

#include "model/fleet.h"

namespace pawl::api {

Json task_view(const model::Agent& agent);
// The exit code of whoever waits for it (interfaces: "pawl task"); 0 while it is under way.
int task_code(const model::Agent& agent);
// Nothing is done about it until its account allows that again. When that is now, it goes on in a moment.
bool held_up(const model::Agent& agent, const Clock& now);
// The agent that has this task; null: none has.
const model::Agent* find_task(const model::Fleet& fleet, const std::string& name);

}  // namespace pawl::api
