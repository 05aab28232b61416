#pragma once
// Who asks? A process that descends from an agent's program is that agent, whatever it says; so is one in the
// program's session, which is everybody who has its terminal as the controlling one. What cut itself loose (setsid, double fork,
// an empty environment) is still a child of the holder, which is its reaper: then it is of an agent, and not known of which.
//
// What runs in a server that several agents share is of an agent, too, and not known of which; whoever started that server.
//
// Not seen is what had another program started for it: at, cron, systemd-run, a container, a tmux server of its own kind. And a
// process that is of no holder (a tmux pane's) and cut itself loose.
//
// Reads /proc/PID/stat only, which never waits. Used by the daemon when a client connects.

#include <vector>

#include "host/lineage.h"

namespace pawl::host {

struct Traced {
  enum class Where {
    outside,  // of all agents
    inside,  // of this session; 0: of a holder's, kShared: of a shared server's, not known of which
    daemon,  // a program that the daemon itself started
    untraced,  // it is gone, or its ancestors changed as fast as they were looked at
  };
  Where where = Where::untraced;
  SessionId session = {};
  pid_t server = 0;     // … that shared server
  bool orphan = false;  // it cut itself loose, and the session's keeper has it
};

constexpr size_t kAncestors = 256;  // more are not followed: untraced
constexpr int kTraces = 8;          // tries, while ancestors end under our eyes

// `roots` as PtyHost::roots() has them, with panes: one without a session is a holder, unless it is the daemon. `servers`: names
// (lineage.h).
Traced trace(pid_t process, const std::vector<Root>& roots, pid_t daemon,
             const std::vector<std::string>& servers = {}, const os::Proc& proc = os::Proc());

}  // namespace pawl::host
