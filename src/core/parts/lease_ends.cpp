#include "core/parts/lease_ends.h"

#include <algorithm>
#include <csignal>

namespace pawl::core {

void LeaseEnds::over(LeasedTask task, SessionId session) {
  going_.push_back({std::move(task), session});
}

// One look for all of them: mostly nobody is left of any.
void LeaseEnds::turn(MonoTime now) {
  std::vector<SessionId> due;
  for (const auto& one : going_)
    if (one.look_at <= now) due.push_back(one.session);
  if (due.empty()) return;
  const bool none = ground_.host.signal_leftovers(due, SIGKILL) == 0;
  std::erase_if(going_, [&](Going& one) {
    if (now < one.look_at) return false;
    one.task.left = none ? 0 : ground_.host.signal_leftovers({one.session}, SIGKILL);
    one.look_at = now + kLeftAgain;
    if (one.task.left > 0 && ++one.looks < kLeftLooks) return false;
    ends_.push_back(std::move(one.task));
    return true;
  });
  if (ends_.size() > kLeaseEndsListed) ends_.erase(ends_.begin(), ends_.end() - kLeaseEndsListed);
}

std::optional<MonoTime> LeaseEnds::wake_at() const {
  std::optional<MonoTime> at;
  for (const auto& one : going_) at = earlier(at, one.look_at);
  return at;
}

}  // namespace pawl::core
