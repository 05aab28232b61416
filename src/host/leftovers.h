#pragma once
// What a session left behind: processes that detached themselves from the terminal (nohup, setsid,
// double fork) still carry the session's cookie in their environment. Used by the daemon's stop,
// after the child's own group is gone.

#include <string>
#include <vector>

#include "base/units.h"
#include "os/process.h"

namespace pawl::host {

// Every living process of the session, the child itself included. Walks /proc: for the rare stop,
// not for a loop.
std::vector<os::ProcessId> leftovers(const std::string& home, SessionId session);

// Signals what all these sessions left, in one walk; returns how many there were.
size_t signal_leftovers(const std::string& home, const std::vector<SessionId>& sessions,
                        int signal_number);

// Signals all of them; returns how many there were. Call again (and with SIGKILL) until it says 0.
size_t signal_leftovers(const std::string& home, SessionId session, int signal_number);

}  // namespace pawl::host
