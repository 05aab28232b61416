#include "os/process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "os/fd.h"
#include "os/file.h"
#include "os/proc.h"

extern char** environ;

namespace pawl::os {
namespace {

bool has_entry(const std::string& environment, const std::string& entry) {
  for (size_t at = environment.find(entry); at != std::string::npos;
       at = environment.find(entry, at + 1)) {
    const size_t end = at + entry.size();
    const bool starts = at == 0 || environment[at - 1] == '\0';
    if (starts && (end == environment.size() || environment[end] == '\0')) return true;
  }
  return false;
}

// Runs in the second child. Only async-signal-safe calls: the parent may have more threads one day.
[[noreturn]] void become(const Detached& what, char* const* argv) {
  ::setsid();
  const int null =
      ::open("/dev/null", O_RDWR);  // also instead of the log: who cannot print may abort
  // Whoever put a link there does not choose which file we write into.
  constexpr int kLogFlags = O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW;
  const int log = ::open(what.log.c_str(), kLogFlags, 0600);
  ::dup2(null, 0);
  ::dup2(log >= 0 ? log : null, 1);
  ::dup2(log >= 0 ? log : null, 2);
  // Both descriptors may sit on each other's target number: move the executable away first.
  const int executable = what.executable >= 0 ? ::fcntl(what.executable, F_DUPFD_CLOEXEC, 10) : -1;
  if (what.keep >= 0 && ::dup2(what.keep, 3) == 3) ::fcntl(3, F_SETFD, 0);
  const unsigned first_closed = what.keep >= 0 ? 4 : 3;
  ::syscall(SYS_close_range, first_closed, ~0u, 4u /* CLOSE_RANGE_CLOEXEC */);
  if (::chdir(what.dir.c_str()) != 0) ::_exit(126);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  if (executable >= 0)
    ::syscall(SYS_execveat, executable, "", argv, environ, AT_EMPTY_PATH);
  else
    ::execvp(argv[0], argv);
  ::_exit(127);
}

}  // namespace

std::optional<ProcessId> identify(pid_t pid) {
  const auto found = Proc().stat(pid);
  if (!found) return std::nullopt;
  return found->id;
}

bool alive(const ProcessId& process) {
  const auto found = Proc().stat(process.pid);
  return found && found->id == process && !found->zombie();
}

bool goes_on(const ProcessId& process) {
  const auto found = Proc().stat(process.pid);
  return found && found->id == process && !found->zombie() && !found->dying;
}

bool send_signal(const ProcessId& process, int signal_number) {
  const Fd handle(static_cast<int>(::syscall(SYS_pidfd_open, process.pid, 0)));
  if (!handle || identify(process.pid) != process) return false;
  return ::syscall(SYS_pidfd_send_signal, handle.get(), signal_number, nullptr, 0) == 0;
}

std::vector<std::pair<ProcessId, std::string>> carriers_of(const std::string& variable) {
  std::vector<std::pair<ProcessId, std::string>> found;
  const std::string start = variable + "=";
  for (const auto& name : list_dir("/proc")) {
    const pid_t pid = static_cast<pid_t>(std::strtol(name.c_str(), nullptr, 10));
    if (pid <= 0) continue;
    const auto environment = read_file("/proc/" + name + "/environ");
    if (!environment) continue;
    size_t at =
        environment->starts_with(start) ? 0 : environment->find(std::string(1, '\0') + start);
    if (at == std::string::npos) continue;
    if (at > 0) ++at;
    const size_t value = at + start.size();
    if (const auto id = identify(pid))
      found.emplace_back(*id, environment->substr(value, environment->find('\0', value) - value));
  }
  return found;
}

std::vector<ProcessId> with_environment(const std::string& name_equals_value) {
  std::vector<ProcessId> found;
  for (const auto& name : list_dir("/proc")) {
    const pid_t pid = static_cast<pid_t>(std::strtol(name.c_str(), nullptr, 10));
    if (pid <= 0) continue;
    const auto environment = read_file("/proc/" + name + "/environ");
    if (!environment || !has_entry(*environment, name_equals_value)) continue;
    if (const auto id = identify(pid)) found.push_back(*id);
  }
  return found;
}

Done start_detached(const Detached& what) {
  std::vector<char*> argv;
  for (const auto& word : what.argv) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t first = ::fork();
  if (first < 0) return fail_errno("cannot start " + what.argv[0], errno);
  if (first == 0) {
    const pid_t second = ::fork();
    if (second == 0) become(what, argv.data());
    ::_exit(second < 0 ? 1 : 0);
  }
  int status = 0;
  while (::waitpid(first, &status, 0) < 0 && errno == EINTR) {
  }
  if (status != 0) return fail("cannot start " + what.argv[0] + ": the process limit is reached");
  return {};
}

std::string own_executable() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "pawl" : path.string();
}

std::vector<std::string> own_environment() {
  std::vector<std::string> all;
  for (char** entry = environ; *entry; ++entry) all.emplace_back(*entry);
  return all;
}

}  // namespace pawl::os
