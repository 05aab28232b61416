#pragma once
// Work that may take long or hang, done off the loop: by the daemon's worker, at once in tests. For whoever reads and writes files outside
// PAWL_HOME (mover.h, arrivals.h).

#include <functional>
#include <memory>

#include "base/clock.h"

namespace pawl::api {

// run() is on another thread: it touches what it was given by value and nothing else.
struct Errand {
  virtual ~Errand() = default;
  virtual void run() = 0;
};
using ErrandBox = std::unique_ptr<Errand>;
// `done` hears once, on the loop: what it found, or null when it did not come back in time.
using Away =
    std::function<void(ErrandBox errand, Duration limit, std::function<void(ErrandBox)> done)>;

}  // namespace pawl::api
