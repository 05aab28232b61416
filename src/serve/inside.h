#pragma once
// A process inside an agent that read a token is no operator: over HTTP, too, it is that agent (doc/trust.md). Told by who has the other
// end of the connection, when that is on this machine (os/local_peer.h); asked for acts only.

#include <optional>

#include "api/conversation.h"
#include "os/local_peer.h"
#include "serve/message.h"

namespace pawl::serve {

// The agent that asks; nothing: nobody of ours, and its credential counts. Who cannot be found counts as an agent nobody knows.
std::optional<model::Asker> inside(const api::Server& server, const Request& request);
// Pure: the same, of what was found.
std::optional<model::Asker> inside(const api::Server& server, const os::LocalPeer& peer, uid_t us);

// When that agent may not use this verb; it is written down.
std::optional<Response> refuse_inside(const Clock& now, core::Engine& engine,
                                      const api::Server& server, const Request& request,
                                      const std::string& verb);

}  // namespace pawl::serve
