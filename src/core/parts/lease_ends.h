#pragma once
// Ends of tasks of the fleet, told when nothing of them lives any more: whoever hears of one gives the unit back, and another
// machine may run it at once.

#include <deque>
#include <optional>
#include <vector>

#include "core/leased_task.h"
#include "core/parts/ground.h"

namespace pawl::core {

inline constexpr Duration kLeftAgain = std::chrono::milliseconds{50};
inline constexpr int kLeftLooks = 100;  // then it is told with what is left of it
inline constexpr Duration kLeaseEndsTold =
    std::chrono::minutes{10};  // after a start: ends are told again that are not older
inline constexpr size_t kLeaseEndsListed =
    1000;  // … of so many tasks that were over last; of more, nobody comes for the oldest

class LeaseEnds {
 public:
  explicit LeaseEnds(const Ground& ground) : ground_(ground) {}

  void over(LeasedTask task, SessionId session);
  void turn(MonoTime now);
  std::optional<MonoTime> wake_at() const;
  std::vector<LeasedTask> take() { return std::exchange(ends_, {}); }

 private:
  struct Going {
    LeasedTask task;
    SessionId session;
    MonoTime look_at{};
    int looks = 0;
  };
  Ground ground_;
  std::vector<Going> going_;
  std::vector<LeasedTask> ends_;
};

}  // namespace pawl::core
