#pragma once
// `pawl classify`: the detector without a daemon, on recordings and on still screens (interfaces: "pawl classify").

#include "cli/commands.h"

namespace pawl::cli {

int classify(const Command& command);

}  // namespace pawl::cli
