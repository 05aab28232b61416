#pragma once
// What PAWL_HOME holds that retention may let go, and how it goes (policy/forget.h decides what).
//
// The survey looks at every file of tasks/, agents/*/rec and archive/: with ten thousands of tasks that takes seconds, so the daemon
// has it done off its loop. It follows no link: where one of these folders is a link, what is behind it is not seen, and so not removed.
//
// What goes is first moved into the bin, PAWL_HOME/.forgotten, in one step; whoever looks there next empties it.

#include <string>

#include "model/retention.h"
#include "store/agent_files.h"
#include "store/disk.h"

namespace pawl::store {

model::Holdings survey(Disk& disk, const std::string& home);

void empty_bin(Disk& disk, const std::string& home);

// One thing that goes. Refuses what is not where such things are. Work that waits in an inbox is kept, as when an agent is removed.
Done forget(const AgentFiles& files, const model::Going& going);

// A task's agent and folder, by their names, when they are there.
Done forget_task(const AgentFiles& files, const std::string& agent, const std::string& folder);

}  // namespace pawl::store
