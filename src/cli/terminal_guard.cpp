#include "cli/terminal_guard.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "term/status.h"

namespace pawl::cli {
namespace {

termios g_before{};                          // for the signal handler
std::string g_reset;                         // made before any signal can want it
volatile sig_atomic_t g_saved = 0;           // both hold something
std::string g_unreport;                      // takes program status records back
volatile sig_atomic_t* g_reports = nullptr;  // there are some; shared with the other process
volatile pid_t g_worker = 0;                 // whom the guard passes TERM and HUP on to

void repair() {
  if (!g_saved) return;
  if (g_reports && *g_reports) (void)!::write(STDOUT_FILENO, g_unreport.data(), g_unreport.size());
  (void)!::write(STDOUT_FILENO, g_reset.data(), g_reset.size());
  ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &g_before);
}

// TERM, HUP and our own crashes: repair, then die of it. write and tcsetattr are async-signal-safe.
void repair_and_die(int signal_number) {
  repair();
  std::signal(signal_number, SIG_DFL);
  ::raise(signal_number);
}

void pass_on(int signal_number) {
  if (g_worker > 0) ::kill(g_worker, signal_number);
}

void make_raw() {
  termios raw = g_before;
  ::cfmakeraw(&raw);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw);
}

int worker(const std::function<Farewell(int)>& work) {
  for (const int fatal : {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGSEGV, SIGABRT, SIGBUS, SIGFPE})
    std::signal(fatal, repair_and_die);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  sigset_t winch;
  ::sigemptyset(&winch);
  ::sigaddset(&winch, SIGWINCH);
  ::sigprocmask(SIG_BLOCK, &winch, nullptr);
  const int winch_fd = ::signalfd(-1, &winch, SFD_CLOEXEC | SFD_NONBLOCK);
  make_raw();
  const Farewell farewell = work(winch_fd);
  repair();
  if (!farewell.text.empty()) std::printf("%s\n", farewell.text.c_str());
  std::fflush(stdout);
  return farewell.code;
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  repair();
  return 1;
}

}  // namespace

std::string terminal_reset() {
  return "\x1b[?2026l\x1b[=0u\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?"
         "1007l\x1b[?1015l\x1b[?1016l"
         "\x1b[?5l\x1b[?1004l\x1b[?2004l"
         "\x1b[?1l\x1b>\x1b[>4;0m\x1b[?1049l\x1b[0 q\x1b[?25h\x1b[0m\r";
}

void reports_to_terminal() {
  if (g_reports) *g_reports = 1;
}

void lend_terminal(const std::function<void()>& lent) {
  if (g_saved) ::tcsetattr(STDIN_FILENO, TCSADRAIN, &g_before);
  lent();
  make_raw();
}

int with_raw_terminal(const std::function<Farewell(int)>& work) {
  g_reset = terminal_reset();
  g_unreport = term::status_clear();
  void* shared =
      ::mmap(nullptr, sizeof *g_reports, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared != MAP_FAILED) g_reports = static_cast<volatile sig_atomic_t*>(shared);
  if (::tcgetattr(STDIN_FILENO, &g_before) == 0) g_saved = 1;
  const pid_t child = ::fork();
  if (child < 0) return worker(work);
  if (child == 0) ::_exit(worker(work));
  for (const int ignored : {SIGINT, SIGQUIT, SIGTSTP, SIGTTOU, SIGTTIN})
    std::signal(ignored, SIG_IGN);
  g_worker = child;
  for (const int passed : {SIGTERM, SIGHUP}) std::signal(passed, pass_on);
  return wait_for(child);
}

}  // namespace pawl::cli
