#pragma once
// Programs whose conversation is over, until they have ended: somebody has to take their status, and end those that stay.

#include <list>
#include <memory>

#include "os/child.h"

namespace pawl::fleet {

inline constexpr Duration kParts = std::chrono::seconds{2};  // from its last word to its end

class Parting {
 public:
  void take(std::unique_ptr<os::Child> child) {
    children_.push_front(std::move(child));
    const auto it = children_.begin();
    (*it)->tell([this, it](const os::ChildEnd&) { children_.erase(it); });
    (*it)->end_within(kParts);
  }
  size_t size() const { return children_.size(); }

 private:
  std::list<std::unique_ptr<os::Child>> children_;
};

}  // namespace pawl::fleet
