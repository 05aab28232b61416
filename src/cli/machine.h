#pragma once
// Other machines on the command line: `pawl machine …`, and MACHINE/AGENT wherever a verb takes an agent or a task.

#include <optional>
#include <string>

#include "cli/commands.h"

namespace pawl::cli {

int machine_add(const Command& command);
int machine_ls(const Command& command);
int machine_rm(const Command& command);
int move_agent(const Command& command);

// The machine that the names of a request begin with ("gpu/docs"), when its door is to be asked; they are without it afterwards.
// Nothing: our own daemon is, which passes on what is for several machines. An error: a verb that is for one at a time, or a machine
// that nobody knows.
Result<std::optional<std::string>> machine_of(const std::string& home, Parsed& parsed);

// Where its daemon is spoken with, like any PAWL_HOME; ours runs then, or it is said why not.
Result<std::string> door_of(const std::string& home, const std::string& machine);

// The machine whose door this is; empty: it is a home.
std::string machine_at(const std::string& door);

// A sink for what a stream of several machines tells of them: on stderr.
void tell_machine(const Json& event);

// What the door of a machine answered, in our words where the pawl there is too old.
tl::unexpected<Error> said_there(const Command& command, const std::string& verb, Error error);

// A row for each machine that is not reached, or was left out. Lines end with \n.
std::string unreached(const Json& list);

}  // namespace pawl::cli
