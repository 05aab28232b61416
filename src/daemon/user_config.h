#pragma once
// The user's own configuration, as the daemon reads it at its start.

#include "model/config.h"

namespace pawl::daemon {

// A bad one never keeps the daemon from its agents: it is said on stderr, and the defaults hold.
model::Config user_config();

}  // namespace pawl::daemon
