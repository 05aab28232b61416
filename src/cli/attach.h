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

// Until the person leaves with Ctrl-\, the program ends or the daemon goes. The exit code.
int attach(const Attach& what);

// Looks for Ctrl-\ in typed bytes: plain, and as kitty's and xterm's extended keyboards send it.
// What stands before it is kept in `keys`; true when it was there. A sequence cut in two is held back in `held`.
bool cut_at_detach(std::string& held, std::string& keys);

}  // namespace pawl::cli
