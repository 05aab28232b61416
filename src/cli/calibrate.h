#pragma once
// `pawl calibrate`: a person shows an unknown agent idle, busy and in a dialog; the result is a profile and its tests
// (doc/calibrate.md).

#include "cli/commands.h"

namespace pawl::cli {

int calibrate(const Command& command);

}  // namespace pawl::cli
