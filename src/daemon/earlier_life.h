#pragma once
// The terminals that the journal knows of an earlier life of the daemon: they are looked for when it starts.

#include <vector>

#include "host/pty_host.h"
#include "host/tmux/tmux_host.h"
#include "model/fleet.h"

namespace pawl::daemon {

// Panes of tmux. One of our own server that never ran is not there any more.
std::vector<host::TmuxHost::Known> panes(const model::Fleet& fleet);
// Terminals of our own.
std::vector<host::PtyHost::Known> terminals(const model::Fleet& fleet);

}  // namespace pawl::daemon
