#include "host/facts.h"

#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>

#include "os/file.h"

namespace pawl::host {
namespace {

using os::Stat;

// What it costs to walk one terminal, in readings of a stat (bench/facts.cpp): each of its processes has a folder of threads,
// and each thread a list of children.
constexpr size_t kWalkCost = 8;

tl::unexpected<Error> gone(os::ProcessId child) {
  return fail("process " + std::to_string(child.pid) + " has ended");
}

// Who descends from whom: from one reading of everything, or asked process by process.
class Kin {
 public:
  Kin(const Kin&) = delete;  // by_pid_ points into all_
  Kin& operator=(const Kin&) = delete;
  Kin(const os::Proc& proc, Way way)
      : proc_(proc),
        walks_(way == Way::walk && proc.lists_children()),
        all_(walks_ ? std::vector<Stat>() : proc.all()) {
    std::sort(all_.begin(), all_.end(),
              [](const Stat& a, const Stat& b) { return a.parent < b.parent; });
    by_pid_.reserve(all_.size());
    for (const Stat& stat : all_) by_pid_.emplace(stat.id.pid, &stat);
  }

  std::optional<Stat> find(pid_t pid) const {
    const auto at = by_pid_.find(pid);
    return at == by_pid_.end() ? proc_.stat(pid) : *at->second;
  }

  // The child first, then parents before their children.
  std::vector<Stat> tree(const Stat& child) const {
    std::vector<Stat> found{child};
    for (size_t i = 0; i < found.size() && found.size() < kProcessesVisited; ++i) {
      const os::ProcessId parent = found[i].id;  // a copy: found grows
      if (walks_)
        for (const pid_t pid : proc_.children(parent.pid)) add(found, parent, proc_.stat(pid));
      else
        for (auto at = first_of(parent.pid); at != all_.end() && at->parent == parent.pid; ++at)
          add(found, parent, *at);
    }
    return found;
  }

 private:
  // Nobody is older than its parent: then one of the two numbers has changed hands meanwhile.
  static void add(std::vector<Stat>& found, os::ProcessId parent, std::optional<Stat> child) {
    if (!child || child->parent != parent.pid || child->id.start_ticks < parent.start_ticks) return;
    if (child->id.pid != parent.pid && found.size() < kProcessesVisited)
      found.push_back(std::move(*child));
  }
  std::vector<Stat>::const_iterator first_of(pid_t parent) const {
    return std::lower_bound(all_.begin(), all_.end(), parent,
                            [](const Stat& stat, pid_t pid) { return stat.parent < pid; });
  }

