#pragma once
// `pawl export NAME FILE`: an agent's recording as a file for asciinema and other players. The file is there when it is whole, or as whole
// as the recording is.

#include "cli/commands.h"

namespace pawl::cli {

int export_recording(const Command& command);
// What a reply says beside what was asked for: that a recording is damaged. On stderr; true: it says something.
bool print_notice(const Json& reply);

}  // namespace pawl::cli
