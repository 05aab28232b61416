#pragma once
// What a session left behind: processes that detached themselves from the terminal (nohup, setsid,
// double fork). They descend from the session's keeper (lineage.h), whatever they did to their
// environment, or still carry the session's cookie there. Used by the daemon's stop, after the
// child's own group is gone.

#include <string>
#include <vector>

#include "base/units.h"
#include "host/lineage.h"
#include "os/process.h"

namespace pawl::host {

// Every living process of the session, the child itself included. Walks /proc: for the rare stop,
// not for a loop.
std::vector<os::ProcessId> leftovers(const std::string& home, SessionId session);

// Signals what all these sessions left; returns how many there were. Never a root itself, nor what
// descends from another session's, whatever its environment says.
size_t signal_leftovers(const std::string& home, const std::vector<SessionId>& sessions,
                        int signal_number, const std::vector<Root>& roots = {});

// Signals all of them; returns how many there were. Call again (and with SIGKILL) until it says 0.
size_t signal_leftovers(const std::string& home, SessionId session, int signal_number);

}  // namespace pawl::host
