#include "api/hook_handlers.h"

#include <charconv>
#include <optional>

#include "api/roles.h"
#include "os/digest.h"

namespace pawl::api {
namespace {

constexpr size_t kLiesNoted = 64;  // agents and liars, in one life of the daemon

struct Said {
  std::string agent;
  SessionId session;
};

// In a server that several agents share, the environment is of whoever started it. Its conversation tells whose hook it is.
std::optional<Said> by_conversation(const model::Fleet& fleet, const std::string& json) {
  const auto said = Json::parse_shallow(json, {1, 64, 256});
  if (!said) return std::nullopt;
  for (const char* key : {"session_id", "thread-id"})
    for (const auto& [name, agent] : fleet.agents)
      if (!agent.session_id.empty() && agent.session_id == (*said)[key].as_string())
        return Said{name, agent.session};
  return std::nullopt;
}

// It has the secret, and is not seen to be another's; or it is seen to be its own. Without secrets (tests) everybody is believed.
bool believed(const Call& call, const Said& said) {
  if (!call.server.secret) return true;
  const auto& fleet = call.engine.fleet();
  const model::Agent* inside = agent_of_asker(fleet, call.asker);
  if (inside) return inside == fleet.find(said.agent);
  const std::string secret = call.args["secret"].as_string();
  return said.session.value != 0 && os::same_secret(secret, call.server.secret(said.session));
}

void note_lie(const Call& call, const Said& said) {
  const bool there = call.engine.fleet().find(said.agent) != nullptr;
  const std::string what = said.agent + " by " + call.asker.kind + " " + call.asker.name;
  if (!there || !call.asker.known() || call.server.lies.size() >= kLiesNoted ||
      !call.server.lies.insert(what).second)
    return;
  call.engine.submit(core::RequestSeen{said.agent, "hook", call.asker, true});
}

}  // namespace

SessionId session_of(const std::string& cookie) {
  const std::string digits = cookie.substr(cookie.rfind('-') + 1);
  uint64_t id = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), id);
  return error == std::errc{} && end == digits.data() + digits.size() ? SessionId{id} : SessionId{};
}

Outcome hook(const Call& call) {
  const Json& args = call.args;
  const std::string json = args["json"].as_string(), runtime = args["runtime"].as_string();
  std::optional<Said> said =
      Said{args["agent"].as_string(), session_of(args["session"].as_string())};
  const bool shared = call.asker.inside() && call.asker.name.empty() && !call.asker.sure;
  if (shared) {
    said = by_conversation(call.engine.fleet(), json);
  } else if (!believed(call, *said)) {
    note_lie(call, *said);
    said.reset();
  }
  if (!said) return Result<Json>(Json::object());
  if (args["wait"].as_bool()) {
    const std::string next =
        call.engine.stop_hook(call.now, said->agent, said->session, runtime, json);
    if (next.empty()) return Result<Json>(Json::object());
    return Result<Json>(Json::object({{"decision", "block"}, {"reason", next}}));
  }
  call.engine.hook(call.now, said->agent, said->session, runtime, json);
  return Result<Json>(Json::object());  // nobody waits for it
}

}  // namespace pawl::api