  const os::Proc& proc_;
  bool walks_;
  std::vector<Stat> all_;  // by parent
  std::unordered_map<pid_t, const Stat*> by_pid_;
};

// The one the group in front is named after, whether it descends from the child or not. A group's number is nobody else's pid
// as long as the group lives; after that it may be.
std::optional<Stat> leader_of(const Stat& child, const std::vector<Stat>& tree, const Kin& kin) {
  if (child.front <= 0) return std::nullopt;
  for (const Stat& stat : tree)
    if (stat.id.pid == child.front) return stat;
  auto stat = kin.find(child.front);
  if (stat && (stat->group != child.front || stat->session != child.session)) stat.reset();
  return stat;
}

// Those of the group in front that live, the leader first even when it does not.
std::vector<Stat> front_group(const Stat& child, const std::vector<Stat>& tree,
                              const std::optional<Stat>& leader) {
  std::vector<Stat> members;
  if (leader) members.push_back(*leader);
  for (const Stat& stat : tree)
    if (stat.group == child.front && stat.id.pid != child.front && !stat.zombie())
      members.push_back(stat);
  return members;
}

double cpu_seconds(const std::vector<Stat>& tree) {
  uint64_t ticks = 0;
  for (const Stat& stat : tree) ticks += stat.ticks + stat.reaped;
  return static_cast<double>(ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

std::vector<os::ProcessId> ids_of(const std::vector<Stat>& tree) {
  std::vector<os::ProcessId> ids;
  for (const Stat& stat : tree)
    if (!stat.zombie()) ids.push_back(stat.id);
  return ids;
}

std::vector<std::string> names_outside(const Stat& child, const std::vector<Stat>& tree) {
  std::vector<std::string> names;
  for (size_t i = 1; i < tree.size() && names.size() < kOutsideNames; ++i)
    if (tree[i].group != child.front && !tree[i].zombie()) names.push_back(tree[i].name);
  return names;
}

Result<Sketch> sketch_of(os::ProcessId id, const Kin& kin) {
  const auto child = kin.find(id.pid);
  if (!child || child->id != id || child->zombie()) return gone(id);
  if (child->terminal == 0)
    return fail("process " + std::to_string(id.pid) + " has let go of its terminal");
  const auto tree = kin.tree(*child);
  const auto leader = leader_of(*child, tree, kin);
  const auto members = front_group(*child, tree, leader);
  Sketch out{id, leader ? leader->id : os::ProcessId{}, child->terminal, {}, {}};
  out.facts.front_count = static_cast<int>(members.size());
  if (leader) {
    out.facts.front = leader->name;
    out.facts.zombie = leader->zombie();
    out.facts.stopped = leader->state == 'T';
  }
  const auto busiest =
      std::max_element(members.begin(), members.end(),
                       [](const auto& a, const auto& b) { return a.ticks < b.ticks; });
  if (busiest != members.end()) out.facts.busiest = busiest->name;
  for (const Stat& stat : members)
    out.facts.processes.push_back({stat.id.pid, stat.id.start_ticks});
  out.facts.outside = names_outside(*child, tree);
  out.facts.cpu_s = cpu_seconds(tree);
  out.tree = ids_of(tree);
  return out;
}

}  // namespace

bool better_scanned(size_t terminals, const os::Proc& proc) {
  if (!proc.lists_children()) return terminals > 1;
  return terminals * kWalkCost > proc.count();
}

std::vector<Result<Sketch>> survey(const std::vector<os::ProcessId>& children, Way way,
                                   const os::Proc& proc) {
  const Kin kin(proc, way);
  std::vector<Result<Sketch>> sketches;
  sketches.reserve(children.size());
  for (const os::ProcessId child : children) sketches.push_back(sketch_of(child, kin));
  return sketches;
}

// "{$NAME|else}" at the beginning, "~" and "{pid}" as that process means them; empty when they mean nothing to it.
static std::string own_path(std::string path, pid_t pid, const os::Proc& proc) {
  if (path.starts_with("{$")) {
    const size_t bar = path.find('|'), end = path.find('}');
    if (bar > end || end == std::string::npos) return {};
    const std::string value = proc.variable(pid, path.substr(2, bar - 2));
    path.replace(0, end + 1, value.empty() ? path.substr(bar + 1, end - bar - 1) : value);
  }
  if (path.starts_with("~/")) {
    const std::string home = proc.variable(pid, "HOME");
    if (home.empty()) return {};
    path.replace(0, 1, home);
  }
  if (const size_t at = path.find("{pid}"); at != std::string::npos)
    path.replace(at, 5, std::to_string(pid));
  return path.starts_with('/') ? path : std::string();
}

static void read_own_files(const model::OwnFiles& files, pid_t pid, const os::Proc& proc,
                           model::Facts& facts) {
  if (!files.status.empty())
    facts.status_file = os::read_slice(own_path(files.status, pid, proc), 0, kStatusFileBytes);
  if (files.transcript.empty()) return;
  const std::string path = own_path(files.transcript, pid, proc);
  const uint64_t size = os::file_size(path);
  facts.transcript_size = size;
  if (size == files.transcript_size) return;
  const uint64_t from = size > kTranscriptBytes ? size - kTranscriptBytes : 0;
  facts.transcript = os::read_slice(path, from, kTranscriptBytes);
}

// Sums: who is gone has left what it used to its parent, and a difference is all that counts.
static model::Effort effort_of(const Sketch& sketch, const std::vector<model::Process>& front,
                               const os::Proc& proc) {
  model::Effort out;
  for (const os::ProcessId id : sketch.tree) {
    out.moved += proc.moved(id.pid);
    out.family += static_cast<uint64_t>(id.pid) * 1000003 + id.start_ticks;
  }
  for (size_t i = 0; i < front.size() && i < kFrontWatched && !out.reads_terminal; ++i)
    out.reads_terminal = proc.reads_terminal(static_cast<pid_t>(front[i].pid), sketch.terminal);
  return out;
}

Result<model::Facts> close_up(Sketch sketch, const os::Proc& proc, const model::OwnFiles& files) {
  model::Facts facts = std::move(sketch.facts);
  if (sketch.leader.pid > 0)
    facts.argv = proc.command_line(sketch.leader.pid, kArguments, kArgumentBytes);
  if (sketch.leader.pid > 0) read_own_files(files, sketch.leader.pid, proc, facts);
  if (files.effort) facts.effort = effort_of(sketch, facts.processes, proc);
  const auto mode = proc.terminal_mode(sketch.terminal);
  if (!mode) return tl::unexpected(mode.error());
  facts.canonical = mode->canonical;
  facts.echo = mode->echo;
  facts.signals = mode->signals;
  // Still the same child at the same terminal: then the number of the terminal was not somebody else's when it was opened.
  const auto child = proc.stat(sketch.child.pid);
  if (!child || child->id != sketch.child || child->terminal != sketch.terminal)
    return gone(sketch.child);
  if (sketch.leader.pid > 0 && sketch.leader != sketch.child) {
    const auto leader = proc.stat(sketch.leader.pid);
    if (!leader || leader->id != sketch.leader) facts.argv.clear();  // perhaps a stranger's
  }
  return facts;
}

Result<model::Facts> read_facts(os::ProcessId child, const os::Proc& proc,
                                const model::OwnFiles& files) {
  auto sketches = survey({child}, Way::walk, proc);
  if (!sketches[0]) return tl::unexpected(sketches[0].error());
  return close_up(std::move(*sketches[0]), proc, files);
}

}  // namespace pawl::host
