#pragma once
// What goes to other machines and takes its time: both ends of `pawl move` (api/mover.h, api/arrivals.h), with a worker for what they read
// and write outside PAWL_HOME; and what waits for a machine that is not reached (api/later.h).

#include <functional>
#include <vector>

#include "api/arrivals.h"
#include "api/later.h"
#include "api/mover.h"
#include "os/work.h"

namespace pawl::daemon {

class MoveRoom {
 public:
  // `wake` asks for a turn soon.
  MoveRoom(os::Loop& loop, core::Engine& engine, api::Server& server, std::function<void()> wake);

  void begin_again();
  void follow(const Clock& now, const std::vector<core::Answer>& answers);
  std::optional<MonoTime> wake_at() const;

 private:
  api::Away away();

  std::function<void()> wake_;
  api::Mover mover_;
  api::Arrivals arrivals_;
  api::Later later_;
  os::Worker worker_;  // ends first
};

}  // namespace pawl::daemon
