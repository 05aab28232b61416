#pragma once
// Who is at the local socket: a person, or a process inside one of our agents or tasks (host/trace.h).

#include <functional>

#include "host/pty_host.h"
#include "model/asker.h"
#include "model/fleet.h"
#include "os/socket.h"
#include "perceive/profile/catalog.h"

namespace pawl::daemon {

// Pawl's own tmux server (HOME/tmux/own.sock): what it runs is an agent's, also what was put there by hand.
class OwnTmux {
 public:
  explicit OwnTmux(const std::string& home) : dir_(home + "/tmux") {}
  std::optional<os::ProcessId> server();  // nothing: it does not run

 private:
  std::string dir_;
  std::optional<os::ProcessId> known_;
};

// As it is right now. Who cannot be traced counts as an agent nobody knows: it may look.
model::Asker asker_at(const os::Peer& peer, const model::Fleet& fleet,
                      std::vector<host::Root> roots, const perceive::Catalog& catalog);

// Names of the servers that all windows of a program share (host/lineage.h).
std::vector<std::string> server_names(const perceive::Catalog& catalog);

// How PAWL_SESSION begins in every agent of this home.
std::string cookie_start(const std::string& home);

// What the hooks of a session have to show: of a secret in the home, so that the next daemon knows them, too. Where it cannot be kept,
// it holds for one life; then a hook counts that is seen to be its agent's own.
std::function<std::string(SessionId)> hook_secrets(const std::string& home);

}  // namespace pawl::daemon
