#include "os/cgroup.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "base/text.h"
#include "os/fd.h"
#include "os/file.h"

namespace pawl::os {
namespace {

constexpr int kCpuPeriodUs = 100'000;
constexpr int kMoveRounds = 5;  // those in it may be starting others
constexpr size_t kProcsBytes = 1u << 20;
constexpr int kDepth = 16;  // groups that a program makes below its own

// Never made: a file that is not there is a controller that is not there.
Done put(const std::string& path, const std::string& text) {
  const Fd file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_TRUNC));
  if (!file) return fail_errno("cannot open " + path, errno);
  if (::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    return fail_errno("cannot write " + path, errno);
  return {};
}

std::string kernel_text(const std::string& path) {
  return read_file(path, kProcsBytes).value_or("");
}

std::vector<pid_t> numbers(const std::string& text) {
  std::vector<pid_t> found;
  for (const auto& line : split(text, '\n')) {
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), pid);
    if (error == std::errc{} && pid > 0) found.push_back(pid);
  }
  return found;
}

bool has_word(const std::string& path, std::string_view word) {
  for (const auto& line : split(kernel_text(path), '\n'))
    for (const auto& one : split(line, ' '))
      if (one == word) return true;
  return false;
}

std::optional<uint64_t> leading(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end == text.data()) return std::nullopt;
  return value;
}

// Of the unified hierarchy, also beside the old ones (hybrid).
std::string mount_point(const std::string& root) {
  for (const char* dir : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"})
    if (exists(root + dir + "/cgroup.controllers")) return root + dir;
  return {};
}

std::optional<std::string> path_of(const std::string& who, const std::string& root) {
  for (const auto& line : split(kernel_text(root + "/proc/" + who + "/cgroup"), '\n'))
    if (line.starts_with("0::/") && line.find("/..") == line.npos) return line.substr(3);
  return std::nullopt;
}

// One of ours, whoever's daemon made it: what runs there may begin a daemon.
bool made_by_pawl(std::string_view name) {
  const auto suffixed = [&](std::string_view end) { return name.ends_with(end); };
  return name.starts_with("pawl-") && !suffixed(".service") && !suffixed(".scope") &&
         !suffixed(".slice");
}

std::vector<std::string> groups_below(const std::string& dir) {
  std::vector<std::string> found;
  for (const auto& name : list_dir(dir))
    if (const std::string path = dir + "/" + name; is_dir(path) && !is_link(path))
      found.push_back(path);
  return found;
}

void add_members(const std::string& dir, int depth, std::vector<pid_t>& out) {
  for (const pid_t pid : numbers(kernel_text(dir + "/cgroup.procs"))) out.push_back(pid);
  if (depth >= kDepth) return;
  for (const auto& below : groups_below(dir)) add_members(below, depth + 1, out);
}

bool remove_below(const std::string& dir, int depth) {
  if (depth < kDepth)
    for (const auto& below : groups_below(dir)) remove_below(below, depth + 1);
  return ::rmdir(dir.c_str()) == 0;
}

void find_controllers(GroupPlace& place) {
  place.memory = has_word(place.dir + "/cgroup.controllers", "memory");
  place.cpu = has_word(place.dir + "/cgroup.controllers", "cpu");
  if (!place.memory || !place.cpu) place.why = "the cgroup has no controllers for it";
}

GroupPlace nowhere(std::string why) {
  GroupPlace place;
  place.why = std::move(why);
  return place;
}

}  // namespace

std::string GroupPlace::scope() const {
  return dir.ends_with(".scope") ? dir.substr(dir.rfind('/') + 1) : std::string();
}

GroupPlace group_place(const Mine& mine, const std::string& root) {
  const std::string mount = mount_point(root);
  if (mount.empty()) return nowhere("there is no cgroup v2 here");
  auto path = path_of("self", root);
  if (!path) return nowhere("our own cgroup cannot be seen");
  GroupPlace place;
  if (made_by_pawl(path->substr(path->rfind('/') + 1))) {
    place.leaf = path->ends_with(std::string("/") + kLeafGroup);
    place.inside = !place.leaf;
    path->erase(path->rfind('/'));
  }
  if (*path == "/") path->clear();
  const std::string dir = mount + *path;
  if (::access(dir.c_str(), W_OK) != 0 || ::access((dir + "/cgroup.procs").c_str(), W_OK) != 0)
    return nowhere("the cgroup is not delegated to this user");
  place.root = !exists(dir + "/cgroup.events");
  const auto others = numbers(kernel_text(dir + "/cgroup.procs"));
  if (!place.root && !place.leaf && !std::all_of(others.begin(), others.end(), mine))
    return nowhere("other programs run in the same cgroup");
  place.dir = dir;
  if (dir.ends_with(".service")) {
    const std::string all = mount + "/cgroup.controllers";  // none: the old hierarchies have them
    place.service = has_word(all, "memory") || has_word(all, "cpu");
    place.why = "systemd could not restart a service whose cgroup has limits in it";
    return place;
  }
  find_controllers(place);
  return place;
}

