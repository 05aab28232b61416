#include "os/init.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>

#include "os/proc.h"

namespace pawl::os {
namespace {

constexpr int kSignalled = 128;
constexpr timespec kLookEvery{0, 50'000'000};  // at who is left: only our own children tell

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

bool only_keepers(std::string_view keeper) {
  for (const auto& process : Proc().all())
    if (process.id.pid != 1 && !process.zombie() && process.name != keeper) return false;
  return true;
}

// Only where everything is ours to end. Whoever asks for the end once more gets it at once.
void end_the_rest(const sigset_t& all, std::string_view keeper) {
  if (::getpid() != 1) return;
  bool any = true;
  int ignored = 0;
  ::kill(-1, SIGTERM);
  ::kill(-1, SIGCONT);  // one that was stopped hears it, too
  for (auto left = kLastGrace / std::chrono::nanoseconds{kLookEvery.tv_nsec}; left > 0; --left) {
    reap(0, ignored, any);
    if (!any || only_keepers(keeper)) break;
    const int number = ::sigtimedwait(&all, nullptr, &kLookEvery);
    if (number == SIGTERM || number == SIGINT) break;
  }
  ::kill(-1, SIGKILL);
  while (::waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
  }
}

}  // namespace

int as_init(const std::function<int()>& program, std::string_view keeper) {
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
    ::setpgid(0, 0);  // what a terminal's keys send comes once, from us
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    const int code = program();
    std::fflush(nullptr);
    ::_exit(code);
  }
  for (;;) {
    siginfo_t info{};
    const int number = ::sigwaitinfo(&all, &info);
    int status = 0;
    bool any = true;
    if (number > 0 && forwarded(number)) ::kill(child, number);
    if (!reap(child, status, any)) continue;
    end_the_rest(all, keeper);
    return code_of(status);
  }
}

}  // namespace pawl::os
