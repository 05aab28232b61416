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

[[noreturn]] void become(const Request& request, int tty, int report) {
  host::default_signals();
  if (setsid() < 0 || ioctl(tty, TIOCSCTTY, 0) != 0) give_up(report, wire::kStepTty, errno);
  for (int fd = 0; fd < 3; ++fd)
    if (dup2(tty, fd) < 0) give_up(report, wire::kStepTty, errno);
  syscall(SYS_close_range, 3u, ~0u, 4u /* CLOSE_RANGE_CLOEXEC */);
  if (chdir(request.dir) != 0) give_up(report, wire::kStepDir, errno);
  give_up(report, wire::kStepExec, execute(request));
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

}  // namespace

Failure start_child(const Request& request, Child* out) {
  int master = -1;
  int tty = -1;
  int report[2] = {-1, -1};
  if (!open_terminal(request, &master, &tty) || pipe2(report, O_CLOEXEC | O_NONBLOCK) != 0) {
    const int error = errno;
    close_if_open(master);
    close_if_open(tty);
    close_if_open(report[0]);
    close_if_open(report[1]);
    return {static_cast<uint32_t>(error), wire::kStepTerminal};
  }
  const pid_t pid = fork();
  if (pid == 0) become(request, tty, report[1]);
  const int error = errno;
  close(tty);
  close(report[1]);
  if (pid < 0) {
    close(master);
    close(report[0]);
    return {static_cast<uint32_t>(error), wire::kStepFork};
  }
  Stat stat{};
  read_stat(pid, &stat);
  *out = Child{master, report[0], pid, stat.start_ticks};
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
