#pragma once
// First use of a configuration file: `pawl up` shows what it would run and asks, `pawl trust` approves. What is approved is the text
// that was shown, whatever the file says afterwards. The daemon holds the line (api/trust_handlers.h).

#include "cli/commands.h"

namespace pawl::cli {

int up(const Command& command);
int trust(const Command& command);

}  // namespace pawl::cli
