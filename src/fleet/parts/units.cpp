#include "fleet/parts/units.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "fleet/parts/left_behind.h"

namespace pawl::fleet {
namespace {

constexpr std::string_view kAccount = "account=";

// What a node can do is no label of its owner's: in words.
std::string need_words(const std::string& need) {
  if (need == kCanGit) return "with git";
  if (need == kCanBlobs) return "of a version that takes large prompts";
  return need;
}

}  // namespace

std::optional<Unit> read_unit(const std::string& name, const std::string& value,
                              uint64_t revision) {
  if (value.size() > kMostUnitBytes) return std::nullopt;
  auto json = Json::parse(value);
  if (!json || !json->is_object() || (*json)["version"].as_int() != 1) return std::nullopt;
  const auto state = unit_state_from((*json)["state"].as_string());
  if (!state) return std::nullopt;
  Unit out;
  out.name = name;
  out.revision = revision;
  out.state = *state;
  out.at = (*json)["at"].as_int();
  out.on = (*json)["on"].as_string();
  out.node = (*json)["node"].as_string();
  out.id = (*json)["id"].as_string();
  out.nonce = (*json)["nonce"].as_string();
  out.token = static_cast<uint64_t>((*json)["token"].as_int());
  out.tries = static_cast<int>((*json)["tries"].as_int());
  out.most = static_cast<int>((*json)["most"].as_int(1));
  for (auto& one : (*json)["needs"].as_strings()) {
    if (one.starts_with(kAccount))
      out.account = one.substr(kAccount.size());
    else
      out.needs.insert(std::move(one));
  }
  out.value = std::move(*json);
  return out;
}

void Units::link_changed() {
  never_told_.clear();  // all is told anew
  units_complete_ = leases_complete_ = false;
  lease_there_.clear();
  leases_told_.clear();
  left_leases_.clear();
  orphans_.clear();
  for (auto& [name, unit] : units_) unit.told = false, unit.lease_news.reset();
  since_ = desk_.mono();
}

void Units::take_out(const Unit& unit) {
  const auto it = open_.find(unit.account);
  if (it != open_.end() && it->second.erase({unit.at, unit.name}) > 0 && it->second.empty())
    open_.erase(it);
  later_.drop(unit.name);
}

bool Units::fits(const Unit& unit) const {
  if (!unit.on.empty() && unit.on != desk_.options.node) return false;
  return std::includes(capacity_.labels.begin(), capacity_.labels.end(), unit.needs.begin(),
                       unit.needs.end());
}

// When nobody else can have it any more, as far as we have seen. Counted by the time that stands still when we do: what was renewed
// while nobody looked was not seen.
MonoTime Units::silent_at(const Unit& unit) const {
  const Duration wait = desk_.options.times.lease + desk_.options.times.margin;
  MonoTime out{};
  if (unit.state == UnitState::claimed) out = std::max(unit.news, since_) + wait;
  if (unit.lease_news) out = std::max(out, *unit.lease_news + wait);
  return out;
}

MonoTime Units::free_at(const Unit& unit) const {
  return std::max(silent_at(unit), unit.not_before);
}

bool Units::silent(const Unit& unit) const {
  return complete() && !over(unit.state) && silent_at(unit) <= desk_.mono();
}

bool Units::stuck(const Unit& unit) const {
  return silent(unit) && silent_at(unit) + kLeaseStuck <= desk_.mono();
}

// Exactly one of: nowhere, open, later.
void Units::place(Unit& unit) {
  take_out(unit);
  if (over(unit.state) || mine_.contains(unit.name) || !fits(unit)) return;
  if (unit.state == UnitState::claimed && unit.id == desk_.options.id) {
    orphans_.insert(unit.name);
    return;
  }
  const MonoTime free = free_at(unit);
  if (free > desk_.mono())
    later_.set(unit.name, free);
  else
    open_[unit.account].insert({unit.at, unit.name});
}

void Units::put(Unit next) {
  const std::string name = next.name;
  auto it = units_.find(name);
  if (it == units_.end()) {
    if (units_.size() >= kMostUnits) {
      if (!std::exchange(told_full_, true))
        desk_.people(
            model::Severity::error, "units of the fleet",
            fmt::format("the fleet has more than {} units of work: this node does not look "
                        "at the others",
                        kMostUnits),
            "pawl task clean");
      return;
    }
    it = units_.emplace(name, Unit{}).first;
    const auto there = lease_there_.find(name);
    if (there != lease_there_.end()) next.lease_news = there->second;
  } else {
    take_out(it->second);
    if (it->second.state == UnitState::waiting) --waiting_;
    if (complete() && over(next.state) && !over(it->second.state)) over_.push_back(name);
    next.lease_news = it->second.lease_news;
    next.not_before = it->second.not_before;
  }
  next.news = desk_.mono();
  next.told = true;
  it->second = std::move(next);
  if (it->second.state == UnitState::waiting) ++waiting_;
  orphans_.erase(name);
  place(it->second);
}

bool Units::entry(const BusEntry& entry) {
  if (const Unit* known = find(entry.key); !known || entry.revision >= known->revision)
    untold_.drop(entry.key);
  if (entry.removed) {
    const auto it = units_.find(entry.key);
    if (it == units_.end() || entry.revision <= it->second.revision) return false;
    gone(entry.key);
    return true;
  }
  const auto it = units_.find(entry.key);
  if (it != units_.end()) {
    // What is told first after a link came up holds, unless we run it: the server may have lost what was newer.
    const bool again = std::exchange(it->second.told, true);
    if (entry.revision <= it->second.revision && (again || mine_.contains(entry.key))) return false;
  }
  auto unit = read_unit(entry.key, entry.value, entry.revision);
  if (!unit) return false;
  put(std::move(*unit));
  return true;
}

void Units::learned(const std::string& name, const std::string& value, uint64_t revision) {
  const auto it = units_.find(name);
  if (it != units_.end() && revision <= it->second.revision) return;
  if (auto unit = read_unit(name, value, revision)) put(std::move(*unit));
  if (desk_.cluster) untold_.set(name, desk_.mono() + kToldWithin);
}

void Units::looked_up(const std::string& name, const std::string& value, uint64_t revision) {
  if (mine_.contains(name)) return;
  if (auto unit = read_unit(name, value, revision)) put(std::move(*unit));
}

void Units::gone(const std::string& name) {
  const auto it = units_.find(name);
  if (it == units_.end()) return;
  take_out(it->second);
  orphans_.erase(name);
  if (it->second.state == UnitState::waiting) --waiting_;
  units_.erase(it);
}

void Units::lease_entry(const BusEntry& entry) {
  const auto it = units_.find(entry.key);
  if (entry.removed) {
    lease_there_.erase(entry.key);
    left_leases_.erase(entry.key);
    if (it == units_.end()) return;
    it->second.lease_news.reset();
    // Given back. Whoever runs it without one is given its time all the same.
    if (it->second.state == UnitState::claimed) it->second.news = desk_.mono();
    return place(it->second);
  }
  const auto value = Json::parse(entry.value);
  const bool under_our_id = value && (*value)["id"].as_string() == desk_.options.id;
  if (under_our_id && !nonces_.contains((*value)["nonce"].as_string()))
    left_leases_[entry.key] = entry.revision;
  lease_there_[entry.key] = desk_.mono();
  if (!leases_complete_) leases_told_.insert(entry.key);
  if (it == units_.end()) return;
  it->second.lease_news = desk_.mono();
  place(it->second);
}

void Units::lease_there(const std::string& name) {
  const auto it = units_.find(name);
  if (it != units_.end() && !it->second.lease_news) it->second.lease_news = desk_.mono();
}

void Units::caught_up(Bucket bucket) {
  if (bucket == Bucket::leases) {
    leases_complete_ = true;
    leases_told_.clear();
  }
  if (bucket == Bucket::work) {
    units_complete_ = true;
    std::vector<std::string> lost;
    for (const auto& [name, unit] : units_)
      if (!unit.told) lost.push_back(name);
    for (const auto& name : lost) gone(name);
  }
  if (!complete()) return;
  since_ = desk_.mono();
  for (auto& [name, unit] : units_) place(unit);
}

void Units::capacity(const Capacity& capacity) {
  const bool same = capacity.labels == capacity_.labels;
  capacity_ = capacity;
  if (same) return;
  for (auto& [name, unit] : units_) place(unit);
}

void Units::leave_alone(const std::string& name, Duration length) {
  const auto it = units_.find(name);
  if (it == units_.end()) return;
  it->second.not_before = desk_.mono() + length;
  place(it->second);
}

void Units::mine(const std::string& name, bool ours) {
  if (ours)
    mine_.insert(name);
  else
    mine_.erase(name);
  orphans_.erase(name);
  const auto it = units_.find(name);
  if (it != units_.end()) place(it->second);
}

void Units::our_nonce(const std::string& nonce, bool ours) {
  if (ours)
    nonces_.insert(nonce);
  else
    nonces_.erase(nonce);
}

void Units::step() {
  for (const auto& name : untold_.due(desk_.mono())) {
    untold_.drop(name);
    never_told_.push_back(name);
  }
  for (const auto& name : later_.due(desk_.mono())) {
    const auto it = units_.find(name);
    if (it == units_.end())
      later_.drop(name);
    else
      place(it->second);
  }
}

const Unit* Units::find(const std::string& name) const {
  const auto it = units_.find(name);
  return it == units_.end() ? nullptr : &it->second;
}

// Every node looks at the same oldest ones in an order of its own, and in another one each time, so that none waits for ever.
std::optional<std::string> Units::choose() {
  if (!complete()) return std::nullopt;
  std::optional<std::pair<uint64_t, std::string>> best;
  ++chosen_;
  for (const auto& [account, units] : open_) {
    if (!account.empty() && (limited_.contains(account) || capacity_.limited.contains(account)))
      continue;
    size_t looked = 0;
    for (const auto& [at, name] : units) {
      if (++looked > kChoices) break;
      std::pair<uint64_t, std::string> next{digest_of(desk_.options.id, name, chosen_), name};
      if (!best || next < *best) best = std::move(next);
    }
  }
  if (!best) return std::nullopt;
  return best->second;
}

std::string Units::why(const Unit& unit) const {
  switch (unit.state) {
    case UnitState::claimed:
      return fmt::format("{} runs it (token {}){}", unit.node, unit.token, left_words(unit.value));
    case UnitState::ended:
      return fmt::format("{} ended it: {}", unit.node, unit.value["because"].as_string());
    case UnitState::cancelled:
      return "cancelled by " + unit.value["by"].as_string();
    case UnitState::waiting:
      break;
  }
  std::string out = "it waits for a node with room";
  if (!unit.on.empty()) out = "it waits for " + unit.on;
  for (const auto& need : unit.needs) out += ", " + need_words(need);
  if (!unit.account.empty() && limited_.contains(unit.account))
    out += fmt::format("; account {} is limited", unit.account);
  const Json& unfit = unit.value["unfit"];
  for (const Json& one : unfit.items())
    out += fmt::format("; not on {}: {}", one["node"].as_string(), one["because"].as_string());
  const Json& last = unit.value["last"];
  const auto same = [&](const Json& one) { return one == last; };
  const bool said = std::any_of(unfit.items().begin(), unfit.items().end(), same);
  if (last.is_object() && !said)
    out += fmt::format("; it ran on {}: {}", last["node"].as_string(), last["because"].as_string());
  out += left_words(unit.value);
  return out;
}

std::vector<std::string> Units::take_orphans() {
  if (!complete()) return {};
  std::vector<std::string> out(orphans_.begin(), orphans_.end());
  orphans_.clear();
  return out;
}

std::vector<std::pair<std::string, uint64_t>> Units::take_left_leases() {
  if (!complete()) return {};
  std::vector<std::pair<std::string, uint64_t>> out(left_leases_.begin(), left_leases_.end());
  left_leases_.clear();
  return out;
}

}  // namespace pawl::fleet
