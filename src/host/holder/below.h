#pragma once
// Everything that descends from a process, and its end. A process that lets go of its parent is given to its keeper (keeper.h), so
// that nobody gets out of here by setsid, a double fork or another environment.
//
// One look at all of /proc is true for an instant only: whoever is forked meanwhile may be missing. A process that was killed forks
// nobody any more, so looks that go on until two of them found nobody have found all.

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

namespace pawl::holder {

struct Root {
  pid_t pid;
  uint64_t start_ticks;
};

// Who is left alone, with everything below: the daemon, which an agent may have begun, and holders of the same folder. Their agents
// are others'.
struct Spared {
  const char* dir;  // of the sockets, as holders are told it
  pid_t daemon;     // 0: not known
  bool keepers =
      false;  // and whatever is called a keeper: what is below a holder itself is looked at
};

constexpr size_t kRoots = 3;

// KILL to everything below these, not to themselves. Returns how many there were that could still do something; 1 as well when that could not
// be seen.
size_t kill_below(const Root* roots, size_t count, const Spared& spared);

// Whoever has the daemon's lock, by the folder of the sockets; 0: nobody, or it cannot be told.
pid_t daemon_of(int dir);

}  // namespace pawl::holder
