#include "serve/inside.h"

#include <unistd.h>

#include "api/audit.h"
#include "api/roles.h"
#include "serve/guard.h"

namespace pawl::serve {
namespace {

// It is not known who asks, and it is one of this machine's.
const model::Asker kNobody{model::kAgent, "", 0, false};

std::optional<model::Asker> first_inside(const api::Server& server, uid_t uid,
                                         const std::vector<pid_t>& processes) {
  for (const pid_t pid : processes)
    if (auto asker = server.who({pid, uid}); asker.inside()) return asker;
  return std::nullopt;
}

}  // namespace

std::optional<model::Asker> inside(const api::Server& server, const os::LocalPeer& peer, uid_t us) {
  if (!peer.here || !server.who) return std::nullopt;
  if (peer.gone) return kNobody;
  // Another user's is no agent of ours: a proxy, or a person beside us. Root may be anybody's.
  if (peer.uid != us && us != 0) return std::nullopt;
  if (auto agent = first_inside(server, peer.uid, peer.holders)) return agent;
  if (!peer.holders.empty()) return std::nullopt;
  if (auto agent = first_inside(server, peer.uid, peer.hidden)) return agent;
  return peer.hidden.empty() ? std::optional(kNobody) : std::nullopt;
}

std::optional<model::Asker> inside(const api::Server& server, const Request& request) {
  if (request.peer.socket < 0) return std::nullopt;
  return inside(server, os::local_peer(request.peer.socket), ::geteuid());
}

std::optional<Response> refuse_inside(const Clock& now, core::Engine& engine,
                                      const api::Server& server, const Request& request,
                                      const std::string& verb) {
  const auto asker = inside(server, request);
  if (!asker) return std::nullopt;
  const Done fine = api::allowed(engine.fleet(), *asker, verb, Json::object());
  if (fine) return std::nullopt;
  engine.journal().note(now.wall, {verb, *asker, true});
  return refusal(403, fine.error().what, fine.error().fix, fine.error().exit_code);
}

}  // namespace pawl::serve
