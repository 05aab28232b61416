#pragma once
// Looks at what the home holds when retention wants to know (core/parts/forgetting.h), on another thread: with ten thousands of tasks
// that takes seconds. What was forgotten before is taken off the disk at the same time.

#include <functional>
#include <string>

#include "core/face.h"
#include "os/loop.h"
#include "os/work.h"

namespace pawl::daemon {

inline constexpr Duration kSurveyLimit = std::chrono::hours{1};  // a disk that hangs

class Surveys {
 public:
  // `wake` asks for a turn soon.
  Surveys(os::Loop& loop, core::Engine& engine, std::string home, std::function<void()> wake)
      : worker_(loop), engine_(engine), home_(std::move(home)), wake_(std::move(wake)) {}

  // After a turn: the look it asked for is begun.
  void follow();

 private:
  void told(std::optional<model::Holdings> held);

  os::Worker worker_;
  core::Engine& engine_;
  std::string home_;
  std::function<void()> wake_;
};

}  // namespace pawl::daemon
