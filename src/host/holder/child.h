#pragma once
// A pseudo-terminal and the program in it: how it starts and how it is signalled.
// Called by session.cpp. Waits for two forks and no longer: whether exec worked arrives later through `report`.

#include <stdint.h>
#include <sys/types.h>

namespace pawl::holder {

// What an Open frame asks for; the pointers lie inside the frame.
struct Request {
  uint16_t cols;
  uint16_t rows;
  const char* dir;
  char* const* argv;
  char* const* environment;
  const char* place;  // a cgroup.procs that the program writes itself into; null: none
  const char* owed;   // the folder of the sockets, when it has to be over at some time; else null
};

// Written by the child when it cannot become the program; nothing is written when it can.
struct Failure {
  uint32_t error = 0;
  uint32_t step = 0;  // wire::Step; 0: no failure
};

struct Child {
  int master = -1;
  int report = -1;  // ends (no bytes) when the program runs, gives one Failure when not
  pid_t pid = 0;
  uint64_t start_ticks = 0;
  pid_t keeper = 0;  // its parent (keeper.h); 0: gone, and we are
  uint64_t keeper_ticks = 0;
};

// The step that failed with its errno, or {0, 0}. `reports`: where its keeper says how it ended.
Failure start_child(const Request& request, int reports, Child* out);

void set_size(int master, uint16_t cols, uint16_t rows);

// To the child's group, and to the terminal's foreground group when that is another one of the same
// session. Only for a child that was not reaped yet: its pid cannot have been given to a stranger.
void signal_child(pid_t pid, int master, int number);

}  // namespace pawl::holder
