#pragma once
// What the kernel does for limits of agents here, in the words of the API. For daemon.cpp.

#include "api/conversation.h"
#include "host/pty_host.h"

namespace pawl::daemon {

inline api::Server::Limits kept_limits(const host::PtyHost& host) {
  const auto& groups = host.groups();
  return {!groups.dir.empty(), groups.memory,       groups.cpu,
          groups.why,          host.limits_asked(), groups.scope()};
}

}  // namespace pawl::daemon
