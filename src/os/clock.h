#pragma once
// The one place that reads the kernel's clocks. Called by the daemon's loop and by the command line, by nobody else:
// everything below gets the time as an argument.

#include "base/clock.h"

namespace pawl::os {

Clock read_clock();

}  // namespace pawl::os
