#pragma once
// `pawl install-service`: the daemon as a unit of the user's systemd, so that agents and tasks come back after a reboot.

#include "cli/commands.h"

namespace pawl::cli {

// The unit's text; its first line tells later whether somebody changed it. `environment`: NAME=value.
std::string unit_text(const std::string& program, const std::vector<std::string>& environment);

int install_service(const Command& command);

}  // namespace pawl::cli
