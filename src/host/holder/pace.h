#pragma once
// How often the holder may wake for terminals: a bucket of credits. A few wakes after quiet cost
// nothing (a keystroke's echo goes out at once); many small ones in a row are gathered, one batch
// per interval. Bulk output is never held back.

#include <stdint.h>

namespace pawl::holder {

constexpr int64_t kPaceIntervalUs = 8000;
constexpr int64_t kPaceCredits = 16;

struct Pace {
  int64_t spent_until = 0;  // the bucket is full when this lies kPaceCredits intervals in the past

  // How long to leave the terminals alone from now on; 0: look at once.
  int64_t wait(int64_t now_us) const {
    const int64_t earliest = spent_until - kPaceIntervalUs * (kPaceCredits - 1);
    return earliest > now_us ? earliest - now_us : 0;
  }
  void woke(int64_t now_us, bool bulk) {
    if (bulk) return;
    if (spent_until < now_us) spent_until = now_us;
    spent_until += kPaceIntervalUs;
  }
};

}  // namespace pawl::holder
