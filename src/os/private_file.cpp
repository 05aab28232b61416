#include "os/private_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "os/fd.h"
#include "os/file.h"

namespace pawl::os {
namespace {

constexpr mode_t kOthers = 0077, kOthersWrite = 0022, kEverybody = 0007;

Done check_owner(const std::string& path, const struct stat& info) {
  if (info.st_uid == ::geteuid()) return {};
  return fail(fmt::format("{} belongs to another user (uid {}), not to you (uid {})", path,
                          info.st_uid, ::geteuid()),
              "move it away, or let its owner give it to you with chown");
}

Result<std::string> all_of(int fd, const std::string& path, size_t limit) {
  std::string text(limit + 1, '\0');
  size_t length = 0;
  while (length < text.size()) {
    const ssize_t n = ::read(fd, text.data() + length, text.size() - length);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail_errno("cannot read " + path, errno);
    if (n == 0) break;
    length += static_cast<size_t>(n);
  }
  if (length > limit) return fail(fmt::format("{} is larger than {} bytes", path, limit));
  text.resize(length);
  return text;
}

}  // namespace

Result<std::string> read_private(const std::string& path, size_t limit) {
  if (is_link(path)) return fail(path + " is a link", "put the file itself there, or remove it");
  if (const auto kind = not_a_file(path))
    return fail(path + " is " + *kind + ", not a file", "put a file there, or remove it");
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  struct stat info {};
  if (!fd && errno == EACCES && ::stat(path.c_str(), &info) == 0)
    if (auto ours = check_owner(path, info); !ours) return tl::unexpected(ours.error());
  if (!fd) return fail_errno("cannot open " + path, errno);
  if (::fstat(fd.get(), &info) != 0) return fail_errno("cannot look at " + path, errno);
  if (!S_ISREG(info.st_mode)) return fail(path + " is not a file", "put a file there");
  if (auto ours = check_owner(path, info); !ours) return tl::unexpected(ours.error());
  if ((info.st_mode & kOthers) != 0)
    return fail(
        fmt::format("other users may read or write {} (mode {:04o})", path, info.st_mode & 07777),
        "chmod 600 it if nobody else has read it");
  return all_of(fd.get(), path, limit);
}

Result<std::string> read_given_secret(const std::string& path, size_t limit) {
  if (const auto kind = not_a_file(path))
    return fail(path + " is " + *kind + ", not a file", "put a file there");
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!fd) return fail_errno("cannot open " + path, errno);
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return fail_errno("cannot look at " + path, errno);
  if (!S_ISREG(info.st_mode)) return fail(path + " is not a file", "put a file there");
  if ((info.st_mode & kEverybody) != 0)
    return fail(fmt::format("everybody on this machine may read or write {} (mode {:04o})", path,
                            info.st_mode & 07777),
                "chmod 600 it if nobody else has read it");
  return all_of(fd.get(), path, limit);
}

Done hold_private_dir(const std::string& path) {
  if (is_link(path)) return fail(path + " is a link", "put a folder there, or remove it");
  if (auto made = make_private_dir(path); !made) return made;
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return fail_errno("cannot look at " + path, errno);
  if (auto ours = check_owner(path, info); !ours) return ours;
  if ((info.st_mode & kOthersWrite) != 0)
    return fail(
        fmt::format("other users may write in {} (mode {:04o})", path, info.st_mode & 07777),
        "chmod 700 it, and look at what is in it");
  return {};
}

}  // namespace pawl::os
