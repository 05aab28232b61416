// Views of other machines' agents, for those who read views: what a machine told last, as soon as it told it.

#include <fmt/core.h>

#include "api/feed.h"

namespace pawl::api {
namespace {

constexpr const char* kTimeGoesOn = "last_alive";  // that alone is no news

Json rows_of(const Places& places) {
  Json out = Json::array();
  for (const auto& [name, place] : places) out.push(row_of(name, place->standing()));
  return out;
}

}  // namespace

// Agents are named as here: "gpu/docs".
void Feed::look_elsewhere() {
  if (!places_ || !*places_) return;
  const Places places = (*places_)();
  if (Json rows = rows_of(places); rows != machines_) {
    add({{}, "", fmt::format("event: machines\ndata: {}\n\n", rows.dump())});
    machines_ = std::move(rows);
  }
  for (const auto& [name, place] : places)
    if (const uint64_t told = place->standing().online ? place->told() : 0;
        std::exchange(told_[name], told) != told)
      look_at(name, told == 0 ? std::vector<Json>() : place->agents());
  std::vector<std::string> removed;
  for (const auto& [name, told] : told_)
    if (!places.contains(name)) removed.push_back(name);
  for (const auto& name : removed) {
    look_at(name, {});
    told_.erase(name);
    far_.erase(name);
  }
}

void Feed::look_at(const std::string& machine, const std::vector<Json>& agents) {
  auto& before = far_[machine];
  std::map<std::string, size_t> now;
  for (Json agent : agents) {
    const std::string name = agent["name"].as_string();
    agent.set("machine", machine);
    const size_t digest = std::hash<std::string>{}(Json(agent).set(kTimeGoesOn, nullptr).dump());
    now[name] = digest;
    if (const auto it = before.find(name); it != before.end() && it->second == digest) continue;
    add({{}, machine + "/" + name, fmt::format("event: view\ndata: {}\n\n", agent.dump())});
  }
  for (const auto& [name, digest] : before)
    if (!now.contains(name))
      add({{},
           machine + "/" + name,
           fmt::format("event: gone\ndata: {}\n\n",
                       Json::object({{"name", name}, {"machine", machine}}).dump())});
  before = std::move(now);
}

}  // namespace pawl::api
