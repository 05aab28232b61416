#pragma once
// Other machines, as verbs of this one see them: `pawl machine add`, `ls` and `rm`, and the rows that `pawl ls` adds.

#include <string>

#include "api/conversation.h"
#include "core/face.h"
#include "fleet/machines.h"

namespace pawl::daemon {

class MachineRoom {
 public:
  // `wake` asks for a turn soon.
  MachineRoom(os::Loop& loop, core::Engine& engine, api::Server& server, const std::string& home,
              std::function<void()> wake);

  // As the last daemon had them. What keeps it from that is said in an alert: agents come first.
  void begin_again();

 private:
  Result<Json> asked(const std::string& verb, const Json& request);
  Result<Json> add(const Json& request);
  void tell(const std::string& text);

  core::Engine& engine_;
  std::function<void()> wake_;
  fleet::Machines machines_;
};

}  // namespace pawl::daemon
