#pragma once
// Memory limits where the kernel keeps none for us: every two seconds, off the loop, it is counted what a session's program and all
// that descends from it have. For limits.h, which says what then happens.
//
// Counted is memory of no file, of each process, and of shared memory the largest part that one of them has. A program
// that starts another is there twice for an instant: so what is above its limit is counted once more before it is told.

#include <functional>
#include <map>
#include <vector>

#include "base/units.h"
#include "host/lineage.h"
#include "os/loop.h"
#include "os/proc.h"
#include "os/work.h"

namespace pawl::host {

constexpr Duration kMemoryLook = std::chrono::seconds(2);
constexpr Duration kSecondLook = std::chrono::milliseconds(100);

// What the processes of these sessions have, in bytes: one reading of everything for all. `memory`: where /proc is.
std::map<SessionId, uint64_t> weigh(const std::vector<SessionId>& sessions,
                                    const std::vector<Root>& roots, const os::Proc& proc,
                                    const std::string& memory = "/proc");

class MemoryWatch {
 public:
  using Roots = std::function<std::vector<Root>()>;
  using Over = std::function<void(SessionId, uint64_t bytes)>;
  // `over` is called from the loop, for each look that finds a session above its limit twice.
  MemoryWatch(os::Loop& loop, Roots roots, Over over);

  void watch(SessionId session, uint64_t limit);
  void forget(SessionId session) { limits_.erase(session); }
  bool empty() const { return limits_.empty(); }

 private:
  void look();
  void weighed(const std::map<SessionId, uint64_t>& weights);

  os::Worker worker_;
  os::Timer timer_;
  Roots roots_;
  Over over_;
  std::map<SessionId, uint64_t> limits_;
  std::vector<SessionId> above_;  // at the first look
  bool looking_ = false;
};

}  // namespace pawl::host
