#pragma once
// The composition root: run()'s stack frame is the dependency graph. One daemon per PAWL_HOME.

#include <string>

#include "base/result.h"

namespace pawl::daemon {

// Runs until asked to leave (pawl daemon --stop, TERM, INT). Agents keep running in their holders.
Done run(const std::string& home);

}  // namespace pawl::daemon
