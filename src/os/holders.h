#pragma once
// The processes that hold terminals, as /proc shows them: also those that do not answer, and to whoever is not the daemon.

#include <string>
#include <vector>

#include "os/proc.h"

namespace pawl::os {

struct HolderProcess {
  ProcessId id;
  std::string socket;  // "0.sock"
  bool stopped = false;
};

// Of the holders whose sockets are in `dir`. May wait for a process that hangs in the kernel (proc.h).
std::vector<HolderProcess> holders_in(const std::string& dir, const Proc& proc = Proc());

// By a signal.
bool stopped(const ProcessId& process);

}  // namespace pawl::os
