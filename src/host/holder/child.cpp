#include "host/holder/child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#include "host/fresh_signals.h"
#include "host/holder/keeper.h"
#include "host/holder/proc.h"
#include "host/protocol.h"

namespace pawl::holder {
namespace {

[[noreturn]] void give_up(int report, uint32_t step, int error) {
  const Failure failure{static_cast<uint32_t>(error), step};
  if (write(report, &failure, sizeof failure) < 0) _exit(126);
  _exit(127);
}

const char* path_of(char* const* environment) {
  for (; *environment; ++environment)
    if (strncmp(*environment, "PATH=", 5) == 0) return *environment + 5;
  return "/usr/local/bin:/usr/bin:/bin";
}

// As execvpe, but with the PATH of the given environment and without running a text file as a shell
// script.
int execute(const Request& request) {
  const char* name = request.argv[0];
  if (strchr(name, '/')) {
    execve(name, request.argv, request.environment);
    return errno;
  }
  int worst = ENOENT;
  const char* at = path_of(request.environment);
  while (*name) {
    const char* colon = strchrnul(at, ':');
    char path[PATH_MAX];
    const int length = colon == at ? snprintf(path, sizeof path, "./%s", name)
                                   : snprintf(path, sizeof path, "%.*s/%s",
                                              static_cast<int>(colon - at), at, name);
    if (length > 0 && length < static_cast<int>(sizeof path)) {
      execve(path, request.argv, request.environment);
      if (errno != ENOENT && errno != ENOTDIR) worst = errno;
    }
    if (*colon == '\0') break;
    at = colon + 1;
  }
  return worst;
}

// When memory is short an agent is killed before what keeps it: raising its own score may everybody.
void go_before_others() {
  constexpr int kAbove = 100, kMost = 1000;
  const int fd = open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  char text[16] = {};
  if (read(fd, text, sizeof text - 1) > 0) {
    const int now = atoi(text);
    const int score = now < 0 ? kAbove : now + kAbove < kMost ? now + kAbove : kMost;
    const int length = snprintf(text, sizeof text, "%d", score);
    if (pwrite(fd, text, static_cast<size_t>(length), 0) < 0) errno = 0;  // it stays as it is
  }
  close(fd);
}

// Whether it worked is seen by the daemon, which decides what that means.
void join(const char* place) {
  const int fd = place ? open(place, O_WRONLY | O_CLOEXEC) : -1;
  if (fd < 0) return;
  if (write(fd, "0", 1) < 0) errno = 0;
  close(fd);
}

[[noreturn]] void become(const Request& request, int tty, int report) {
  host::default_signals();
  if (setsid() < 0 || ioctl(tty, TIOCSCTTY, 0) != 0) give_up(report, wire::kStepTty, errno);
  for (int fd = 0; fd < 3; ++fd)
    if (dup2(tty, fd) < 0) give_up(report, wire::kStepTty, errno);
  syscall(SYS_close_range, 3u, ~0u, 4u /* CLOSE_RANGE_CLOEXEC */);
  go_before_others();
  join(request.place);
  if (chdir(request.dir) != 0) give_up(report, wire::kStepDir, errno);
  give_up(report, wire::kStepExec, execute(request));
}

// What start_child makes for the two processes.
struct Ends {
  int master = -1, tty = -1;
  int report[2] = {-1, -1};
  int told[2] = {-1, -1};  // the program's number, or minus an errno
};

bool say(int fd, int32_t number) {
  return write(fd, &number, sizeof number) == static_cast<ssize_t>(sizeof number);
}

// Forked by the holder: forks the program and lets go of everything the holder had. The program says its number itself: the first
// thing it does may be to kill its keeper.
[[noreturn]] void keep_program(const Request& request, const Ends& ends, int reports,
                               pid_t holder) {
  become_keeper();
  if (getppid() != holder) _exit(1);
  const pid_t program = fork();
  if (program == 0) {
    if (!say(ends.told[1], getpid())) _exit(1);
    become(request, ends.tty, ends.report[1]);
  }
  if (program < 0) {
    say(ends.told[1], -errno);
    _exit(1);
  }
  dup2(reports, kReports);  // the listener's number, and not this one's
  syscall(SYS_close_range, kReports + 1u, ~0u, 0u);
  keep_afresh(program, request.owed ? Owed{holder, request.owed} : Owed{});
}

bool open_terminal(const Request& request, int* master, int* tty) {
  *master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (*master < 0) return false;
  if (unlockpt(*master) != 0) return false;
  *tty = ioctl(*master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (*tty < 0) return false;
  set_size(*master, request.cols, request.rows);
  termios settings{};
  if (tcgetattr(*tty, &settings) == 0) {
    settings.c_iflag |= IUTF8;
    tcsetattr(*tty, TCSANOW, &settings);
  }
  return true;
}

void close_if_open(int fd) {
  if (fd >= 0) close(fd);
}

// False: it was killed before it could say it.
bool hear(int fd, int32_t* said) {
  ssize_t got = 0;
  do got = read(fd, said, sizeof *said);
  while (got < 0 && errno == EINTR);
  return got == static_cast<ssize_t>(sizeof *said);
}

}  // namespace

Failure start_child(const Request& request, int reports, Child* out) {
  Ends ends;
  const pid_t holder = getpid();
  if (!open_terminal(request, &ends.master, &ends.tty) ||
      pipe2(ends.report, O_CLOEXEC | O_NONBLOCK) != 0 || pipe2(ends.told, O_CLOEXEC) != 0) {
    const int error = errno;
    const int open_ends[] = {ends.master, ends.tty, ends.report[0], ends.report[1]};
    for (const int fd : open_ends) close_if_open(fd);
    return {static_cast<uint32_t>(error), wire::kStepTerminal};
  }
  const pid_t keeper = fork();
  if (keeper == 0) keep_program(request, ends, reports, holder);
  int32_t said = -errno;
  close(ends.tty);
  close(ends.report[1]);
  close(ends.told[1]);
  if (keeper > 0 && !hear(ends.told[0], &said)) said = -EAGAIN;
  close(ends.told[0]);
  if (said <= 0) {
    close(ends.master);
    close(ends.report[0]);
    return {static_cast<uint32_t>(-said), wire::kStepFork};
  }
  Stat program{}, above{};
  read_stat(said, &program);
  read_stat(keeper, &above);
  *out = Child{ends.master, ends.report[0], said, program.start_ticks, keeper, above.start_ticks};
  return {};
}

void set_size(int master, uint16_t cols, uint16_t rows) {
  winsize size{};
  size.ws_col = cols;
  size.ws_row = rows;
  ioctl(master, TIOCSWINSZ, &size);
}

void signal_child(pid_t pid, int master, int number) {
  pid_t foreground = 0;
  if (ioctl(master, TIOCGPGRP, &foreground) != 0) foreground = 0;
  // Before its setsid() the child has no group of its own yet.
  if (kill(-pid, number) != 0 && errno == ESRCH) kill(pid, number);
  if (foreground > 1 && foreground != pid && group_in_session(foreground, pid))
    kill(-foreground, number);
}

}  // namespace pawl::holder
