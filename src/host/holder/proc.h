#pragma once
// The few facts of /proc the holder needs.

#include <stdint.h>
#include <sys/types.h>

namespace pawl::holder {

struct Stat {
  char state;
  pid_t parent;
  pid_t group;
  pid_t session;
  int threads;
  uint64_t start_ticks;
  char name[16];
};

bool read_stat(pid_t pid, Stat* out);
// Who has this file locked (flock); 0: nobody, or it cannot be told.
pid_t locked_by(int dir, const char* name);
// Whether any process of this group belongs to this session.
bool group_in_session(pid_t group, pid_t session);

}  // namespace pawl::holder
