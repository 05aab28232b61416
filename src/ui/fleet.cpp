#include "ui/fleet.h"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>

#include "base/text.h"

namespace pawl::ui {
namespace {

constexpr Duration kMinute = std::chrono::minutes{1}, kHour = std::chrono::hours{1};
constexpr Duration kDay = std::chrono::hours{24};

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool has_text(std::string_view text, std::string_view part) {
  const auto found = std::search(text.begin(), text.end(), part.begin(), part.end(),
                                 [](char a, char b) { return lower(a) == lower(b); });
  return found != text.end() || part.empty();
}

// The unit that an age is told in.
Duration unit_of(Duration age) {
  if (age < kMinute) return std::chrono::seconds{1};
  if (age < kHour) return kMinute;
  return age < kDay ? kHour : kDay;
}

}  // namespace

Json list_fields() {
  return Json(Json::Array{"name", "state", "kind", "because", "dir", "runtime", "since", "paused",
                          "parked", "parked_because", "quarantined", "quarantined_because",
                          "background", "outbox", "inbox"});
}

Agent agent_from(const Json& row) {
  Agent agent;
  agent.machine = row["machine"].as_string();
  agent.name = row["name"].as_string();
  agent.state = row["state"].as_string();
  agent.kind = row["kind"].as_string();
  agent.because = row["because"].as_string();
  agent.dir = row["dir"].as_string();
  agent.runtime = row["runtime"].as_string();
  (void)parse_rfc3339(row["since"].as_string(), agent.since);
  agent.paused = row["paused"].as_bool();
  if (row["quarantined"].as_bool())
    agent.trouble = "quarantined: " + row["quarantined_because"].as_string();
  else if (row["parked"].as_bool())
    agent.trouble = "parked: " + row["parked_because"].as_string();
  agent.background = row["background"].as_int();
  agent.queued = static_cast<int64_t>(row["outbox"].items().size());
  agent.inbox = row["inbox"]["waiting"].as_int();
  return agent;
}

int urgency(const Agent& agent) {
  if (agent.state == "waiting") return 0;
  if (!agent.trouble.empty()) return 1;
  if (agent.state == "crashed" || agent.state == "stuck") return 2;
  if (agent.state == "limited") return 3;
  if (agent.state == "ready" || agent.state == "typing") return 4;
  if (agent.state == "exited") return 6;
  return 5;
}

std::string state_text(const Agent& agent) {
  if (!agent.trouble.empty()) return agent.trouble.substr(0, agent.trouble.find(':'));
  if (agent.background > 0 && agent.state == "ready")
    return fmt::format("ready ({} job{})", agent.background, agent.background == 1 ? "" : "s");
  return agent.kind.empty() ? agent.state : agent.state + ":" + agent.kind;
}

std::string why_text(const Agent& agent) {
  if (!agent.trouble.empty()) return agent.trouble;
  std::string out;
  if (agent.paused) out += "(paused) ";
  if (agent.queued > 0) out += fmt::format("({} queued) ", agent.queued);
  if (agent.inbox > 0) out += fmt::format("({} in its inbox) ", agent.inbox);
  return out + agent.because;
}

std::string age_text(Duration age) {
  age = std::max(age, Duration{0});
  const Duration unit = unit_of(age);
  const char* sign = unit == kDay ? "d" : unit == kHour ? "h" : unit == kMinute ? "m" : "s";
  return std::to_string(age / unit) + sign;
}

Duration age_lasts(Duration age) {
  age = std::max(age, Duration{0});
  const Duration unit = unit_of(age);
  return unit - age % unit;
}

std::string_view word(Order order) {
  switch (order) {
    case Order::urgency:
      return "urgency";
    case Order::name:
      return "name";
    case Order::folder:
      return "folder";
    case Order::machine:
      break;
  }
  return "machine";
}

Order after(Order order) {
  return order == Order::machine ? Order::urgency : static_cast<Order>(static_cast<int>(order) + 1);
}

void Fleet::take(const Json& list) {
  agents_.clear();
  unreached_.clear();
  for (const auto& machine : list["machines"].items())
    if (machine.has("online") && !machine["online"].as_bool())
      unreached_.push_back(machine["name"].as_string());
  add(list, nullptr);
}

void Fleet::take(const Json& list, const std::set<std::string>& names) {
  for (const auto& name : names) agents_.erase(name);
  add(list, &names);
}

void Fleet::add(const Json& list, const std::set<std::string>* names) {
  for (const auto& row : list["agents"].items()) {
    Agent agent = agent_from(row);
    const std::string id = agent.id();
    if (!names || names->contains(id)) agents_.insert_or_assign(id, std::move(agent));
  }
}

const Agent* Fleet::find(const std::string& id) const {
  const auto found = agents_.find(id);
  return found == agents_.end() ? nullptr : &found->second;
}

std::vector<std::string> Fleet::ordered(Order order, std::string_view filter,
                                        const std::set<std::string>& found) const {
  std::vector<const Agent*> rows;
  for (const auto& [id, agent] : agents_)
    if (has_text(id, filter) || found.contains(id)) rows.push_back(&agent);
  const auto key = [order](const Agent& agent) {
    const int first = order == Order::urgency ? urgency(agent) : 0;
    const std::string_view second = order == Order::folder    ? std::string_view(agent.dir)
                                    : order == Order::machine ? std::string_view(agent.machine)
                                                              : std::string_view();
    return std::tuple(first, second, std::string_view(agent.name), std::string_view(agent.machine));
  };
  std::sort(rows.begin(), rows.end(),
            [&](const Agent* a, const Agent* b) { return key(*a) < key(*b); });
  std::vector<std::string> ids;
  ids.reserve(rows.size());
  for (const Agent* agent : rows) ids.push_back(agent->id());
  return ids;
}

std::string Fleet::summary() const {
  std::map<std::pair<int, std::string>, int> counts;
  for (const auto& [id, agent] : agents_) {
    const std::string state = agent.trouble.empty() ? agent.state : state_text(agent);
    counts[{urgency(agent), state}] += 1;
  }
  std::vector<std::string> parts;
  for (const auto& [state, count] : counts)
    parts.push_back(fmt::format("{} {}", count, state.second));
  return fmt::format("{} agent{}{}{}", agents_.size(), agents_.size() == 1 ? "" : "s",
                     parts.empty() ? "" : ": ", join(parts, ", "));
}

}  // namespace pawl::ui
