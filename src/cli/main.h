#pragma once
// The command line: parses, asks the daemon, renders. Holds no state of its own.

#include <functional>
#include <optional>
#include <string>

#include "base/result.h"

namespace pawl::cli {

struct DaemonWish {
  bool dry_run = false;
  std::optional<double> drain_s = {};  // when told to end: turns under way may go on for so long
};
// Gives the exit code.
using RunDaemon = std::function<Result<int>(const std::string& home, const DaemonWish& wish,
                                            const std::function<void()>& ready)>;

// The exit code of the process (interfaces: 0 done, 1 failed, 2 usage, 3 … 124 timed out).
int main(int argc, char** argv, const RunDaemon& run_daemon);

}  // namespace pawl::cli
