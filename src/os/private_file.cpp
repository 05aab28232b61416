#include "os/private_file.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

namespace pawl::os {

Done check_private(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return {};
  const std::string fix = "remove it: rm " + path;
  if (!S_ISREG(info.st_mode)) return fail(path + " is not a file", fix);
  if (info.st_uid != ::geteuid()) return fail(path + " belongs to somebody else", fix);
  if ((info.st_mode & 077) != 0)
    return fail(fmt::format("{} is open to others (mode {:o})", path, info.st_mode & 07777), fix);
  return {};
}

}  // namespace pawl::os
