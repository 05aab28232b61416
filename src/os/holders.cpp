#include "os/holders.h"

namespace pawl::os {
namespace {

constexpr const char* kProgram = "pawl-holder";
constexpr size_t kWordBytes = 4096;

// Not 't': whoever is traced is that for a moment again and again.
bool is_stopped(const Stat& stat) {
  return stat.state == 'T';
}

}  // namespace

std::vector<HolderProcess> holders_in(const std::string& dir, const Proc& proc) {
  std::vector<HolderProcess> found;
  for (const Stat& stat : proc.all()) {
    if (stat.name != kProgram || stat.zombie()) continue;
    const auto words = proc.command_line(stat.id.pid, 3, kWordBytes);
    if (words.size() == 3 && words[1] == dir)
      found.push_back({stat.id, words[2], is_stopped(stat)});
  }
  return found;
}

bool stopped(const ProcessId& process) {
  if (process.pid <= 0) return false;
  const auto stat = Proc().stat(process.pid);
  return stat && stat->id == process && is_stopped(*stat);
}

}  // namespace pawl::os
