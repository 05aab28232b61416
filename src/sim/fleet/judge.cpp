#include "sim/fleet/judge.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/json.h"

namespace pawl::sim {

using fleet::Bucket;
using fleet::UnitState;

void FleetJudge::wrong(std::string judge, std::string what) {
  violations_.push_back({now_, std::move(judge), std::move(what)});
}

// ---- Once ----

void FleetJudge::alone(const std::string& unit) {
  std::vector<std::string> running;
  for (const auto& run : runs_[unit])
    if (!frozen_.contains(run.node))
      running.push_back(fmt::format("node {} (token {})", run.node, run.token));
  if (running.size() < 2) return;
  std::string all;
  for (const auto& one : running) all += (all.empty() ? "" : " and ") + one;
  wrong("once", fmt::format("{} runs on {} at the same time", unit, all));
}

void FleetJudge::begins(const std::string& unit, size_t node, const std::string& name,
                        const fleet::Claim& claim) {
  ++starts_;
  const auto& leases = created_[unit];
  const auto lease = leases.find(claim.token);
  if (claim.token == 0 || lease == leases.end() || lease->second != name)
    wrong("claim", fmt::format("{} starts on {} with token {}, which is no lease of its", unit,
                               name, claim.token));
  if (!past_[unit].claims.contains({name, claim.token}))
    wrong("claim", fmt::format("{} starts on {} with token {}, which was never written into it",
                               unit, name, claim.token));
  runs_[unit].push_back({node, claim.token});
  alone(unit);
}

void FleetJudge::ends(const std::string& unit, size_t node) {
  std::erase_if(runs_[unit], [&](const Run& run) { return run.node == node; });
}

void FleetJudge::frozen(size_t node) {
  frozen_.insert(node);
}

void FleetJudge::thawed(size_t node) {
  frozen_.erase(node);
  for (const auto& [unit, runs] : runs_)
    if (runs.size() > 1) alone(unit);
}

// ---- The server ----

void FleetJudge::lost(const std::string& unit, const std::optional<fleet::BusEntry>& now) {
  excused_.insert(unit);
  Past& past = past_[unit];
  const auto value = Json::parse(now ? now->value : "");
  past.state =
      value ? fleet::unit_state_from((*value)["state"].as_string()).value_or(UnitState::waiting)
            : UnitState::waiting;
}

void FleetJudge::stored(const fleet::BusEntry& entry, bool forked) {
  if (entry.bucket == Bucket::nodes) renewals_[entry.key] = now_;
  const auto value = Json::parse(entry.value);
  if (entry.bucket == Bucket::leases && value)
    created_[entry.key][entry.revision] = (*value)["node"].as_string();
  if (entry.bucket != Bucket::work) return;
  Past& past = past_[entry.key];
  const auto state = value ? fleet::unit_state_from((*value)["state"].as_string()) : std::nullopt;
  if (entry.removed || !state) return wrong("end", entry.key + " was removed, or is garbage");
  const auto token = static_cast<uint64_t>((*value)["token"].as_int());
  const std::string node = (*value)["node"].as_string();
  if (forked) excused_.insert(entry.key);
  const std::string again = (*value)["again"].as_string();
  const bool resumed = *state == UnitState::waiting && !past.done && again != past.again;
  past.again = again;
  if (over(past.state) && !resumed && !excused(entry.key))
    return wrong("end", fmt::format("{} is over ({}), and is written as {} by {}", entry.key,
                                    word(past.state), word(*state), node));
  if (*state == UnitState::claimed) {
    if (past.state == UnitState::claimed) ++takeovers_;
    past.claims.insert({node, token});
  }
  if (*state == UnitState::ended) {
    ++past.ends;
    past.ended_by.insert(token);
    past.done = (*value)["result"]["status"].as_string() == "completed";
  }
  past.state = *state;
  past.token = token;
  past.node = node;
}

void FleetJudge::appended(const StreamMessage& message) {
  if (skipped_.contains(message.message_id))
    wrong("events", fmt::format("{} comes after a reader gave it up", message.message_id));
  if (positions_.emplace(message.message_id, message.sequence).second) return;
  if (server_.clock_stepped()) return;  // it forgets ids before their time: readers drop the second
  wrong("events", fmt::format("{} is in the stream twice", message.message_id));
}

// ---- Members ----

void FleetJudge::settled(const fleet::UnitSettled& settled) {
  if (settled.how == fleet::Settled::superseded) ++superseded_;
  if (settled.how != fleet::Settled::accepted) return;
  ++accepted_;
  const Past& past = past_[settled.unit];
  if (excused(settled.unit)) return;
  if (!past.ended_by.contains(settled.token))
    wrong("end", fmt::format("{} with token {} is said to be accepted, and is not", settled.unit,
                             settled.token));
}

void FleetJudge::event(const std::string& reader, const fleet::RemoteEvent& event) {
  const auto key = std::pair{reader, event.node};
  const auto it = heard_.find(key);
  const auto position = positions_.find(fmt::format("{}-{}", event.id, event.sequence));
  const uint64_t first =
      first_heard_.emplace(reader, position == positions_.end() ? 0 : position->second)
          .first->second;
  // What was there before it came is not missed. What its node could not say before it went for ever is not to be had.
  if (it != heard_.end() && event.missed != 0)
    for (uint64_t i = it->second + 1; i < event.sequence; ++i) {
      const std::string id = fmt::format("{}-{}", event.id, i);
      const auto there = positions_.find(id);
      if (there == positions_.end())
        skipped_.insert(id);
      else if (there->second > first)
        wrong("events", fmt::format("{} gave up {}, which is there", reader, id));
    }
  else if (it != heard_.end() && event.sequence != it->second + 1)
    wrong("events", fmt::format("{} hears event {} of {} after {}", reader, event.sequence,
                                event.node, it->second));
  heard_[key] = event.sequence;
}

uint64_t FleetJudge::last_event(const std::string& reader, const std::string& node) const {
  const auto it = heard_.find({reader, node});
  return it == heard_.end() ? 0 : it->second;
}

std::set<std::string> FleetJudge::left_for(const std::string& node) const {
  const auto it = left_.find(node);
  return it == left_.end() ? std::set<std::string>{} : it->second;
}

std::optional<Duration> FleetJudge::last_renewal(const std::string& node) const {
  const auto it = renewals_.find(node);
  return it == renewals_.end() ? std::nullopt : std::optional(it->second);
}

}  // namespace pawl::sim
