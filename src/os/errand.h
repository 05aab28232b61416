#pragma once
// Calls that may hang inside the kernel, for somebody who has to have an answer now: a mount whose server is gone holds whoever looks
// at it, for ever, and nothing can call them back. So a thread is sent. One that does not come back in time is given up; what it was
// sent for owns all that it touches, so whoever waited may forget it.
//
//   Errands errands(std::chrono::seconds{2});
//   auto size = std::make_shared<uint64_t>();
//   const auto late = errands.run([path, size] { *size = file_size(path); });   // null: it is done, and *size is set
//
// work.h does the same without waiting, for callers that can go on later.

#include <functional>
#include <memory>
#include <vector>

#include "base/clock.h"

namespace pawl::os {

// One that did not come back in time.
class Late {
 public:
  virtual ~Late() = default;
  virtual bool back() const = 0;  // by now
};

class Errands {
 public:
  // So many may be away at a time; then run() sends nobody.
  static constexpr size_t kMostAway = 8;

  explicit Errands(Duration limit);
  ~Errands();  // who is away stays away
  Errands(const Errands&) = delete;
  Errands& operator=(const Errands&) = delete;

  // Null: it was done. When too many are away it was not begun, and what is given back is never `back`.
  std::shared_ptr<const Late> run(std::function<void()> errand);
  // Does not wait at all; null: too many are away.
  std::shared_ptr<const Late> send(std::function<void()> errand);
  size_t away();

 private:
  class Runner;
  std::shared_ptr<Runner> runner();  // an idle one, or a new one; null: too many are away

  const Duration limit_;
  std::shared_ptr<Runner> idle_;
  std::vector<std::shared_ptr<Runner>> away_;
};

}  // namespace pawl::os
