#include "host/holder/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "host/holder/below.h"
#include "host/holder/proc.h"

namespace pawl::holder {
namespace {

constexpr int kGo = SIGUSR1;

// From one look at who is still there to the next; after so many somebody cannot be ended, and it is looked less often.
constexpr timespec kEndAgain{0, 10 * 1000000}, kEndHard{1, 0};
constexpr int kEndLooks = 100, kCleanLooks = 2;

sigset_t only_go() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, kGo);
  return set;
}

// Until nobody is left but those that are to be left alone; those are waited for as by any keeper.
[[noreturn]] void end_all(const char* dir) {
  Stat self{};
  read_stat(getpid(), &self);
  const Root own{getpid(), self.start_ticks};
  const int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const Spared spared{dir, daemon_of(fd)};
  sigset_t ended;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  for (int clean = 0, looks = 0; clean < kCleanLooks; ++looks) {
    clean = kill_below(&own, 1, spared) == 0 ? clean + 1 : 0;
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    sigtimedwait(&ended, nullptr, looks < kEndLooks ? &kEndAgain : &kEndHard);
  }
  while (waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
  }
  _exit(0);
}

// The next child that ended, without reaping it. Of a session that is owed, the holder's end is looked for as well: it sends kGo,
// which is blocked, and so is SIGCHLD: neither is missed between the look and the wait.
bool next_end(const Owed& owed, siginfo_t* info) {
  if (owed.holder == 0) return waitid(P_ALL, 0, info, WEXITED | WNOWAIT) == 0;
  sigset_t both = only_go();
  sigaddset(&both, SIGCHLD);
  for (;;) {
    if (getppid() != owed.holder) end_all(owed.dir);
    if (waitid(P_ALL, 0, info, WEXITED | WNOWAIT | WNOHANG) != 0) return false;
    if (info->si_pid != 0) return true;
    sigwaitinfo(&both, nullptr);
  }
}

int as_from_waitpid(const siginfo_t& info) {
  if (info.si_code == CLD_EXITED) return (info.si_status & 0xff) << 8;
  return (info.si_status & 0x7f) | (info.si_code == CLD_DUMPED ? 0x80 : 0);
}

void tell(const siginfo_t& info) {
  const Report report{getpid(), info.si_pid, as_from_waitpid(info)};
  while (write(kReports, &report, sizeof report) < 0 && errno == EINTR) {
  }
  const sigset_t go = only_go();
  while (sigwaitinfo(&go, nullptr) < 0) {
  }
}

}  // namespace

// Both outlast the fresh image. A holder that ends says by it that nobody is to be waited for.
void become_keeper() {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_PDEATHSIG, kGo);
  const sigset_t go = only_go();
  sigprocmask(SIG_BLOCK, &go, nullptr);
}

void keep(pid_t program, const Owed& owed) {
  prctl(PR_SET_NAME, "pawl-keeper");
  if (owed.holder != 0) {
    sigset_t ended;
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ended, nullptr);
  }
  for (;;) {
    siginfo_t info{};
    if (!next_end(owed, &info)) {
      if (errno == EINTR) continue;
      _exit(0);  // nobody is left
    }
    const pid_t ended = info.si_pid;
    if (ended == program) tell(info);
    waitpid(ended, nullptr, 0);
    if (ended == program) program = 0;  // its number may be another's now
  }
}

void keep_afresh(pid_t program, const Owed& owed) {
  char number[16], holder[16];
  char name[] = "pawl-keeper";
  snprintf(number, sizeof number, "%d", static_cast<int>(program));
  snprintf(holder, sizeof holder, "%d", static_cast<int>(owed.holder));
  char* const argv[] = {name, number, nullptr};
  char* const argv_owed[] = {name, number, holder, const_cast<char*>(owed.dir), nullptr};
  char* const environment[] = {nullptr};
  execve("/proc/self/exe", owed.holder ? argv_owed : argv, environment);
  keep(program, owed);
}

void let_go(pid_t keeper) {
  siginfo_t info{};
  if (waitid(P_PID, static_cast<id_t>(keeper), &info, WEXITED | WNOHANG | WNOWAIT) == 0)
    kill(keeper, kGo);
}

}  // namespace pawl::holder
