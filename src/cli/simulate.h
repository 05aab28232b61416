#pragma once
// `pawl simulate`: the rules without agents, in virtual time (interfaces: "pawl simulate").

#include "cli/commands.h"

namespace pawl::cli {

int simulate(const Command& command);

}  // namespace pawl::cli
