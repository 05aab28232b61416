#include "os/home.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "os/file.h"

namespace pawl::os {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

std::string home_dir() {
  const std::string here = current_dir();
  if (const auto home = variable("PAWL_HOME"); !home.empty()) return absolute(home, here);
  if (const auto state = variable("XDG_STATE_HOME"); !state.empty())
    return absolute(state + "/pawl", here);
  return absolute("~/.local/state/pawl", here);
}

std::string config_path() {
  const std::string here = current_dir();
  if (const auto config = variable("PAWL_CONFIG"); !config.empty()) return absolute(config, here);
  if (const auto base = variable("XDG_CONFIG_HOME"); !base.empty())
    return absolute(base + "/pawl/pawl.toml", here);
  return absolute("~/.config/pawl/pawl.toml", here);
}

Done prepare_home(const std::string& home) {
  const std::string fix = "set PAWL_HOME to a folder of your own";
  if (auto made = make_private_dir(home); !made)
    return fail("PAWL_HOME: " + made.error().what, fix);
  struct stat info {};
  if (::stat(home.c_str(), &info) != 0)
    return fail_errno("PAWL_HOME: cannot look at " + home, errno, fix);
  if (info.st_uid != ::geteuid())
    return fail("PAWL_HOME " + home + " belongs to somebody else", fix);
  if ((info.st_mode & 077) != 0)
    return fail(
        fmt::format("PAWL_HOME {} is open to others (mode {:o})", home, info.st_mode & 07777),
        "chmod 700 " + home + ", or " + fix);
  if (::access(home.c_str(), W_OK | X_OK) != 0)
    return fail("PAWL_HOME " + home + " is not writable", fix);
  return {};
}

std::string config_dir() {
  const std::string path = config_path();
  return path.substr(0, path.rfind('/'));
}

}  // namespace pawl::os
