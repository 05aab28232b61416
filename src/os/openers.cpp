#include "os/openers.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "os/file.h"

namespace pawl::os {
namespace {

constexpr size_t kNameLimit = 64;

bool has_open(const std::string& process, const std::string& path) {
  for (const auto& number : list_dir(process + "/fd")) {
    std::error_code gone;
    const auto target = std::filesystem::read_symlink(process + "/fd/" + number, gone);
    if (!gone && target == path) return true;
  }
  return false;
}

}  // namespace

std::vector<pid_t> openers_of_removed(const std::string& path, const std::string& program) {
  std::vector<pid_t> found;
  std::error_code error;
  const auto whole = std::filesystem::weakly_canonical(path, error);
  const std::string wanted = (error ? path : whole.string()) + " (deleted)";
  for (const auto& name : list_dir("/proc")) {
    const auto pid = static_cast<pid_t>(std::strtol(name.c_str(), nullptr, 10));
    const std::string process = "/proc/" + name;
    struct stat owner {};
    if (pid <= 0 || pid == ::getpid() || ::stat(process.c_str(), &owner) != 0) continue;
    if (owner.st_uid != ::geteuid()) continue;
    const auto called = read_file(process + "/comm", kNameLimit);
    if (called && called->starts_with(program) && has_open(process, wanted)) found.push_back(pid);
  }
  return found;
}

}  // namespace pawl::os
