#pragma once
// The true time of a simulated fleet, and what happens when. What is planned for the same moment happens in the order of planning.

#include <functional>
#include <map>
#include <utility>

#include "base/clock.h"

namespace pawl::sim {

class Timeline {
 public:
  Duration now() const { return now_; }
  void at(Duration when, std::function<void()> what) {
    plans_.emplace(std::pair{std::max(when, now_), ++count_}, std::move(what));
  }
  void after(Duration length, std::function<void()> what) { at(now_ + length, std::move(what)); }
  // The next thing; false: there is none until then.
  bool step(Duration until) {
    if (plans_.empty() || plans_.begin()->first.first > until) {
      now_ = until;
      return false;
    }
    auto next = plans_.extract(plans_.begin());
    now_ = next.key().first;
    next.mapped()();
    return true;
  }
  uint64_t count() const { return count_; }

 private:
  Duration now_{};
  uint64_t count_ = 0;
  std::map<std::pair<Duration, uint64_t>, std::function<void()>> plans_;
};

}  // namespace pawl::sim
