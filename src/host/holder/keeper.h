#pragma once
// Between the holder and a session's program: one small process a session, which everything the program leaves behind is given
// to by the kernel (a subreaper). So it is certain whose a process is, however it detached itself, also when many sessions share
// a holder (host/lineage.h). It tells the holder how the program ended and leaves when nobody is below it any more.
//
// Started by child.cpp. Decides nothing and ends nobody. When it is killed itself, the holder is given what it had: the program
// is seen to its end all the same. When the holder is gone it stays for those below it; but of a session that has to be over at
// some time (wire::kUntil) it then ends everything at once: nobody else would know when.

#include <stdint.h>
#include <sys/types.h>

namespace pawl::holder {

constexpr int kReports = 3;  // the descriptor a keeper writes to

// How a program ended, as one write to the pipe that all keepers of a holder share. The program stays a zombie, and its number
// nobody else's, until the holder has read this and says so (let_go).
struct Report {
  int32_t keeper;
  int32_t program;
  int32_t status;  // as from waitpid()
};

// First of all, in the forked process.
void become_keeper();
// Of a session that has to be over at some time.
struct Owed {
  pid_t holder = 0;           // 0: it is not one of those
  const char* dir = nullptr;  // of the sockets
};
// The keeper's whole life, with the program as its child.
[[noreturn]] void keep(pid_t program, const Owed& owed);
// The same in a fresh image: what the holder had in memory when it forked is given back.
[[noreturn]] void keep_afresh(pid_t program, const Owed& owed);

// For the holder: what was told is known. Nothing happens when it is not a child of ours any more.
void let_go(pid_t keeper);

}  // namespace pawl::holder
