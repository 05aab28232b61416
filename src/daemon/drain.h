#pragma once
// The end of a daemon that is told to end and drains (doc/container.md): nothing new is begun, turns under way may come to their end,
// what this machine has of the fleet's work is given back, so that others go on with it at once, and then it is over.

#include <optional>
#include <string>

#include "core/face.h"
#include "daemon/bus_room.h"

namespace pawl::daemon {

inline constexpr Duration kGivesBackWithin =
    std::chrono::seconds{5};  // else its leases run out, and others wait for that

class Drain {
 public:
  // `seconds`: for turns under way; none: this daemon does not drain.
  Drain(core::Engine& engine, BusRoom& bus, std::optional<double> seconds);

  // Told to end; the second time turns are waited for no longer. False: it does not drain, and ends at once.
  bool begin(MonoTime now);
  // After every turn. True: it is over.
  bool step(const Clock& now);
  std::optional<MonoTime> wake_at(MonoTime now) const;
  bool cut_off() const { return cut_off_; }  // turns

 private:
  enum class Stage { resting, waiting, giving_back, over };
  void wait(const Clock& now);
  void give_back(const Clock& now);

  core::Engine& engine_;
  BusRoom& bus_;
  std::optional<double> seconds_;
  Stage stage_ = Stage::resting;
  MonoTime until_{};
  bool cut_off_ = false;
  std::string waited_for_;  // as it was said last
};

}  // namespace pawl::daemon
