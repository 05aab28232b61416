// A program in a terminal of ours and nothing else: what it writes goes into the emulator, what the emulator answers goes back.
//   pty_terminal COLUMNS ROWS PROGRAM ARGUMENT…     its exit status is ours
// For suites that ask the terminal they run in (tools/esctest). It shows nothing.

#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "term/terminal.h"

namespace {

constexpr size_t kReadBytes = 64 * 1024;

// Until the program has closed its terminal. Answers wait while it does not read them; the terminal bounds how many.
void serve(int master, pawl::term::Terminal& terminal) {
  static char buffer[kReadBytes];
  std::string answers;
  for (;;) {
    const short wanted = answers.empty() ? POLLIN : POLLIN | POLLOUT;
    pollfd ready{master, wanted, 0};
    if (poll(&ready, 1, -1) < 0) return;
    if (ready.revents & POLLOUT) {
      const ssize_t n = write(master, answers.data(), answers.size());
      if (n > 0) answers.erase(0, static_cast<size_t>(n));
    }
    if (!(ready.revents & (POLLIN | POLLHUP | POLLERR))) continue;
    const ssize_t n = read(master, buffer, sizeof buffer);
    if (n <= 0) return;
    terminal.feed({buffer, static_cast<size_t>(n)});
    answers += terminal.take_answers();
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: pty_terminal COLUMNS ROWS PROGRAM ARGUMENT…\n");
    return 2;
  }
  const auto cols = static_cast<unsigned short>(std::atoi(argv[1]));
  const auto rows = static_cast<unsigned short>(std::atoi(argv[2]));
  winsize size{rows, cols, 0, 0};
  int master = -1;
  const pid_t child = forkpty(&master, nullptr, nullptr, &size);
  if (child < 0) {
    std::perror("pty_terminal");
    return 2;
  }
  if (child == 0) {
    setenv("TERM", "xterm-256color", 1);
    execvp(argv[3], argv + 3);
    std::perror(argv[3]);
    _exit(127);
  }
  pawl::term::Terminal terminal({cols, rows});
  serve(master, terminal);
  close(master);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}
