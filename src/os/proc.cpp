#include "os/proc.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <memory>

#include "os/fd.h"
#include "os/file.h"

namespace pawl::os {
namespace {

constexpr unsigned kPtsMajor = 136;  // Documentation/admin-guide/devices.txt: Unix98 PTY slaves
constexpr int64_t kExiting = 0x4;    // of the flags: include/linux/sched.h, PF_EXITING
constexpr size_t kStatBytes = 1024;
constexpr size_t kChildrenBytes = 8192;
constexpr size_t kEnvironmentBytes = 128u << 10;
constexpr size_t kCommandLineBytes = 4096;

// At most as much as fits; nothing when it is gone or not ours to read. Short files come in one piece and end with a newline:
// then the end need not be asked for.
template <size_t N>
std::string_view read_into(std::array<char, N>& buffer, const std::string& path) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return {};
  size_t size = 0;
  while (size < N) {
    const ssize_t n = ::read(fd.get(), buffer.data() + size, N - size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    size += static_cast<size_t>(n);
    if (buffer[size - 1] == '\n') break;
  }
  return {buffer.data(), size};
}

// The next number of the line, the blank before it skipped; false at its end.
template <class Number>
bool take_number(std::string_view& line, Number& out) {
  while (!line.empty() && line[0] == ' ') line.remove_prefix(1);
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), out);
  if (error != std::errc()) return false;
  line.remove_prefix(static_cast<size_t>(end - line.data()));
  return true;
}

constexpr unsigned major_of(uint32_t device) {
  return (device >> 8) & 0xfff;
}
constexpr unsigned minor_of(uint32_t device) {
  return (device & 0xff) | ((device >> 12) & 0xfff00);
}

// "rchar: 3980"; 0: no such row.
uint64_t row_of(std::string_view rows, std::string_view name) {
  const size_t at = rows.find(name);
  uint64_t value = 0;
  if (at == rows.npos) return 0;
  rows.remove_prefix(at + name.size());
  (void)take_number(rows, value);
  return value;
}

// The descriptor a thread waits to read from, of "0 0x3 0x7f… …" (proc(5), syscall).
std::optional<int> read_from(std::string_view line) {
  long call = -1;
  unsigned descriptor = 0;
  if (!take_number(line, call) || (call != SYS_read && call != SYS_readv)) return std::nullopt;
  if (!line.starts_with(" 0x")) return std::nullopt;
  line.remove_prefix(3);
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), descriptor, 16);
  return error == std::errc() ? std::optional(static_cast<int>(descriptor)) : std::nullopt;
}

// Every entry that is a number, in the folder's order.
template <class Visit>
void each_number(const std::string& folder, size_t limit, Visit visit) {
  const auto close = [](DIR* open) { ::closedir(open); };
  const std::unique_ptr<DIR, decltype(close)> dir(::opendir(folder.c_str()), close);
  while (const dirent* entry = dir && limit > 0 ? ::readdir(dir.get()) : nullptr) {
    std::string_view name = entry->d_name;
    pid_t number = 0;
    if (!take_number(name, number) || !name.empty() || number <= 0) continue;
    --limit;
    visit(number);
  }
}

}  // namespace

std::optional<Stat> parse_stat(std::string_view line) {
  Stat out;
  const size_t name = line.find('(');
  const size_t end = line.rfind(')');
  if (name == line.npos || end == line.npos || end < name || end + 2 >= line.size())
    return std::nullopt;
  std::string_view start = line.substr(0, name);
  if (!take_number(start, out.id.pid)) return std::nullopt;
  out.name = line.substr(name + 1, end - name - 1);
  out.state = line[end + 2];
  line.remove_prefix(end + 3);
  // Fields 4 to 22 of proc(5). Some are unsigned and some may be negative: all fit a signed one.
  std::array<int64_t, 23> field{};
  for (size_t i = 4; i <= 22; ++i)
    if (!take_number(line, field[i])) return std::nullopt;
  out.parent = static_cast<pid_t>(field[4]);
  out.group = static_cast<pid_t>(field[5]);
  out.session = static_cast<pid_t>(field[6]);
  out.terminal = static_cast<uint32_t>(field[7]);
  out.front = static_cast<pid_t>(field[8]);
  out.dying = (field[9] & kExiting) != 0;
  out.ticks = static_cast<uint64_t>(field[14]) + static_cast<uint64_t>(field[15]);
  out.reaped = static_cast<uint64_t>(field[16]) + static_cast<uint64_t>(field[17]);
  out.threads = static_cast<int>(field[20]);
  out.id.start_ticks = static_cast<uint64_t>(field[22]);
  return out;
}

Proc::Proc(std::string processes, std::string terminals)
    : processes_(std::move(processes)), terminals_(std::move(terminals)) {}

