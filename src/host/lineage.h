#pragma once
// Whose is this process? By descent, which nothing a program does to its environment, its session or its terminal changes:
// a process that lets go of its parent is given to the nearest keeper above it (holder/keeper.h), and every session has one.
//
// Pure but for /proc. What is read there is true for an instant only: a line of parents that changed while it was read is read
// again, and what stays uncertain is nobody's.

#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "os/proc.h"
#include "os/process.h"

namespace pawl::host {

constexpr int kAncestorsVisited = 4096;
inline constexpr const char* kKeeperName =
    "pawl-keeper";  // as the kernel has it (holder/keeper.cpp)

// A process that everything below it belongs to: a session's keeper, or its program. Session 0: what is below is nobody's
// (the daemon, a holder), unless a session's own root comes first.
struct Root {
  os::ProcessId process;
  SessionId session;
};

// A server that all windows of a program share (Codex), whoever of them started it: what it runs may be any agent's. It leads a
// session of processes of its own and has no terminal; `names` are as the kernel has them, from the profiles.
inline constexpr SessionId kShared{~uint64_t{0}};
bool shared_server(const os::Stat& stat, const std::vector<std::string>& names);
// Those that are there now, as roots of nobody's session but kShared.
std::vector<Root> shared_servers(const std::vector<std::string>& names,
                                 const os::Proc& proc = os::Proc());

// The session of the nearest root that it descends from, or is.
std::optional<SessionId> session_of(pid_t pid, const std::vector<Root>& roots,
                                    const os::Proc& proc = os::Proc());

// Everything alive that descends from these sessions' roots, without the roots themselves and what is below another's.
std::vector<os::ProcessId> descendants(const std::vector<SessionId>& sessions,
                                       const std::vector<Root>& roots,
                                       const os::Proc& proc = os::Proc());

}  // namespace pawl::host
