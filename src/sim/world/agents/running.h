#pragma once
// What runs in a terminal of the simulated world, as its host (host/world_host.h) sees it: an agent with an interface (program.h), or
// a run of a task that only prints (task_program.h). A pure machine in virtual time: every call says what time it is.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/units.h"
#include "model/event.h"
#include "model/facts.h"
#include "sim/world/agents/behaviour.h"
#include "sim/world/agents/log.h"
#include "sim/world/agents/records.h"

namespace pawl::sim {

struct Launch {
  std::vector<std::string>
      argv;  // a conversation's id to go on with, hooks and permissions are read from it
  Size size{120, 40};
  WallTime wall{};  // what the machine's clock shows then
  std::string home = "/home/dev", dir = "/home/dev/proj";
  model::Process process{1000, 1};
  bool ghostty = false;  // TERM_PROGRAM says so: progress is shown by OSC 9;4
  bool shell = false;    // a shell started it, and is in front again when it ends
  bool trusted = true, logged_in = true, outdated = false;  // else it asks before anything else
  bool conversation_exists = true;                          // the one in argv
  bool hooks = false;  // its user has put `pawl hook` into its settings
};

class Running {
 public:
  virtual ~Running() = default;

  virtual void start(MonoTime now, Launch launch) = 0;
  virtual void read(MonoTime now, std::string_view bytes) = 0;
  virtual void resize(MonoTime now, Size size) = 0;
  virtual void signal(MonoTime now, int number) = 0;
  virtual void clock_set(Duration by) = 0;
  virtual void behave(const Behaviour& behaviour) = 0;
  // Lives on until now.
  virtual std::string print(MonoTime now) = 0;
  virtual std::optional<MonoTime> wake_at() const = 0;

  virtual const std::optional<model::Ending>& ended() const = 0;
  virtual std::vector<std::string> take_hooks(MonoTime now) = 0;
  virtual std::vector<Entry> take_log() = 0;
  virtual model::Facts facts(MonoTime now) const = 0;
  virtual std::vector<OwnFile> files(MonoTime now) const = 0;

  // What it asks, and what is in its box while it reads; nothing: it has none.
  virtual const Asked* asked() const { return nullptr; }
  virtual std::string in_box() const { return {}; }

  // Something befalls it, by the words of a story; false: not this one, or not now.
  virtual bool order(MonoTime now, std::string_view words) = 0;
  virtual bool fail(MonoTime now, Trouble trouble, WallTime until) = 0;

 protected:
  Running() = default;
  Running(Running&&) = default;
  Running& operator=(Running&&) = default;
};

}  // namespace pawl::sim
