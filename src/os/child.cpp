#include "os/child.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/text.h"
#include "os/file.h"

extern char** environ;

namespace pawl::os {
namespace {

constexpr size_t kLineShown = 200;

std::vector<char*> words_of(const std::vector<std::string>& words) {
  std::vector<char*> out;
  for (const auto& word : words) out.push_back(const_cast<char*>(word.c_str()));
  out.push_back(nullptr);
  return out;
}

struct Prepared {
  const ChildOrder& order;
  std::vector<char*> argv, environment;
  Fd input, output;
};

void complain(const char* what, const char* name, int error) {
  const char* why = ::strerrordesc_np(error);
  for (const char* part : {what, name, ": ", why ? why : "unknown error", "\n"})
    (void)!::write(2, part, std::strlen(part));
}

// Runs in the child. Only async-signal-safe calls: there are threads (work.h).
[[noreturn]] void become(const Prepared& what) {
  ::setsid();
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  const int talks = what.order.talks;
  ::dup2(talks < 0 ? what.input.get() : talks, 0);
  ::dup2(talks < 0 ? what.output.get() : talks, 1);
  ::dup2(what.output.get(), 2);
  ::syscall(SYS_close_range, 3u, ~0u, 4u /* CLOSE_RANGE_CLOEXEC */);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (::chdir(what.order.dir.c_str()) != 0) {
    complain("cannot go to ", what.order.dir.c_str(), errno);
    ::_exit(126);
  }
  if (what.environment.size() > 1) environ = const_cast<char**>(what.environment.data());
  ::execvp(what.argv[0], what.argv.data());
  complain("cannot run ", what.argv[0], errno);
  ::_exit(127);
}

// A file in memory: it is all there before the child begins, however slowly it reads.
Result<Fd> input_of(const std::string& text) {
  Fd fd(text.empty() ? ::open("/dev/null", O_RDONLY | O_CLOEXEC)
                     : ::memfd_create("pawl-input", MFD_CLOEXEC));
  if (!fd) return fail_errno("cannot make the input of a command", errno);
  if (text.empty()) return fd;
  if (auto written = write_all(fd.get(), text, "the input of a command"); !written)
    return tl::unexpected(written.error());
  ::lseek(fd.get(), 0, SEEK_SET);
  return fd;
}

// With every signal held back: one of the loop's handlers must not run in the child, whose descriptors are still ours.
pid_t fork_quietly(const Prepared& what) {
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = ::fork();
  if (pid == 0) become(what);
  const int error = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return pid;
}

}  // namespace

Result<std::unique_ptr<Child>> Child::start(Loop& loop, const ChildOrder& order,
                                            Callback callback) {
  if (order.argv.empty() || order.argv[0].empty()) return fail("no command was given");
  auto input = input_of(order.input);
  if (!input) return tl::unexpected(input.error());
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail_errno("cannot start " + order.argv[0], errno);
  Fd output(ends[0]);
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  const Prepared prepared{order, words_of(order.argv), words_of(order.environment),
                          std::move(*input), Fd(ends[1])};
  const pid_t pid = fork_quietly(prepared);
  if (pid < 0) return fail_errno("cannot start " + order.argv[0], errno);
  Fd handle(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!handle) {  // no descriptor left: nobody could watch it
    const int error = errno;
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    return fail_errno("cannot watch " + order.argv[0], error);
  }
  std::unique_ptr<Child> child(
      new Child(loop, pid, std::move(handle), std::move(output), std::move(callback)));
  if (order.limit > Duration{0}) child->limit_.start(order.limit);
  child->keep_ = order.keep;
  return child;
}

Child::Child(Loop& loop, pid_t pid, Fd handle, Fd output, Callback callback)
    : pid_(pid),
      handle_(std::move(handle)),
      output_(std::move(output)),
      callback_(std::move(callback)),
      limit_(loop,
             [this] {
               end_.late = true;
               kill_all();
             }),
      watch_output_(loop, output_.get(), [this](FdWatch::Ready) { listen(); }),
      watch_end_(loop, handle_.get(), [this](FdWatch::Ready) { ended(); }) {}

Child::~Child() {
  if (over_) return;
  kill_all();
}

// Nobody has taken its status yet: the number is still its own.
void Child::kill_all() const {
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);  // before it made the group
}

void Child::listen() {
  char buffer[16384];
  // Not for ever: what prints without end is read again in the next turn of the loop.
  for (int round = 0; round < 16; ++round) {
    const ssize_t n = ::read(output_.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return;
    if (n <= 0) return watch_output_.want({});
    end_.output.append(buffer, static_cast<size_t>(n));
    if (end_.output.size() > keep_) end_.output.erase(0, end_.output.size() - keep_);
  }
}

void Child::ended() {
  int status = 0;
  const pid_t seen = ::waitpid(pid_, &status, WNOHANG);
  if (seen == 0 || (seen < 0 && errno == EINTR)) return;
  over_ = true;
  listen();
  limit_.cancel();
  watch_end_ = {};
  watch_output_ = {};
  if (seen == pid_ && WIFEXITED(status)) end_.exit_code = WEXITSTATUS(status);
  if (seen == pid_ && WIFSIGNALED(status)) end_.signal = WTERMSIG(status);
  const Callback callback = std::move(callback_);
  const ChildEnd end = std::move(end_);
  if (callback) callback(end);  // may destroy us
}

std::string last_line(const ChildEnd& end) {
  const std::string_view text = trim(end.output);
  std::string line(trim(text.substr(text.rfind('\n') + 1)));
  for (char& c : line)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  if (line.size() <= kLineShown) return line;
  size_t cut = kLineShown;
  while (cut > 0 && (static_cast<unsigned char>(line[cut]) & 0xc0) == 0x80) --cut;
  return line.substr(0, cut) + "…";
}

std::string find_program(const std::string& name, const std::string& path) {
  const auto usable = [](const std::string& file) {
    struct stat found {};
    return ::stat(file.c_str(), &found) == 0 && S_ISREG(found.st_mode) &&
           ::access(file.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) return usable(name) ? name : "";
  for (const auto& folder : split(path, ':')) {
    const std::string file = (folder.empty() ? "." : folder) + "/" + name;
    if (usable(file)) return file;
  }
  return {};
}

}  // namespace pawl::os
