#pragma once
// `pawl skill`: the page that teaches an orchestrating agent to use tasks, printed or put where that agent looks for it.

#include "cli/commands.h"

namespace pawl::cli {

int skill(const Command& command);

}  // namespace pawl::cli
