#include "os/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>

namespace pawl::os {
namespace fs = std::filesystem;
namespace {

constexpr int kNoWait = O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

Kind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return Kind::file;
  if (S_ISDIR(mode)) return Kind::folder;
  if (S_ISLNK(mode)) return Kind::link;
  if (S_ISFIFO(mode)) return Kind::pipe;
  return S_ISSOCK(mode) ? Kind::socket : Kind::device;
}

// Looked at before it is opened, because that alone may do something to a device or to whoever waits at the other end of a pipe;
// and after, because it may be another one by then.
Result<Fd> open_file(const std::string& path, int flags) {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode))
    return refusal(path, kind_of(info.st_mode));
  Fd fd(::open(path.c_str(), flags | kNoWait, 0600));
  if (!fd) return fail_errno("cannot open " + path, errno);
  if (::fstat(fd.get(), &info) != 0) return fail_errno("cannot look at " + path, errno);
  if (!S_ISREG(info.st_mode)) return refusal(path, kind_of(info.st_mode));
  return fd;
}

Result<std::string> read_all(int fd, const std::string& path, size_t limit) {
  std::string text;
  char buffer[65536];
  for (;;) {
    const ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail_errno("cannot read " + path, errno);
    if (n == 0) return text;
    text.append(buffer, static_cast<size_t>(n));
    if (text.size() > limit)
      return fail(path + " is larger than " + std::to_string(limit) + " bytes");
  }
}

// A pipe is there before anybody writes into it, and perhaps nobody ever will. What came first is in `begin`.
Done wait_for_writer(int fd, const std::string& path, std::string& begin) {
  constexpr int kWriterWaitMs = 10'000;
  pollfd ready{fd, POLLIN, 0};
  if (::poll(&ready, 1, kWriterWaitMs) != 0) return {};
  char first = 0;
  const ssize_t n = ::read(fd, &first, 1);  // nothing: nobody has it open
  if (n == 0)
    return fail(path + " is a pipe, and nobody writes into it",
                "name a file, or start what writes first");
  if (n == 1) begin = first;
  return {};
}

}  // namespace

const char* words(Kind kind) {
  switch (kind) {
    case Kind::file:
      return "a file";
    case Kind::folder:
      return "a folder";
    case Kind::link:
      return "a link";
    case Kind::pipe:
      return "a named pipe";
    case Kind::socket:
      return "a socket";
    case Kind::device:
      return "a device";
  }
  return "a device";
}

tl::unexpected<Error> refusal(const std::string& path, Kind kind) {
  return fail(path + " is " + words(kind) + ", not a file", "put a file there, or remove it");
}

Done make_private_dir(const std::string& path) {
  if (path.empty()) return fail("an empty folder name");
  const std::string parent = fs::path(path).parent_path();
  if (!parent.empty() && parent != path && !is_dir(parent)) {
    if (auto made = make_private_dir(parent); !made) return made;
  }
  if (::mkdir(path.c_str(), 0700) == 0) return {};
  if (errno != EEXIST) return fail_errno("cannot create " + path, errno);
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return fail_errno("cannot look at " + path, errno);
  if (!S_ISDIR(info.st_mode)) return fail(path + " is not a folder", "move it away");
  return {};
}

Done write_all(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail_errno("cannot write " + path, errno);
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return {};
}

Done cut_file(int fd, uint64_t size, const std::string& path) {
  if (::ftruncate(fd, static_cast<off_t>(size)) != 0)
    return fail_errno("cannot cut " + path, errno);
  return {};
}

