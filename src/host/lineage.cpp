#include "host/lineage.h"

#include <algorithm>
#include <unordered_map>

namespace pawl::host {
namespace {

using os::Stat;

constexpr int kTries = 3;

const Root* root_at(const os::ProcessId& process, const std::vector<Root>& roots) {
  const auto found =
      std::find_if(roots.begin(), roots.end(), [&](const Root& r) { return r.process == process; });
  return found == roots.end() ? nullptr : &*found;
}

// Nobody is older than its parent: then one of the two numbers has changed hands meanwhile.
bool child_of(const Stat& child, const Stat& parent) {
  return child.parent == parent.id.pid && child.id.start_ticks >= parent.id.start_ticks;
}

struct Climb {
  bool settled = false;  // false: somebody ended on the way
  std::optional<SessionId> session = {};
};

Climb climb(pid_t pid, const std::vector<Root>& roots, const os::Proc& proc) {
  auto at = proc.stat(pid);
  for (int i = 0; at && i < kAncestorsVisited; ++i) {
    if (const Root* root = root_at(at->id, roots)) {
      if (root->session.value == 0) return {true, {}};
      return {true, root->session};
    }
    if (at->parent <= 0) return {true, {}};
    auto above = proc.stat(at->parent);
    const auto again = proc.stat(at->id.pid);  // it still is the child of the one just read
    if (!above || !again || again->id != at->id || !child_of(*again, *above)) return {};
    at = std::move(above);
  }
  return {};
}

}  // namespace

bool shared_server(const Stat& stat, const std::vector<std::string>& names) {
  return stat.session == stat.id.pid && stat.terminal == 0 &&
         std::find(names.begin(), names.end(), stat.name) != names.end();
}

std::vector<Root> shared_servers(const std::vector<std::string>& names, const os::Proc& proc) {
  std::vector<Root> found;
  if (names.empty()) return found;
  for (const Stat& stat : proc.all())
    if (shared_server(stat, names)) found.push_back({stat.id, kShared});
  return found;
}

std::optional<SessionId> session_of(pid_t pid, const std::vector<Root>& roots,
                                    const os::Proc& proc) {
  for (int i = 0; i < kTries; ++i)
    if (const Climb seen = climb(pid, roots, proc); seen.settled) return seen.session;
  return std::nullopt;
}

std::vector<os::ProcessId> descendants(const std::vector<SessionId>& sessions,
                                       const std::vector<Root>& roots, const os::Proc& proc) {
  const auto wanted = [&](SessionId session) {
    return session.value != 0 &&
           std::find(sessions.begin(), sessions.end(), session) != sessions.end();
  };
  const std::vector<Stat> all = proc.all();
  std::unordered_multimap<pid_t, const Stat*> by_parent;
  for (const Stat& stat : all) by_parent.emplace(stat.parent, &stat);
  std::vector<const Stat*> line;  // parents before their children
  for (const Stat& stat : all)
    if (const Root* root = root_at(stat.id, roots); root && wanted(root->session))
      line.push_back(&stat);
  std::vector<os::ProcessId> found;
  for (size_t i = 0; i < line.size(); ++i) {
    const auto [first, last] = by_parent.equal_range(line[i]->id.pid);
    for (auto it = first; it != last; ++it) {
      const Stat& child = *it->second;
      if (!child_of(child, *line[i]) || root_at(child.id, roots)) continue;
      line.push_back(&child);
      // One reading of everything takes a while: before anything is done about it, it is looked at again.
      const auto owner = child.zombie() ? std::nullopt : session_of(child.id.pid, roots, proc);
      if (owner && wanted(*owner)) found.push_back(child.id);
    }
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.pid < b.pid; });
  return found;
}

}  // namespace pawl::host
