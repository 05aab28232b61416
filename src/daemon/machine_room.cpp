#include "daemon/machine_room.h"

namespace pawl::daemon {
namespace {

std::string variable(const Json& request, const std::string& name) {
  for (const auto& word : request["environment"].as_strings())
    if (word.starts_with(name + "=")) return word.substr(name.size() + 1);
  return {};
}

}  // namespace

MachineRoom::MachineRoom(os::Loop& loop, core::Engine& engine, api::Server& server,
                         const std::string& home, std::function<void()> wake)
    : engine_(engine),
      wake_(std::move(wake)),
      machines_(
          loop, home, [&server](const os::Peer& peer) { return api::from_of(server.who(peer)); },
          [this] { wake_(); }, [this](const std::string& text) { tell(text); }) {
  server.machines = [this](const std::string& verb, const Json& request) {
    return asked(verb, request);
  };
  server.places = [this] { return machines_.places(); };
}

void MachineRoom::begin_again() {
  if (auto loaded = machines_.load(); !loaded) tell(text_of(loaded.error()));
}

Result<Json> MachineRoom::asked(const std::string& verb, const Json& request) {
  if (verb == "add") return add(request);
  const std::string name = request["args"]["name"].as_string();
  if (verb == "rm") {
    if (auto gone = machines_.remove(name); !gone) return tl::unexpected(gone.error());
    return Json::object({{"version", 1}, {"name", name}});
  }
  return Json::object({{"version", 1}, {"machines", machines_.list()}});
}

Result<Json> MachineRoom::add(const Json& request) {
  const auto machine =
      fleet::machine_from(Json::object({{"name", request["args"]["name"]},
                                        {"url", request["args"]["url"]},
                                        {"agent", variable(request, "SSH_AUTH_SOCK")}}));
  if (!machine) return tl::unexpected(machine.error());
  if (auto added = machines_.add(*machine); !added) return tl::unexpected(added.error());
  return Json::object({{"version", 1}, {"name", machine->name}, {"url", machine->url}});
}

void MachineRoom::tell(const std::string& text) {
  core::Noted noted;
  noted.alert = {model::Severity::warning, text};
  engine_.submit(noted);
  wake_();
}

}  // namespace pawl::daemon
