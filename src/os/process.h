#pragma once
// Processes, named so that a reused pid is never mistaken for the one we meant.

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace pawl::os {

// A pid alone means nothing after a while; with its start time (ticks since boot, /proc/PID/stat) it is one process for ever.
struct ProcessId {
  pid_t pid = 0;
  uint64_t start_ticks = 0;
  bool operator==(const ProcessId&) const = default;
};

std::optional<ProcessId> identify(pid_t pid);  // nothing when there is no such process
bool alive(const ProcessId& process);          // not a zombie, and the same one
// … and not on its way out either: a connection it closed by dying is closed a moment before it is gone.
bool goes_on(const ProcessId& process);
// Sends through a pidfd after checking the start time: never to a stranger. False when it is gone.
bool send_signal(const ProcessId& process, int signal_number);

// Every process whose environment holds `NAME=value`: what a child left behind, however it re-parented itself.
std::vector<ProcessId> with_environment(const std::string& name_equals_value);

// Every process that has this variable, with its value: one walk over /proc for many questions.
std::vector<std::pair<ProcessId, std::string>> carriers_of(const std::string& variable);

// Starts argv as a process of its own: new session, no terminal, stdin from /dev/null, stdout and stderr to `log`,
// re-parented away from us (never our child, never a zombie). `keep` stays open in it as descriptor 3.
struct Detached {
  std::vector<std::string> argv;
  std::string log = "/dev/null";
  std::string dir = "/";
  int executable = -1;  // a descriptor to execute instead of argv[0]
  int keep = -1;
};
Done start_detached(const Detached& what);

std::string own_executable();  // /proc/self/exe, resolved
std::vector<std::string> own_environment();

}  // namespace pawl::os
