#pragma once
// The composition root: run()'s stack frame is the dependency graph. One daemon per PAWL_HOME.

#include <functional>
#include <optional>
#include <string>

#include "base/result.h"

namespace pawl::daemon {

// Runs until asked to leave (pawl daemon --stop, TERM, INT). Agents keep running in their holders.
// `dry_run`: rules decide and write down, and do nothing. `ready` is called once, when clients can connect.
// `drain_s`: told to end, nothing new is begun, and turns under way may go on for so long. Gives the exit code: 0, or 124 when
// that time was over.
Result<int> run(const std::string& home, bool dry_run, std::optional<double> drain_s,
                const std::function<void()>& ready);

}  // namespace pawl::daemon
