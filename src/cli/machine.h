#pragma once
// Other machines on the command line: `pawl machine …`, and MACHINE/AGENT wherever a verb takes an agent or a task.

#include <optional>
#include <string>

#include "cli/commands.h"

namespace pawl::cli {

int machine_add(const Command& command);
int machine_ls(const Command& command);
int machine_rm(const Command& command);

// The machine that the names of a request begin with ("gpu/docs"); they are without it afterwards. Nothing: it is about this one. An
// error: several machines at once, or one that nobody knows.
Result<std::optional<std::string>> machine_of(const std::string& home, Parsed& parsed);

// Where its daemon is spoken with, like any PAWL_HOME; ours runs then, or it is said why not.
Result<std::string> door_of(const std::string& home, const std::string& machine);

// The machine whose door this is; empty: it is a home.
std::string machine_at(const std::string& door);

// A row for each machine that is not reached. Lines end with \n.
std::string unreached(const Json& list);

}  // namespace pawl::cli
