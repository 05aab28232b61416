#pragma once
// A person at an agent's terminal.

#include <string>

#include "base/result.h"
#include "cli/terminal_guard.h"

namespace pawl::cli {

struct Attach {
  std::string home;
  std::string agent;
  bool read_only = false;
};

// Until the person leaves with Ctrl-\ or the program ends. When the daemon goes, the next one is waited for (next_daemon.h). The exit
// code.
int attach(const Attach& what);

// The same in a terminal that is raw already (terminal_guard.h), with its SIGWINCH. What it says at its end is the farewell's; the
// caller undoes what was painted.
Farewell attach_here(const Attach& what, int winch_fd);

}  // namespace pawl::cli
