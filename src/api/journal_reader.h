#pragma once
// A place in the journal that moves on: for every verb that reads what happened. At most so many batches at once: a search through
// a long journal is nobody else's wait.

#include <functional>
#include <optional>

#include "base/clock.h"
#include "core/face.h"

namespace pawl::api {

class JournalReader {
 public:
  explicit JournalReader(Seq after) : after_(after) {}

  // Visits what follows, oldest first, while there is room. True when the end is reached: everything the fleet is folded from was
  // visited.
  Result<bool> read(core::Engine& engine, const Clock& now, const std::function<bool()>& room,
                    const std::function<void(const model::Event&)>& visit);
  // There is more to read although nobody stands in the way.
  std::optional<MonoTime> wake_at() const { return next_; }

 private:
  Seq after_;
  std::optional<MonoTime> next_;
};

}  // namespace pawl::api
