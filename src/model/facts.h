#pragma once
// What the kernel says about the processes of one terminal, at one instant: who is in front, in which mode the terminal is,
// what it all costs. Read off the loop by host/, or from a file beside a recording; judged by perceive/.

#include <optional>
#include <string>
#include <vector>

#include "model/event.h"

namespace pawl::model {

// Files of a program's own to read along: "{$X_DIR|~/.x}/{pid}.json". The variable and the home are those of the process in
// front, the pid is its own; empty: none.
struct OwnFiles {
  std::string status, transcript;
  uint64_t transcript_size = 0;  // when it was last read: at that size it is not read again
  bool effort = false;           // Facts::effort as well, which costs more: of tasks
  bool operator==(const OwnFiles&) const = default;
};

// What a program does that says nothing: compared with an earlier look, any difference is progress.
struct Effort {
  uint64_t moved = 0;           // bytes read and written by the whole tree, whatever they were
  uint64_t family = 0;          // another number when one of its processes began or ended
  bool reads_terminal = false;  // one in front waits in the kernel for a key
  bool operator==(const Effort&) const = default;
};

struct Facts {
  bool canonical = false;  // lines are edited by the kernel: no program draws an interface
  bool echo = false;
  bool signals = false;              // Ctrl-C makes a signal
  std::string front;                 // name of the foreground group's leader; empty: gone
  std::string busiest;               // … and of its busiest member
  int front_count = 0;               // members of that group
  bool zombie = false;               // the leader has ended and nobody has asked yet
  bool stopped = false;              // … does nothing until it gets SIGCONT
  std::vector<std::string> outside;  // descendants in other groups: tools, background jobs
  std::vector<std::string> argv;     // of the leader, when it is known
  std::vector<Process> processes;    // of the foreground group, the leader first; when known
  std::string status_file;           // what the program says of itself in a file, when asked for
  std::string transcript;            // the end of its conversation's file, when that changed
  uint64_t transcript_size = 0;
  double cpu_s = 0;                   // used so far by the whole tree
  std::optional<Effort> effort = {};  // when asked for
  bool operator==(const Facts&) const = default;
};

}  // namespace pawl::model
