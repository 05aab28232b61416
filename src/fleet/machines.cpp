#include "fleet/machines.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "base/version.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/home.h"

namespace pawl::fleet {

Machines::Machines(os::Loop& loop, std::string home, Door::Who who, std::function<void()> wake,
                   std::function<void(const std::string&)> alert)
    : home_(std::move(home)),
      who_(std::move(who)),
      alert_(std::move(alert)),
      around_{loop, parting_, std::move(wake)} {}

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
  for (const auto& [name, known] : machines_) list.push(to_json(known->machine()));
  return os::write_atomically(home_ + "/machines.json",
                              Json::object({{"version", 1}, {"machines", list}}).dump(2) + "\n");
}

Done Machines::open(const Machine& machine) {
  const std::string dir = folder(machine.name);
  if (auto made = os::make_private_dir(dir); !made) return made;
  auto listener = os::listen_local(dir, os::kSocketName);
  if (!listener) return tl::unexpected(listener.error());
  machines_.erase(machine.name);
  machines_[machine.name] =
      std::make_unique<MachinePlace>(around_, machine, dir, who_, std::move(*listener),
                                     [this](const MachinePlace& place) { tell(place); });
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
  const std::string ours(kVersion);
  for (const auto& [name, place] : machines_) {
    place->wanted(os::read_clock().mono);
    const Outlook& known = place->outlook();
    const std::string skew = api::skew_of(ours, known.version());
    const auto text = [](const std::string& word) { return word.empty() ? Json() : Json(word); };
    Json row = api::row_of(name, place->standing());
    row.set("url", place->machine().url).set("pawl", text(known.version()));
    row.set("skew", text(skew.empty() ? "" : skew + ": " + place->update()));
    out.push(row.set("agents", known.online() ? Json(known.agents().size()) : Json()));
  }
  return out;
}

api::Places Machines::places() const {
  api::Places out;
  for (const auto& [name, place] : machines_) out[name] = place.get();
  return out;
}

// A machine that was never reached is seen by whoever added it.
void Machines::tell(const MachinePlace& place) const {
  const Outlook& known = place.outlook();
  if (!known.online() && !known.version().empty())
    alert_("machine " + place.machine().name + " is not reached any more: " + known.because());
  around_.wake();
}

}  // namespace pawl::fleet
