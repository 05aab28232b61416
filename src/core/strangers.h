#pragma once
// Programs that run in our holders and that no agent of this journal has: the journal was lost, or put away, while they ran. They
// are listed, can be ended by name, and nothing of the same name is started beside them.

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/units.h"
#include "model/event.h"

namespace pawl::host {
class Host;
}

namespace pawl::core {

struct Stranger {
  std::string name;  // of the agent it was
  SessionId session;
  model::Process process;
};

class Strangers {
 public:
  void found(Stranger one) { all_.push_back({std::move(one), false, {}, {}}); }
  std::vector<Stranger> all() const;
  const Stranger* find(const std::string& name) const;  // one of them; null: there is none
  bool has(SessionId session) const;

  // Asked to end all of this name; `request` is answered when they have.
  void stop(const std::string& name, RequestId request);
  // TERM to those that are to end, KILL to those that stay.
  void turn(MonoTime now, host::Host& host);
  // It has ended: the requests nobody has to wait for any more. `asked`: somebody wanted that.
  std::vector<RequestId> ended(SessionId session, bool& asked);
  std::optional<MonoTime> wake_at() const;

  // What people are told of them; nothing: there are none.
  std::optional<model::Alerted> alert() const;

 private:
  struct One {
    Stranger who;
    bool stops = false;
    std::optional<MonoTime> kill_at;
    std::vector<RequestId> waiting;
  };
  std::vector<One> all_;
};

// Why nothing of this name may be started now.
Error beside(const Stranger& one);

}  // namespace pawl::core
