#pragma once
// One terminal with its child, from Open to Close: reads what it prints into the backlog, feeds it
// what the daemon writes, and notes how it ended. Called by holder.cpp only; knows nothing about
// connections.

#include <stdint.h>
#include <sys/types.h>

#include "host/holder/backlog.h"
#include "host/holder/child.h"

namespace pawl::holder {

// What every session shares with its holder.
struct Shared {
  int dir = -1;        // PAWL_HOME/holders, for the spill files
  int epoll = -1;      // all terminals, and the reports of starting children
  int reports = -1;    // keepers write there (keeper.h)
  int64_t now_us = 0;  // of this turn
};

enum class Phase : uint8_t { kStarting, kRunning, kFailed };
enum class Due : uint8_t { kNot, kEnding, kDone };

struct Session {
  uint64_t id = 0;
  uint32_t slot = 0;
  Child child;
  Failure failure;  // when phase is kFailed
  Phase phase = Phase::kStarting;
  uint16_t cols = 0;
  uint16_t rows = 0;

  bool reaped = false;   // the child is gone, `status` is how
  bool drained = false;  // and everything it printed is in the backlog
  bool blocked = false;  // not read from: the backlog has no room
  bool hung_up = false;  // nobody has the terminal open at the moment
  bool closed = false;   // to be removed at the end of this turn
  int status = 0;
  uint32_t interest = 0;  // what epoll watches the terminal for

  Backlog backlog;
  Bytes input;
  uint64_t mark = 0;       // the daemon wants to hear when the terminal has taken …
  size_t before_mark = 0;  // … so much of `input`; 0: no mark waits
  // Of one that has to be over at some time (wire::kUntil; below.h).
  uint64_t until = 0;  // nanoseconds of CLOCK_BOOTTIME; 0: never
  Due due = Due::kNot;
  int clean_looks = 0;       // one after the other that found nobody
  bool overdue = false;      // its program ran when that time came
  bool has_orphans = false;  // its keeper was killed: what is left below us is its own
  uint64_t look_at = 0;      // while it is being ended
  char* group = nullptr;     // the cgroup.kill of its own group; null: it has none, or needs none

  int64_t progress_us = 0;  // when the daemon last confirmed something, or had nothing to confirm

  // What this connection was told already; cleared when a new one comes.
  bool attached = false;
  bool told_start = false;
  bool told_end = false;
  uint64_t sent = 0;
  uint64_t refused = 0;  // bytes of input dropped and not reported yet
};

// Kinds of epoll entries, in the upper half of epoll_data.u64; the lower half is the slot.
constexpr uint64_t kTerminalTag = 1ull << 32;
constexpr uint64_t kReportTag = 2ull << 32;

bool start(Session& session, const Request& request,
           const Shared& shared);  // false: phase is kFailed
// Reads `report`: the program runs, or says why not. Nothing yet: nothing happens.
void settle_start(Session& session, const Shared& shared);
// Takes what the terminal has, as far as the backlog has room. `connected`: a daemon is there that
// takes the output. Returns the number of bytes.
size_t read_terminal(Session& session, const Shared& shared, bool connected);
void flush_input(Session& session);
void set_mark(Session& session, uint64_t number);
// All or nothing; false when more than wire::kMaxInput would wait.
bool add_input(Session& session, const char* bytes, size_t count);
void update_interest(Session& session, const Shared& shared);
void mark_reaped(Session& session, int status, const Shared& shared, bool connected);
void release(Session& session, const Shared& shared);

}  // namespace pawl::holder
