#pragma once
// The composition root: run()'s stack frame is the dependency graph. One daemon per PAWL_HOME.

#include <functional>
#include <string>

#include "base/result.h"

namespace pawl::daemon {

// Runs until asked to leave (pawl daemon --stop, TERM, INT). Agents keep running in their holders.
// `dry_run`: rules decide and write down, and do nothing. `ready` is called once, when clients can connect.
Done run(const std::string& home, bool dry_run, const std::function<void()>& ready);

}  // namespace pawl::daemon
