#include "api/timeline.h"

#include <algorithm>

namespace pawl::api {
namespace {

using model::State;

// Of the older half, the half that lasted shortest goes: what is left still shows where the time went.
template <class Change>
std::vector<Change> thin(const std::vector<Change>& changes) {
  const size_t older = changes.size() / 2;
  std::vector<Duration> lasted;
  for (size_t i = 0; i < older; ++i) lasted.push_back(changes[i + 1].at - changes[i].at);
  std::vector<Duration> sorted = lasted;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(older / 2),
                   sorted.end());
  const Duration shortest = sorted[older / 2];
  size_t to_drop = older / 2;
  std::vector<Change> kept;
  for (size_t i = 0; i < changes.size(); ++i) {
    if (i < older && to_drop > 0 && lasted[i] <= shortest) {
      --to_drop;
      continue;
    }
    if (kept.empty() || kept.back().state != changes[i].state) kept.push_back(changes[i]);
  }
  return kept;
}

Json change_json(WallTime at, const std::optional<State>& state) {
  Json entry = Json::array();
  entry.push(rfc3339(at));
  entry.push(state ? Json(word(*state)) : Json());
  return entry;
}

}  // namespace

size_t TimelineFold::limit() const {
  return std::clamp(kChangesInAll / std::max<size_t>(lines_.size(), 1), kFewestChanges,
                    kChangesKept);
}

void TimelineFold::add(Line& line, WallTime at, Shown state) {
  if (at > until_) return;
  at = std::max(at, since_);
  if (!line.changes.empty() && line.changes.back().at == at) line.changes.pop_back();  // no time
  const Shown last = line.changes.empty() ? *line.first : line.changes.back().state;
  if (last == state) return;
  line.changes.push_back({at, state});
  if (line.changes.size() <= limit()) return;
  line.changes = thin(line.changes);
  line.thinned = true;
}

void TimelineFold::took_state(Line& line, const model::Event& event,
                              const model::StateChanged& fact) {
  if (!line.first) {
    const bool new_one = line.born && fact.from == State::unknown;
    line.first = new_one ? Shown{} : Shown{fact.from};
    if (new_one) add(line, *line.born, State::unknown);
  }
  add(line, event.at, fact.to);
}

void TimelineFold::take(const model::Event& event) {
  // Who asked for an agent is written down before it is there.
  if (event.agent.empty() || std::holds_alternative<model::Requested>(event.fact)) return;
  const auto [it, fresh] = lines_.try_emplace(event.agent);
  Line& line = it->second;
  if (const auto* changed = std::get_if<model::StateChanged>(&event.fact))
    return took_state(line, event, *changed);
  if (std::holds_alternative<model::Registered>(event.fact)) {
    if (fresh) line.born = event.at;
    const bool gone = !line.changes.empty() && !line.changes.back().state;
    if (gone) add(line, event.at, State::unknown);
  }
  if (std::holds_alternative<model::Removed>(event.fact) ||
      std::holds_alternative<model::TaskFiled>(event.fact)) {
    line = whole(line, nullptr);
    add(line, event.at, std::nullopt);
  }
}

// The line of an agent whose first state is known, if need be from how it is now.
TimelineFold::Line TimelineFold::whole(Line line, const model::Agent* agent) const {
  if (line.first) return line;
  const bool new_one = line.born && (!agent || agent->never_started());
  line.first = new_one ? Shown{} : Shown{agent ? agent->state : State::unknown};
  if (new_one && *line.born <= until_) line.changes.push_back({*line.born, State::unknown});
  return line;
}

Json TimelineFold::finish(const model::Fleet& fleet) const {
  std::map<std::string, Line> lines;
  for (const auto& [name, agent] : fleet.agents) {
    const auto it = lines_.find(name);
    lines[name] = whole(it == lines_.end() ? Line{} : it->second, &agent);
  }
  for (const auto& [name, line] : lines_)
    if (!lines.contains(name)) lines[name] = whole(line, nullptr);
  Json agents = Json::object();
  std::vector<std::string> thinned;
  for (const auto& [name, line] : lines) {
    if (!*line.first && line.changes.empty()) continue;  // it came later
    Json changes = Json::array();
    changes.push(change_json(since_, *line.first));
    for (const auto& change : line.changes) changes.push(change_json(change.at, change.state));
    agents.set(name, std::move(changes));
    if (line.thinned) thinned.push_back(name);
  }
  return Json::object({{"version", 1},
                       {"since", rfc3339(since_)},
                       {"until", rfc3339(until_)},
                       {"agents", std::move(agents)},
                       {"thinned", thinned}});
}

void HistoryFold::take(const model::Event& event) {
  if (event.agent != name_ || event.at > until_) return;
  Json json = model::to_json(event);
  const size_t bytes = json.dump().size();
  events_.push_back({std::move(json), bytes});
  bytes_ += bytes;
  while (events_.size() > kHistoryEvents || (bytes_ > kHistoryBytes && events_.size() > 1)) {
    bytes_ -= events_.front().bytes;
    events_.pop_front();
    cut_ = true;
  }
}

Json HistoryFold::finish(const model::Fleet&) const {
  Json events = Json::array();
  for (const auto& kept : events_) events.push(kept.event);
  return Json::object({{"version", 1},
                       {"name", name_},
                       {"since", rfc3339(since_)},
                       {"until", rfc3339(until_)},
                       {"cut", cut_},
                       {"events", std::move(events)}});
}

}  // namespace pawl::api
