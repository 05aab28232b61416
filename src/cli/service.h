#pragma once
// `pawl install-service`: the daemon as a unit of the user's systemd, so that agents and tasks come back after a reboot.

#include "cli/commands.h"

namespace pawl::cli {

// The unit's text. `home`: PAWL_HOME when it is not the default, else empty.
std::string unit_text(const std::string& program, const std::string& home,
                      const std::string& path);

int install_service(const Command& command);

}  // namespace pawl::cli
