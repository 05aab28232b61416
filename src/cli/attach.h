#pragma once
// A person at an agent's terminal.

#include <string>

#include "base/result.h"

namespace pawl::cli {

struct Attach {
  std::string home;
  std::string agent;
  bool read_only = false;
};

// Until the person leaves with Ctrl-\ or the program ends. When the daemon goes, the next one is waited for (next_daemon.h). The exit
// code.
int attach(const Attach& what);

}  // namespace pawl::cli
