#include "os/init.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>

namespace pawl::os {
namespace {

constexpr int kSignalled = 128;

int code_of(int status) {
  return WIFSIGNALED(status) ? kSignalled + WTERMSIG(status) : WEXITSTATUS(status);
}

// What a terminal or the kernel tells us about ourselves is not for the program.
bool forwarded(int number) {
  switch (number) {
    case SIGCHLD:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
    case SIGCONT:
    case SIGPIPE:
      return false;
    default:
      return true;
  }
}

// True when the program was among them; false also when nobody is left.
bool reap(pid_t program, int& status, bool& any) {
  bool found = false;
  any = true;
  for (;;) {
    int its = 0;
    const pid_t pid = ::waitpid(-1, &its, WNOHANG);
    if (pid < 0 && errno == EINTR) continue;
    if (pid < 0) any = false;
    if (pid <= 0) return found;
    if (pid == program) {
      status = its;
      found = true;
    }
  }
}

// Only where everything is ours to end.
void end_the_rest(const sigset_t& all) {
  if (::getpid() != 1) return;
  const timespec step{1, 0};
  bool any = true;
  int ignored = 0;
  ::kill(-1, SIGTERM);
  for (auto left = std::chrono::duration_cast<std::chrono::seconds>(kLastGrace).count(); left > 0;
       --left) {
    reap(0, ignored, any);
    if (!any) return;
    ::sigtimedwait(&all, nullptr, &step);
  }
  ::kill(-1, SIGKILL);
  while (::waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
  }
}

}  // namespace

int as_init(const std::function<int()>& program) {
  sigset_t all, before;
  ::sigfillset(&all);
  ::sigprocmask(SIG_BLOCK, &all, &before);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t child = ::fork();
  if (child < 0) {
    std::perror("pawl: cannot start");
    return 1;
  }
  if (child == 0) {
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    ::_exit(program());
  }
  for (;;) {
    siginfo_t info{};
    const int number = ::sigwaitinfo(&all, &info);
    int status = 0;
    bool any = true;
    if (number > 0 && forwarded(number)) ::kill(child, number);
    if (!reap(child, status, any)) continue;
    end_the_rest(all);
    return code_of(status);
  }
}

}  // namespace pawl::os
