#include "cli/ui_child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace pawl::cli {
namespace {

constexpr size_t kReadAtOnce = 64u << 10;
constexpr const char* kSelf = "/proc/self/exe";  // also when the file was replaced

int code_of_end(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

[[noreturn]] void exec_pawl(const std::vector<std::string>& words) {
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  std::vector<std::string> all{"pawl"};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> argv;
  for (auto& word : all) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv(kSelf, argv.data());
  ::_exit(127);
}

Result<os::Fd> readable(const std::string& text) {
  os::Fd fd(::memfd_create("pawl-input", MFD_CLOEXEC));
  if (!fd) return fail_errno("cannot keep the text", errno);
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = ::write(fd.get(), text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return fail_errno("cannot keep the text", errno);
    done += static_cast<size_t>(n);
  }
  ::lseek(fd.get(), 0, SEEK_SET);
  return Result<os::Fd>(std::move(fd));
}

}  // namespace

Result<UiChild> UiChild::start(const std::vector<std::string>& words, const std::string& input) {
  auto text = readable(input);
  if (!text) return tl::unexpected(text.error());
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail_errno("cannot make a pipe", errno);
  os::Fd output(ends[0]);
  const os::Fd into(ends[1]);
  const pid_t pid = ::fork();
  if (pid < 0) return fail_errno("cannot run pawl", errno);
  if (pid == 0) {
    ::dup2(text->get(), STDIN_FILENO);
    ::dup2(into.get(), STDOUT_FILENO);
    ::dup2(into.get(), STDERR_FILENO);
    exec_pawl(words);
  }
  ::fcntl(output.get(), F_SETFL, O_NONBLOCK);
  return UiChild(pid, std::move(output));
}

UiChild::UiChild(UiChild&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)), output_(std::move(other.output_)) {}

UiChild::~UiChild() {
  if (pid_ == 0) return;
  ::kill(pid_, SIGTERM);
  code_of_end(pid_);
}

std::optional<std::string> UiChild::read() {
  std::string out(kReadAtOnce, '\0');
  const ssize_t n = ::read(output_.get(), out.data(), out.size());
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return "";
  if (n <= 0) return std::nullopt;
  out.resize(static_cast<size_t>(n));
  return out;
}

int UiChild::exit_code() {
  return code_of_end(std::exchange(pid_, 0));
}

int run_at_terminal(const std::vector<std::string>& words) {
  const pid_t pid = ::fork();
  if (pid == 0) exec_pawl(words);
  return pid < 0 ? 1 : code_of_end(pid);
}

}  // namespace pawl::cli
