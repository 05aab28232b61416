#include "fleet/machines.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/home.h"
#include "os/tcp.h"

namespace pawl::fleet {

struct Machines::Known {
  Known(Machines& all, const Machine& what, const std::string& dir, os::Fd listener)
      : machine(what),
        lookout(all.loop_, all.parting_, what, os::host_name() + "/daemon", dir,
                [this, &all] { all.tell(*this); }),
        door(all.loop_, all.parting_, what, dir, lookout, all.who_, std::move(listener)) {}

  Machine machine;
  Lookout lookout;
  Door door;
};

Machines::Machines(os::Loop& loop, std::string home, Door::Who who,
                   std::function<void(const std::string&)> alert)
    : loop_(loop), home_(std::move(home)), who_(std::move(who)), alert_(std::move(alert)) {}

Machines::~Machines() = default;

std::string Machines::folder(const std::string& name) const {
  return home_ + "/" + kMachinesFolder + "/" + name;
}

Done Machines::load() {
  const std::string path = home_ + "/machines.json";
  if (!os::exists(path)) return {};
  const auto text = os::read_file(path);
  if (!text) return tl::unexpected(text.error());
  const auto json = Json::parse(*text);
  if (!json || !(*json)["machines"].is_array())
    return fail(path + " is damaged", "move it away and add the machines again: pawl machine add");
  for (const auto& one : (*json)["machines"].items()) {
    const auto machine = machine_from(one);
    if (!machine) return tl::unexpected(machine.error());
    if (auto opened = open(*machine); !opened) return opened;
  }
  return {};
}

Done Machines::save() const {
  Json list = Json::array();
  for (const auto& [name, known] : machines_) list.push(to_json(known->machine));
  return os::write_atomically(home_ + "/machines.json",
                              Json::object({{"version", 1}, {"machines", list}}).dump(2) + "\n");
}

Done Machines::open(const Machine& machine) {
  const std::string dir = folder(machine.name);
  if (auto made = os::make_private_dir(dir); !made) return made;
  auto listener = os::listen_local(dir, os::kSocketName);
  if (!listener) return tl::unexpected(listener.error());
  machines_.erase(machine.name);
  machines_[machine.name] = std::make_unique<Known>(*this, machine, dir, std::move(*listener));
  return {};
}

Done Machines::add(const Machine& machine) {
  if (machines_.size() >= kMaxMachines && !machines_.contains(machine.name))
    return fail(fmt::format("there are {} machines already", kMaxMachines), "pawl machine rm NAME");
  if (auto opened = open(machine); !opened) return opened;
  return save();
}

Done Machines::remove(const std::string& name) {
  const auto it = machines_.find(name);
  if (it == machines_.end()) {
    std::vector<std::string> names;
    for (const auto& [known, _] : machines_) names.push_back(known);
    const auto guess = nearest(name, names);
    return fail("no machine named '" + name + "'",
                guess ? "did you mean '" + *guess + "'?" : "pawl machine ls shows them all");
  }
  machines_.erase(it);
  if (auto saved = save(); !saved) return saved;
  return os::remove_tree(folder(name));
}

Json Machines::list() {
  Json out = Json::array();
  for (const auto& [name, known] : machines_) {
    Lookout& lookout = known->lookout;
    lookout.wanted(os::read_clock().mono);
    out.push(
        Json::object({{"name", name},
                      {"url", known->machine.url},
                      {"online", lookout.online()},
                      {"since", rfc3339(lookout.since())},
                      {"because", lookout.because().empty() ? Json() : Json(lookout.because())},
                      {"pawl", lookout.version().empty() ? Json() : Json(lookout.version())},
                      {"agents", lookout.online() ? Json(lookout.agents().size()) : Json()}}));
  }
  return out;
}

std::vector<Json> Machines::agents() const {
  std::vector<Json> out;
  for (const auto& [name, known] : machines_) {
    if (!known->lookout.online()) continue;
    for (Json agent : known->lookout.agents()) {
      agent.set("machine", name);
      out.push_back(std::move(agent));
    }
  }
  return out;
}

// A machine that was never reached is seen by whoever added it.
void Machines::tell(const Known& known) const {
  const Lookout& lookout = known.lookout;
  if (!lookout.online())
    alert_("machine " + known.machine.name + " is not reached any more: " + lookout.because());
}

}  // namespace pawl::fleet
