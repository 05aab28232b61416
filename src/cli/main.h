#pragma once
// The command line: parses, asks the daemon, renders. Holds no state of its own.

#include <functional>
#include <string>

#include "base/result.h"

namespace pawl::cli {

using RunDaemon =
    std::function<Done(const std::string& home, bool dry_run, const std::function<void()>& ready)>;

// The exit code of the process (interfaces: 0 done, 1 failed, 2 usage, 3 … 124 timed out).
int main(int argc, char** argv, const RunDaemon& run_daemon);

}  // namespace pawl::cli
