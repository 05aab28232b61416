#pragma once
// Control groups (cgroup v2) of our own: each holds a program and everything it ever starts, so that all of it can be ended at
// once and the kernel keeps its limits. host/limits.h decides who gets one.
//
// Where they may be: below the group that the daemon runs in, when nobody but Pawl runs there and we may write to it (a container,
// a scope with Delegate=yes). Controllers are given to groups below only while no process is in the group itself: so the
// daemon and its holders move into a leaf beside the others, `pawl-daemon`. Never so in a *.service: systemd cannot put the service's
// next process there as long as groups below it have controllers (EBUSY, status=219/CGROUP), and a service has to be able to
// come back. There groups have no controllers: they find and end processes, and limit nothing. Limits are kept beside the service
// then, in a scope that systemd gives (host/scope.h).
//
// Nothing here waits, and every file is the kernel's own; tests have a folder in its place.

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace pawl::os {

inline constexpr const char* kLeafGroup = "pawl-daemon";

struct GroupPlace {
  std::string dir;                   // empty: nowhere, and `why` says it
  bool root = false;                 // of all groups: processes may stay in it
  bool leaf = false;                 // we are in its leaf already
  bool inside = false;               // … or in a session's group: an agent began us
  bool memory = false, cpu = false;  // limits that the kernel would keep below it
  bool service = false;              // systemd's: a scope beside it might keep limits
  std::string why;                   // what is not possible, for people
  std::string scope() const;         // its name, when it is one of systemd's
};

// `mine`: a process of ours. Changes nothing. `root`: where /proc and /sys are.
using Mine = std::function<bool(pid_t)>;
GroupPlace group_place(const Mine& mine, const std::string& root = "");
// The same for a group that was made for us: nobody else is in it.
GroupPlace place_in(const std::string& dir);
// Moves what is in it to its leaf and has the kernel keep limits below; what it will not keep is false in `place` afterwards.
Done prepare_groups(GroupPlace& place, pid_t own);

struct GroupLimits {
  uint64_t memory = 0;  // bytes; 0: none
  int cpu_pct = 0;      // of one processor; 0: none
};
// Makes it, or changes its limits when it is there.
Done make_group(const std::string& dir, const GroupLimits& limits);
Done enter_group(const std::string& dir, pid_t pid);
// Who was begun by an agent must not end with it.
Done leave_group(const GroupPlace& place, pid_t own);

// The folder of the group a process is in; empty: it is gone, or has none.
std::string group_of(pid_t pid, const std::string& root = "");
std::vector<pid_t> group_members(const std::string& dir);  // and of the groups below it
bool group_limits_memory(const std::string& dir);
// The file by which somebody has limited all of it ("memory.max"); empty: nobody has.
std::string group_limited_by(const std::string& dir);
// How many tasks it may have, as systemd's TasksMax= wants it.
std::string group_tasks_max(const std::string& dir);
// KILL to all of them at once, also to those that are being started. False: this kernel cannot (before 5.14).
bool kill_group(const std::string& dir);
// False: somebody is in it, or it is not there.
bool remove_group(const std::string& dir);

struct GroupStory {
  uint64_t oom_kills = 0;        // processes of it that the kernel killed for memory
  std::optional<uint64_t> peak;  // the most it had, in bytes
};
GroupStory group_story(const std::string& dir);

}  // namespace pawl::os
