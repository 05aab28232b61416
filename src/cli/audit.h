#pragma once
// `pawl audit`: who asked for what, and whether anybody changed what is written about it. Reads the journal's file itself: no daemon
// has to run, and none is asked.

#include "cli/commands.h"

namespace pawl::cli {

int audit(const Command& command);

}  // namespace pawl::cli
