#include "host/holder/keeper.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace pawl::holder {
namespace {

constexpr int kGo = SIGUSR1;

sigset_t only_go() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, kGo);
  return set;
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

void keep(pid_t program) {
  prctl(PR_SET_NAME, "pawl-keeper");
  for (;;) {
    siginfo_t info{};
    if (waitid(P_ALL, 0, &info, WEXITED | WNOWAIT) != 0) {
      if (errno == EINTR) continue;
      _exit(0);  // nobody is left
    }
    const pid_t ended = info.si_pid;
    if (ended == program) tell(info);
    waitpid(ended, nullptr, 0);
    if (ended == program) program = 0;  // its number may be another's now
  }
}

void keep_afresh(pid_t program) {
  char number[16];
  char name[] = "pawl-keeper";
  snprintf(number, sizeof number, "%d", static_cast<int>(program));
  char* const argv[] = {name, number, nullptr};
  char* const environment[] = {nullptr};
  execve("/proc/self/exe", argv, environment);
  keep(program);
}

void let_go(pid_t keeper) {
  siginfo_t info{};
  if (waitid(P_PID, static_cast<id_t>(keeper), &info, WEXITED | WNOHANG | WNOWAIT) == 0)
    kill(keeper, kGo);
}

}  // namespace pawl::holder