std::string Proc::of(pid_t pid, const char* name) const {
  return processes_ + "/" + std::to_string(pid) + "/" + name;
}

std::optional<Stat> Proc::stat(pid_t pid) const {
  std::array<char, kStatBytes> buffer;
  return pid > 0 ? parse_stat(read_into(buffer, of(pid, "stat"))) : std::nullopt;
}

bool Proc::lists_children() const {
  return ::access((processes_ + "/thread-self/children").c_str(), F_OK) == 0;
}

std::vector<pid_t> Proc::children(pid_t pid) const {
  std::vector<pid_t> found;
  std::array<char, kChildrenBytes> buffer;
  const std::string tasks = of(pid, "task");
  each_number(tasks, kThreadsVisited, [&](pid_t thread) {
    auto list = read_into(buffer, tasks + "/" + std::to_string(thread) + "/children");
    for (pid_t child = 0; take_number(list, child);) found.push_back(child);
  });
  return found;
}

std::vector<Stat> Proc::all() const {
  std::vector<Stat> found;
  each_number(processes_, kProcessesScanned, [&](pid_t pid) {
    if (auto one = stat(pid)) found.push_back(std::move(*one));
  });
  return found;
}

// /proc counts every process as a link to itself.
size_t Proc::count() const {
  struct stat info {};
  return ::stat(processes_.c_str(), &info) == 0 ? info.st_nlink : 0;
}

std::vector<std::string> Proc::command_line(pid_t pid, size_t words, size_t bytes) const {
  std::array<char, kCommandLineBytes> buffer;
  std::string_view text = read_into(buffer, of(pid, "cmdline"));
  std::vector<std::string> found;
  while (!text.empty() && found.size() < words) {
    const size_t end = std::min(text.find('\0'), text.size());
    found.emplace_back(text.substr(0, std::min(end, bytes)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return found;
}

std::string Proc::program(pid_t pid) const {
  std::error_code unseen;
  const auto path = std::filesystem::read_symlink(of(pid, "exe"), unseen);
  return unseen ? std::string() : path.string();
}

std::string Proc::variable(pid_t pid, std::string_view name) const {
  const std::string all = read_slice(of(pid, "environ"), 0, kEnvironmentBytes);
  for (size_t at = 0; at < all.size();) {
    const size_t end = std::min(all.find('\0', at), all.size());
    const std::string_view entry = std::string_view(all).substr(at, end - at);
    if (entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=')
      return std::string(entry.substr(name.size() + 1));
    at = end + 1;
  }
  return {};
}

uint64_t Proc::moved(pid_t pid) const {
  const std::string rows = read_slice(of(pid, "io"), 0, kStatBytes);
  return row_of(rows, "rchar: ") + row_of(rows, "wchar: ");
}

bool Proc::thread_reads(const std::string& thread, pid_t pid, const std::string& terminal) const {
  std::array<char, kStatBytes> buffer;
  const auto descriptor = read_from(read_into(buffer, thread + "/syscall"));
  if (!descriptor) return false;
  std::error_code unseen;
  const auto open =
      std::filesystem::read_symlink(of(pid, "fd/") + std::to_string(*descriptor), unseen);
  return !unseen && (open == terminal || open == "/dev/tty");
}

bool Proc::reads_terminal(pid_t pid, uint32_t device) const {
  if (major_of(device) != kPtsMajor) return false;
  const std::string terminal = terminals_ + "/" + std::to_string(minor_of(device));
  const std::string tasks = of(pid, "task");
  bool found = false;
  each_number(tasks, kReadersVisited, [&](pid_t thread) {
    found = found || thread_reads(tasks + "/" + std::to_string(thread), pid, terminal);
  });
  return found;
}

Result<TerminalMode> Proc::terminal_mode(uint32_t device) const {
  const unsigned major_number = major_of(device), minor_number = minor_of(device);
  if (major_number != kPtsMajor) return fail("device " + std::to_string(device) + " is no PTY");
  const std::string path = terminals_ + "/" + std::to_string(minor_number);
  const Fd fd(::open(path.c_str(), O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
  if (!fd) return fail_errno("cannot open " + path, errno);
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0 || !S_ISCHR(info.st_mode) ||
      info.st_rdev != ::makedev(major_number, minor_number))
    return fail(path + " is another device");
  termios mode{};
  if (::tcgetattr(fd.get(), &mode) != 0)
    return fail_errno("cannot read the mode of " + path, errno);
  return TerminalMode{(mode.c_lflag & ICANON) != 0, (mode.c_lflag & ECHO) != 0,
                      (mode.c_lflag & ISIG) != 0};
}

}  // namespace pawl::os