GroupPlace place_in(const std::string& dir) {
  GroupPlace place;
  place.dir = dir;
  place.leaf = true;
  find_controllers(place);
  return place;
}

Done prepare_groups(GroupPlace& place, pid_t own) {
  if (!place.memory && !place.cpu) return {};
  if (!place.root) {
    const std::string leaf = place.dir + "/" + kLeafGroup;
    if (auto made = make_group(leaf, {}); !made) return made;
    if (!place.leaf)
      if (auto moved = enter_group(leaf, own); !moved) return moved;
    for (int round = 0; round < kMoveRounds; ++round)
      for (const pid_t pid : numbers(kernel_text(place.dir + "/cgroup.procs")))
        (void)enter_group(leaf, pid);  // it may have ended
    place.leaf = true;
  }
  const auto keep = [&](bool& flag, const char* name) {
    if (!flag) return;
    const std::string file = place.dir + "/cgroup.subtree_control";
    if (has_word(file, name)) return;
    if (const auto done = put(file, std::string("+") + name); !done) {
      flag = false;
      place.why = done.error().what;
    }
  };
  keep(place.memory, "memory");
  keep(place.cpu, "cpu");
  return {};
}

Done make_group(const std::string& dir, const GroupLimits& limits) {
  if (::mkdir(dir.c_str(), 0755) != 0 && errno != EEXIST)
    return fail_errno("cannot make the cgroup " + dir, errno);
  if (limits.memory > 0) {
    if (auto done = put(dir + "/memory.max", std::to_string(limits.memory)); !done) return done;
    // Where they are not there, what it may swap is not counted.
    (void)put(dir + "/memory.swap.max", "0");
    (void)put(dir + "/memory.oom.group", "1");
  }
  if (limits.cpu_pct > 0)
    return put(dir + "/cpu.max",
               fmt::format("{} {}", int64_t{limits.cpu_pct} * kCpuPeriodUs / 100, kCpuPeriodUs));
  return {};
}

Done enter_group(const std::string& dir, pid_t pid) {
  return put(dir + "/cgroup.procs", std::to_string(pid));
}

Done leave_group(const GroupPlace& place, pid_t own) {
  if (!place.inside || place.dir.empty()) return {};
  if (enter_group(place.dir + "/" + kLeafGroup, own)) return {};
  return enter_group(place.dir, own);
}

std::string group_of(pid_t pid, const std::string& root) {
  const auto path = path_of(std::to_string(pid), root);
  const std::string mount = mount_point(root);
  return path && !mount.empty() ? mount + *path : std::string();
}

std::vector<pid_t> group_members(const std::string& dir) {
  std::vector<pid_t> found;
  add_members(dir, 0, found);
  return found;
}

bool group_limits_memory(const std::string& dir) {
  return leading(kernel_text(dir + "/memory.max")).has_value();
}

// What is not there, or empty, is no limit.
std::string group_limited_by(const std::string& dir) {
  for (const char* name :
       {"memory.max", "memory.high", "memory.swap.max", "cpu.max", "cpuset.cpus", "io.max"}) {
    const std::string text = kernel_text(dir + "/" + name);
    if (!trim(text).empty() && !text.starts_with("max")) return name;
  }
  return {};
}

std::string group_tasks_max(const std::string& dir) {
  const auto most = leading(kernel_text(dir + "/pids.max"));
  return most ? std::to_string(*most) : "infinity";
}

bool kill_group(const std::string& dir) {
  return put(dir + "/cgroup.kill", "1").has_value();
}

bool remove_group(const std::string& dir) {
  return remove_below(dir, 0);
}

GroupStory group_story(const std::string& dir) {
  constexpr std::string_view kKills = "oom_kill ";
  GroupStory story;
  for (const auto& line : split(kernel_text(dir + "/memory.events"), '\n'))
    if (line.starts_with(kKills))
      story.oom_kills = leading(std::string_view(line).substr(kKills.size())).value_or(0);
  story.peak = leading(kernel_text(dir + "/memory.peak"));
  return story;
}

}  // namespace pawl::os
