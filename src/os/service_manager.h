#pragma once
// What a service tells the systemd that started it (sd_notify(3)): that it is ready, that it lives, that it ends. Nothing is said when
// nobody listens.

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace pawl::os {

// We are the process that systemd began for a service, and the service is ours: whatever else is in it came from us.
bool service_is_ours();

class ServiceManager {
 public:
  // Takes what systemd said out of the environment: what we start is not the service.
  ServiceManager();

  void say(std::string_view word) const;  // "READY=1", "WATCHDOG=1", "STOPPING=1"
  // It wants a sign of life this often; nothing: none.
  std::optional<Duration> pulse() const { return pulse_; }

 private:
  std::string socket_;
  std::optional<Duration> pulse_;
};

}  // namespace pawl::os
