#include "host/memory_watch.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "os/memory.h"

namespace pawl::host {
namespace {

struct Weighing {
  std::vector<SessionId> sessions;
  std::vector<Root> roots;
  std::map<SessionId, uint64_t> weights = {};
  void run() { weights = weigh(sessions, roots, os::Proc()); }
};

}  // namespace

std::map<SessionId, uint64_t> weigh(const std::vector<SessionId>& sessions,
                                    const std::vector<Root>& roots, const os::Proc& proc,
                                    const std::string& memory) {
  const std::vector<os::Stat> all = proc.all();
  std::unordered_multimap<pid_t, const os::Stat*> by_parent;
  std::unordered_map<pid_t, const Root*> rooted;
  for (const auto& stat : all) by_parent.emplace(stat.parent, &stat);
  for (const Root& root : roots) rooted.emplace(root.process.pid, &root);
  std::map<SessionId, uint64_t> weights;
  for (const SessionId session : sessions) {
    std::set<pid_t> seen;
    std::vector<pid_t> line;
    for (const auto& stat : all) {
      const auto root = rooted.find(stat.id.pid);
      if (root != rooted.end() && root->second->session == session &&
          root->second->process == stat.id && seen.insert(stat.id.pid).second)
        line.push_back(stat.id.pid);
    }
    uint64_t own = 0, shared = 0;
    for (size_t i = 0; i < line.size(); ++i) {
      const auto its = os::process_memory(line[i], memory).value_or(os::ProcessMemory{});
      own += its.own;
      shared = std::max(shared, its.shared);
      const auto [first, last] = by_parent.equal_range(line[i]);
      for (auto it = first; it != last; ++it)
        if (const pid_t pid = it->second->id.pid; !rooted.contains(pid) && seen.insert(pid).second)
          line.push_back(pid);
    }
    weights[session] = own + shared;
  }
  return weights;
}

MemoryWatch::MemoryWatch(os::Loop& loop, Roots roots, Over over)
    : worker_(loop),
      timer_(loop, [this] { look(); }),
      roots_(std::move(roots)),
      over_(std::move(over)) {}

void MemoryWatch::watch(SessionId session, uint64_t limit) {
  limits_[session] = limit;
  if (!looking_ && !timer_.armed()) timer_.start(kMemoryLook);
}

void MemoryWatch::look() {
  if (looking_ || limits_.empty()) return;
  Weighing task{above_, roots_()};
  if (above_.empty())
    for (const auto& [session, limit] : limits_) task.sessions.push_back(session);
  looking_ = worker_.run<Weighing>(std::move(task), kMemoryLook,
                                   [this](os::Answer answer, Weighing* done) {
                                     if (answer == os::Answer::late) return;  // until it is back
                                     looking_ = false;
                                     timer_.start(kMemoryLook);
                                     if (done) weighed(done->weights);
                                   });
  if (!looking_) timer_.start(kMemoryLook);
}

void MemoryWatch::weighed(const std::map<SessionId, uint64_t>& weights) {
  const bool second = !above_.empty();
  above_.clear();
  std::vector<std::pair<SessionId, uint64_t>> over;
  for (const auto& [session, bytes] : weights) {
    const auto limit = limits_.find(session);
    if (limit != limits_.end() && bytes > limit->second) over.emplace_back(session, bytes);
  }
  if (second) {
    for (const auto& [session, bytes] : over) over_(session, bytes);
    return;
  }
  for (const auto& [session, bytes] : over) above_.push_back(session);
  if (!above_.empty()) timer_.start(kSecondLook);
}

}  // namespace pawl::host
