#pragma once
// `pawl fleet join`, `leave` and `ls`; and who may join: `enroll` and `revoke` (fleet_keys.cpp).

#include "cli/commands.h"

namespace pawl::cli {

// A task that the fleet has, or had, as one line.
std::string unit_line(const Json& task);

int fleet_join(const Command& command);
int fleet_leave(const Command& command);
int fleet_ls(const Command& command);
int fleet_enroll(const Command& command);
int fleet_revoke(const Command& command);

}  // namespace pawl::cli
