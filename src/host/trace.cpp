#include "host/trace.h"

#include <signal.h>

#include <cerrno>
#include <optional>

namespace pawl::host {
namespace {

using os::Stat;

// It is there, and somebody else's: where /proc hides those (hidepid), this is all that can be seen of it.
bool hidden(pid_t pid) {
  return ::kill(pid, 0) != 0 && errno == EPERM;
}

// From the process up to the first one that can be seen; nothing when one of them went away meanwhile.
std::optional<std::vector<Stat>> ancestors(pid_t process, const os::Proc& proc) {
  std::vector<Stat> chain;
  for (pid_t pid = process; pid > 0 && chain.size() < kAncestors; pid = chain.back().parent) {
    auto stat = proc.stat(pid);
    if (!stat && !chain.empty() && hidden(pid)) return chain;
    // Nobody is younger than its child: then the parent ended, and its number has changed hands.
    if (!stat || (!chain.empty() && stat->id.start_ticks > chain.back().id.start_ticks))
      return std::nullopt;
    chain.push_back(std::move(*stat));
  }
  return chain;
}

// Is it in the session of processes that this program leads? A leader's number is nobody else's while its session lives, also
// after its end.
bool leads(const Root& root, const Stat& stat, const os::Proc& proc) {
  if (root.session.value == 0 || stat.session != root.process.pid) return false;
  const auto leader = proc.stat(stat.session);
  return !leader || leader->id == root.process;
}

}  // namespace

Traced trace(pid_t process, const std::vector<Root>& roots, pid_t daemon,
             const std::vector<std::string>& servers, const os::Proc& proc) {
  using Where = Traced::Where;
  // No number here: it is outside the daemon's world of processes (a container's), where no descendant of ours can get to.
  if (process <= 0) return {Where::outside};
  std::optional<std::vector<Stat>> chain;
  for (int i = 0; i < kTraces && !chain; ++i) {
    if (!proc.stat(process)) return {Where::untraced};
    chain = ancestors(process, proc);
  }
  if (!chain) return {Where::untraced};
  for (const Stat& stat : *chain) {
    if (stat.id.pid == daemon) return {Where::daemon};
    for (const Root& root : roots)
      if (stat.id == root.process || leads(root, stat, proc))
        return {Where::inside, root.session, 0, stat.name == kKeeperName};
    if (shared_server(stat, servers)) return {Where::inside, kShared, stat.id.pid};
  }
  return {chain->size() < kAncestors ? Where::outside : Where::untraced};
}

}  // namespace pawl::host
