#pragma once
// `pawl config check`: every mistake in a pawl.toml, without starting anything.

#include "cli/commands.h"

namespace pawl::cli {

int config(const Command& command);

}  // namespace pawl::cli
