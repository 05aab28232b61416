#pragma once
// `pawl fleet join`, `leave` and `ls`.

#include "cli/commands.h"

namespace pawl::cli {

int fleet_join(const Command& command);
int fleet_leave(const Command& command);
int fleet_ls(const Command& command);

}  // namespace pawl::cli
