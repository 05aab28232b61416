#pragma once
// Local (unix) stream sockets. Paths of any length work: they are reached through an open folder, not by name.

#include <sys/types.h>

#include <chrono>
#include <string>

#include "base/result.h"
#include "os/fd.h"

namespace pawl::os {

// A listening socket at DIR/NAME, mode 0600, not blocking. Replaces a file of that name: hold the lock before.
Result<Fd> listen_local(const std::string& dir, const std::string& name);
// Waits so long for a listener whose queue is full: it does not accept. The socket does not block afterwards.
inline constexpr std::chrono::milliseconds kConnectPatience{5000};
Result<Fd> connect_local(const std::string& dir, const std::string& name,
                         std::chrono::milliseconds patience = kConnectPatience);
Fd accept_local(int listener);  // not blocking; empty when there is none

// Sends what there is room for and takes it away from `out`. False: nobody is at the other end any more.
bool send_some(int socket, std::string& out);

struct Peer {
  pid_t pid = 0;
  uid_t uid = 0;
};
Result<Peer> peer_of(int socket);
// Whether the process that connected has ended: then its number may be another's by now. False also where the kernel cannot tell
// (before Linux 6.5).
bool peer_ended(int socket);

}  // namespace pawl::os
