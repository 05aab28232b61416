#include "daemon/asking.h"

#include <unistd.h>

#include "host/environment.h"
#include "host/trace.h"
#include "os/digest.h"
#include "os/file.h"
#include "os/kept_secret.h"

namespace pawl::daemon {
namespace {

constexpr size_t kOwnProcesses = 64;  // of an agent, looked at

// Programs in tmux panes, which no holder has: one that was started there, and the first one of a pane that was adopted.
void add_panes(const model::Fleet& fleet, std::vector<host::Root>& roots) {
  const auto add = [&](SessionId session, int64_t pid, uint64_t start_ticks) {
    roots.push_back({{static_cast<pid_t>(pid), start_ticks}, session});
  };
  for (const auto& [name, agent] : fleet.agents) {
    if (!agent.running() || agent.spec.backend != "tmux") continue;
    const auto& pane = agent.spec.pane;
    if (agent.spec.adopted()) add(agent.session, pane.pid, static_cast<uint64_t>(pane.start_ticks));
    if (agent.process) add(agent.session, agent.process->pid, agent.process->start_ticks);
  }
}

// What a shared server's commands leave behind is given to the keeper of the agent that started the server.
bool shares_server(const model::Agent& agent, const perceive::Catalog& catalog) {
  const perceive::Profile* profile = catalog.find(agent.runtime());
  return profile && !profile->launch.server.empty();
}

model::Asker asker_of(const model::Agent& agent, pid_t pid) {
  if (agent.task) return {model::kTask, agent.task->order.name, pid};
  return {model::kAgent, agent.spec.name, pid};
}

// Is this the program of one of our agents that has such a server? Anybody can call itself so.
bool genuine(pid_t server, const model::Fleet& fleet, const perceive::Catalog& catalog) {
  const os::Proc proc;
  const std::string program = proc.program(server);
  if (program.empty()) return false;
  for (const auto& [name, agent] : fleet.agents) {
    if (!agent.running() || !agent.process || !shares_server(agent, catalog)) continue;
    std::vector<pid_t> own{static_cast<pid_t>(agent.process->pid)};  // it, and what it started
    for (size_t at = 0; at < own.size() && own.size() < kOwnProcesses; ++at) {
      if (proc.program(own[at]) == program) return true;
      for (const pid_t child : proc.children(own[at])) own.push_back(child);
    }
  }
  return false;
}

}  // namespace

std::optional<os::ProcessId> OwnTmux::server() {
  if (known_ && os::alive(*known_)) return known_;
  known_.reset();
  if (!os::exists(dir_ + "/own.sock")) return std::nullopt;
  const auto socket = os::connect_local(dir_, "own.sock", std::chrono::milliseconds{0});
  const auto peer = socket ? os::peer_of(socket->get()) : Result<os::Peer>(fail("none"));
  if (peer) known_ = os::identify(peer->pid);
  return known_;
}

std::vector<std::string> server_names(const perceive::Catalog& catalog) {
  std::vector<std::string> names;
  for (const auto& name : catalog.names())
    if (const auto& server = catalog.find(name)->launch.server; !server.empty())
      names.push_back(server);
  return names;
}

model::Asker asker_at(const os::Peer& peer, const model::Fleet& fleet,
                      std::vector<host::Root> roots, const perceive::Catalog& catalog) {
  using Where = host::Traced::Where;
  add_panes(fleet, roots);
  const host::Traced traced = host::trace(peer.pid, roots, ::getpid(), server_names(catalog));
  if (traced.session == host::kShared && !genuine(traced.server, fleet, catalog)) {
    // Whose it is without that; where nobody's, it is still not believed to be a person's.
    const host::Traced plain = host::trace(peer.pid, roots, ::getpid());
    const model::Agent* agent =
        plain.where == Where::inside ? fleet.by_session(plain.session) : nullptr;
    if (!agent) return {model::kAgent, "", peer.pid};
    return asker_of(*agent, peer.pid);
  }
  if (traced.where == Where::outside) return {model::kPerson, "", peer.pid};
  if (traced.where == Where::daemon) return {model::kRule, "", peer.pid};
  model::Asker asker{model::kAgent, "", peer.pid};
  const bool known = traced.where == Where::inside && traced.session.value != 0;
  const model::Agent* agent = known ? fleet.by_session(traced.session) : nullptr;
  asker.sure = traced.session != host::kShared &&
               !(agent && traced.orphan && shares_server(*agent, catalog));
  return agent && asker.sure ? asker_of(*agent, peer.pid) : asker;
}

std::string cookie_start(const std::string& home) {
  const std::string whole = host::session_cookie(home, SessionId{0});
  const size_t value = whole.find('=') + 1;
  return whole.substr(value, whole.rfind('-') + 1 - value);
}

std::function<std::string(SessionId)> hook_secrets(const std::string& home) {
  const std::string path = home + "/hook.key";
  auto kept = os::kept_secret(path, false, "");
  if (!kept) kept = os::kept_secret(path, true, "");
  const std::string key = kept ? *kept : os::random_secret();
  return [key](SessionId session) {
    return os::base64url(os::hmac_sha256(key, "hook " + std::to_string(session.value)));
  };
}

}  // namespace pawl::daemon