Done write_in_place(const std::string& path, std::string_view text) {
  const auto fd = open_write(path);
  if (!fd) return tl::unexpected(fd.error());
  if (::pwrite(fd->get(), text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
    return fail("cannot write " + path, "free some space");
  return {};
}

Result<std::string> make_unique_dir(const std::string& prefix) {
  std::string path = prefix + ".XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) return fail_errno("cannot create " + prefix, errno);
  return path;
}

Done write_atomically(const std::string& path, std::string_view text) {
  const std::string temporary = path + ".new";
  ::unlink(temporary.c_str());  // a kill's, or a pipe that somebody put there
  Fd fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd) return fail_errno("cannot create " + temporary, errno);
  if (auto written = write_all(fd.get(), text, temporary); !written) {
    ::unlink(temporary.c_str());
    return written;
  }
  if (::fsync(fd.get()) != 0 || ::rename(temporary.c_str(), path.c_str()) != 0) {
    const int error = errno;
    ::unlink(temporary.c_str());
    return fail_errno("cannot write " + path, error);
  }
  return {};
}

Result<std::string> read_file(const std::string& path, size_t limit) {
  const auto fd = open_file(path, O_RDONLY);
  if (!fd) return tl::unexpected(fd.error());
  return read_all(fd->get(), path, limit);
}

Result<std::string> read_stream(const std::string& path, size_t limit) {
  const Fd fd(::open(path.c_str(), O_RDONLY | kNoWait));
  struct stat info {};
  if (!fd || ::fstat(fd.get(), &info) != 0) return fail_errno("cannot open " + path, errno);
  std::string begin;
  if (S_ISFIFO(info.st_mode))
    if (auto there = wait_for_writer(fd.get(), path, begin); !there)
      return tl::unexpected(there.error());
  if (::fcntl(fd.get(), F_SETFL, 0) != 0) return fail_errno("cannot open " + path, errno);
  auto rest = read_all(fd.get(), path, limit);
  if (rest) rest->insert(0, begin);
  return rest;
}

std::optional<std::string> not_a_file(const std::string& path) {
  const auto seen = look(path, true);
  if (!seen || seen->kind == Kind::file) return std::nullopt;
  return words(seen->kind);
}

std::string read_slice(const std::string& path, uint64_t offset, size_t limit) {
  const auto fd = open_file(path, O_RDONLY);
  if (!fd) return {};
  std::string bytes(limit, '\0');
  const ssize_t n = ::pread(fd->get(), bytes.data(), limit, static_cast<off_t>(offset));
  bytes.resize(n > 0 ? static_cast<size_t>(n) : 0);
  return bytes;
}

bool move_file(const std::string& from, const std::string& to) {
  return ::rename(from.c_str(), to.c_str()) == 0;
}

static Done copy_file(const std::string& from, const std::string& to) {
  const auto in = open_file(from, O_RDONLY | O_NOFOLLOW);
  if (!in) return tl::unexpected(in.error());
  const Fd out(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!out) return fail_errno("cannot create " + to, errno);
  std::vector<char> buffer(1u << 20);
  for (;;) {
    const ssize_t n = ::read(in->get(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail_errno("cannot read " + from, errno);
    if (n == 0) break;
    if (auto written = write_all(out.get(), {buffer.data(), static_cast<size_t>(n)}, to); !written)
      return written;
  }
  if (::fsync(out.get()) != 0) return fail_errno("cannot write " + to, errno);
  return {};
}

Done move_anywhere(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) == 0) return {};
  if (errno != EXDEV) return fail_errno("cannot move " + from + " to " + to, errno);
  const std::string half = to + ".part";
  remove_file(half);
  if (auto copied = copy_file(from, half); !copied) {
    remove_file(half);
    return copied;
  }
  if (::rename(half.c_str(), to.c_str()) != 0) return fail_errno("cannot create " + to, errno);
  remove_file(from);
  return {};
}

std::optional<Entry> look(const std::string& path, bool follow) {
  struct stat info {};
  if ((follow ? ::stat : ::lstat)(path.c_str(), &info) != 0) return std::nullopt;
  const Duration modified =
      std::chrono::seconds{info.st_mtim.tv_sec} +
      std::chrono::duration_cast<Duration>(std::chrono::nanoseconds{info.st_mtim.tv_nsec});
  const Kind kind = kind_of(info.st_mode);
  return Entry{kind, kind == Kind::file ? static_cast<uint64_t>(info.st_size) : 0,
               WallTime{modified}};
}

std::optional<Entry> plain_file(const std::string& path) {
  const auto seen = look(path, false);
  return seen && seen->kind == Kind::file ? seen : std::nullopt;
}

static std::optional<FileId> id_in(const struct stat& info) {
  return FileId{info.st_dev, info.st_ino};
}

std::optional<FileId> file_id(const std::string& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0 ? id_in(info) : std::nullopt;
}

std::optional<FileId> file_id(int fd) {
  struct stat info {};
  return ::fstat(fd, &info) == 0 ? id_in(info) : std::nullopt;
}

bool touch(const std::string& path) {
  const auto file = open_write(path);
  return file && ::futimens(file->get(), nullptr) == 0;
}

void set_modified(const std::string& path, WallTime time) {
  const auto second = std::chrono::floor<std::chrono::seconds>(time);
  const timespec to{second.time_since_epoch().count(),
                    std::chrono::nanoseconds(time - second).count()};
  const timespec both[]{to, to};
  ::utimensat(AT_FDCWD, path.c_str(), both, 0);
}

bool remove_file(const std::string& path) {
  return ::unlink(path.c_str()) == 0;
}

uint64_t file_size(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? static_cast<uint64_t>(info.st_size) : 0;
}

Result<Fd> open_append(const std::string& path) {
  return open_file(path, O_RDWR | O_CREAT | O_APPEND);
}

Result<Fd> open_write(const std::string& path) {
  return open_file(path, O_WRONLY | O_CREAT);
}

std::vector<std::string> list_dir(const std::string& path) {
  std::vector<std::string> names;
  DIR* dir = ::opendir(path.c_str());
  if (!dir) return names;
  while (const dirent* entry = ::readdir(dir)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  ::closedir(dir);
  std::sort(names.begin(), names.end());
  return names;
}

bool is_dir(const std::string& path) {
  const auto seen = look(path, true);
  return seen && seen->kind == Kind::folder;
}

bool is_link(const std::string& path) {
  const auto seen = look(path, false);
  return seen && seen->kind == Kind::link;
}

bool exists(const std::string& path) {
  return ::access(path.c_str(), F_OK) == 0;
}

Done remove_tree(const std::string& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) return fail("cannot remove " + path + ": " + error.message());
  return {};
}

Result<Fd> lock_file(const std::string& path) {
  Fd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!fd) return fail_errno("cannot open " + path, errno);
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) return fail_errno("cannot lock " + path, errno);
  return fd;
}

bool locked(const std::string& path) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  return fd && ::flock(fd.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

Result<Space> disk_space(const std::string& path) {
  struct statvfs info {};
  if (::statvfs(path.c_str(), &info) != 0) return fail_errno("cannot look at " + path, errno);
  return Space{uint64_t{info.f_bavail} * info.f_frsize, uint64_t{info.f_blocks} * info.f_frsize};
}

std::string absolute(const std::string& path, const std::string& base) {
  std::string expanded = path;
  if (path == "~" || path.starts_with("~/")) {
    const char* home = std::getenv("HOME");
    expanded = (home ? home : "/") + path.substr(1);
  }
  auto normal = (fs::path(base) / expanded).lexically_normal().string();
  if (normal.size() > 1 && normal.back() == '/') normal.pop_back();
  return normal;
}

std::string current_dir() {
  std::error_code error;
  const auto dir = fs::current_path(error);
  return error ? std::string() : dir.string();
}

}  // namespace pawl::os
