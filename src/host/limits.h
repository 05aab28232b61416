#pragma once
// Keeps sessions to their limits. Where we may make groups of processes (os/cgroup.h) each task, and each session with a limit, has one:
// the kernel keeps its limits, and all of it is found and ended at once. The daemon that is a service of systemd's has them in a scope
// beside it (scope.h); what is to be opened while that is asked for waits for the answer. Elsewhere memory is looked at every two seconds
// (memory_watch.h), processes are found by descent (lineage.h), and a CPU limit is refused.
//
// Made and used by PtyHost alone, on the loop; what is in these groups' files is the kernel's, which keeps nobody waiting.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/units.h"
#include "host/host.h"
#include "host/memory_watch.h"
#include "host/scope.h"
#include "os/cgroup.h"
#include "os/process.h"
#include "os/shortage.h"

namespace pawl::host {

constexpr Duration kTidyEvery = std::chrono::milliseconds(200);
constexpr int kTidyTries = 50;  // of a group that is not empty; then only when another is closed

class LimitKeeper {
 public:
  // `over`: a session has too much memory; it is to be killed, with everything. `settled`: ask ready() again, for those that wait.
  // `root`: where /proc and /sys are.
  LimitKeeper(
      os::Loop& loop, const std::string& home, MemoryWatch::Roots roots,
      std::function<void(SessionId)> over, std::function<void()> settled = [] {},
      std::string root = "");
  ~LimitKeeper();
  LimitKeeper(const LimitKeeper&) = delete;
  LimitKeeper& operator=(const LimitKeeper&) = delete;

  // What the kernel does here. It changes when systemd has answered.
  const os::GroupPlace& place() const { return place_; }
  bool asking() const { return scope_.asking(); }
  // False: what is possible is not known yet; prepare() is for later.
  bool ready(const Limits& limits) const { return !limits.any() || !asking(); }
  // Once, when the sessions of the life before are known: a daemon that an agent began leaves that one's group.
  void begin();
  // Groups of tasks that are none of these any more: what is in them is killed.
  void end_orphans(const std::function<bool(SessionId)>& known);

  // Before it is opened; gives the file its program is to write itself into, or nothing. Fails where a limit cannot be kept.
  Result<std::string> prepare(SessionId session, const Limits& limits);
  // Its program runs: where the kernel does not keep its memory limit, it is looked at.
  void began(SessionId session, const os::ProcessId& program);
  // … in a life before.
  void found(SessionId session, const Limits& limits, const os::ProcessId& program);
  // Its program ended: why, when that was for memory.
  std::string ended(const Ended& event);
  // It is closed: its group goes when nobody is in it any more.
  void forget(SessionId session);

  // To everybody in the groups of these; how many there were.
  size_t signal(const std::vector<SessionId>& sessions, int signal_number);

 private:
  struct Its {
    Limits limits;
    std::string group;  // its folder; empty: none
    std::string cause;  // we killed it
    bool kept = false;  // by the kernel
    bool closed = false;
  };
  std::string name_of(SessionId session, bool task) const;
  void move_to_scope();
  void end_orphans_in(const std::string& dir, const std::function<bool(SessionId)>& known);
  void too_much(SessionId session, uint64_t bytes);
  void tidy();

  std::string mark_;  // of this home, in the names of groups
  std::string root_;
  MemoryWatch::Roots roots_;
  std::function<void(SessionId)> over_;
  MemoryWatch watch_;
  os::Shortage shortage_;
  os::Timer tidy_timer_;
  int tries_ = 0;
  std::function<void()> settled_;
  Scope scope_;
  os::GroupPlace own_;    // where we are
  os::GroupPlace place_;  // where groups are made: there, or in the scope
  bool prepared_ = false;
  std::map<SessionId, Its> sessions_;
};

}  // namespace pawl::host
