#include "fleet/parts/accounts.h"

#include <algorithm>
#include <utility>

#include "fleet/bus_names.h"

namespace pawl::fleet {
namespace {

int64_t milliseconds_of(WallTime time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

}  // namespace

void Accounts::limited(const std::string& account, WallTime until) {
  if (!accounts_.contains(account) && accounts_.size() >= kMostAccounts) return;
  Account& its = accounts_[account];
  WallTime& ours = its.until[desk_.options.node];
  if (ours == until) return;
  ours = until;
  puts_[account] = desk_.mono();
  asking_.erase(account);
  look(account, its);
}

void Accounts::link_changed() {
  asking_.clear();
  for (auto& [account, at] : puts_) at = desk_.mono();
}

// An earlier put of ours that was thought lost may come after a later one.
void Accounts::our_entry(const std::string& account, const BusEntry& entry) {
  const auto it = accounts_.find(account);
  if (it == accounts_.end()) return;
  const auto ours = it->second.until.find(desk_.options.node);
  const auto value = Json::parse(entry.value);
  if (ours == it->second.until.end() || !value) return;
  overtaken_.erase(account);
  if ((*value)["until"].as_int() == milliseconds_of(ours->second)) return;
  overtaken_[account] = entry.revision;
  if (!asking_.contains(account)) puts_[account] = desk_.mono();
}

void Accounts::entry(const BusEntry& entry) {
  const auto dot = entry.key.find('.');
  if (dot == std::string::npos || entry.removed) return;
  const std::string account = name_of(entry.key.substr(0, dot)), node = entry.key.substr(dot + 1);
  if (node == desk_.options.node) return our_entry(account, entry);
  if (!valid_node(node)) return;
  const auto value = Json::parse(entry.value);
  if (!value || !(*value)["until"].is_integer()) return;
  const int64_t ms = (*value)["until"].as_int();
  if (ms < 0 || ms > kLatestReset) return;
  const WallTime until{std::chrono::milliseconds{ms}};
  auto it = accounts_.find(account);
  if (it == accounts_.end()) {
    if (accounts_.size() >= kMostAccounts) return;
    it = accounts_.emplace(account, Account{}).first;
  }
  if (!it->second.until.contains(node) && it->second.until.size() >= kMostNodes) return;
  it->second.until[node] = until;
  look(account, it->second);
}

// A node whose clock is wrong is wrong about the reset by as much.
std::optional<std::pair<WallTime, std::string>> Accounts::latest(const Account& account,
                                                                 WallTime after) const {
  std::optional<std::pair<WallTime, std::string>> out;
  for (const auto& [node, theirs] : account.until) {
    const NodeSeen* seen = presence_.find(node);
    const WallTime until = theirs - (seen ? seen->clock_off : Duration{0});
    if (until > desk_.wall() + kLongestLimit) continue;
    if (until > after && (!out || until > out->first)) out = {until, node};
  }
  return out;
}

void Accounts::look(const std::string& name, Account& account) {
  const auto now = latest(account, desk_.wall());
  if (now)
    resets_.set(name, now->first);
  else
    resets_.drop(name);
  if (!now) {
    if (std::exchange(account.told, std::nullopt)) desk_.order(AccountLimited{name, "", {}});
    return;
  }
  if (account.told) {
    const Duration apart = now->first - *account.told;
    if (apart < kSameReset && -apart < kSameReset) return;
  }
  account.told = now->first;
  desk_.order(AccountLimited{name, now->second, now->first});
}

void Accounts::reply(const Question& question, const BusReply& reply) {
  if (asking_.erase(question.key) == 0) return;
  const auto overtaken = overtaken_.find(question.key);
  const bool ours = overtaken == overtaken_.end() || overtaken->second < reply.revision;
  if (reply.end == BusEnd::done && ours)
    puts_.erase(question.key);
  else
    puts_[question.key] = desk_.mono() + kPutsAccountAgain;
}

void Accounts::step(bool joined) {
  joined_ = joined;
  if (std::exchange(clocks_, presence_.clocks()) != presence_.clocks())
    for (auto& [name, account] : accounts_) look(name, account);
  for (const auto& name : resets_.due(desk_.wall())) look(name, accounts_.at(name));
  if (!joined) return;
  for (const auto& [account, at] : puts_) {
    if (asking_.contains(account) || desk_.mono() < at) continue;
    asking_.insert(account);
    const auto until = accounts_.at(account).until.at(desk_.options.node);
    desk_.ask({.op = BusOp::put,
               .bucket = Bucket::accounts,
               .key = token_of(account) + "." + desk_.options.node,
               .value = Json::object({{"version", 1}, {"until", milliseconds_of(until)}}).dump()},
              {Part::accounts, 0, account});
  }
}

std::optional<MonoTime> Accounts::wake_at() const {
  std::optional<MonoTime> out;
  if (const auto reset = resets_.first()) out = desk_.at_wall(*reset);
  if (!joined_) return out;
  for (const auto& [account, at] : puts_)
    if (!asking_.contains(account)) out = earlier(out, at);
  return out;
}

std::set<std::string> Accounts::limited_now() const {
  std::set<std::string> out;
  for (const auto& [name, account] : accounts_)
    if (account.told) out.insert(name);
  return out;
}

std::optional<WallTime> Accounts::wake_of(const std::string& agent) const {
  const std::string* account = mirror_.account_of(agent);
  if (!account) return std::nullopt;
  const auto it = accounts_.find(*account);
  if (it == accounts_.end()) return std::nullopt;
  const auto until = latest(it->second, desk_.wall() - kWakesWithin);  // the last ones go on later
  if (!until) return std::nullopt;
  int64_t place = 0;
  for (const auto& [node, name] : mirror_.on_account(*account)) {
    if (node == desk_.options.node && name == agent) break;
    if (node == desk_.options.node || presence_.online(node)) ++place;
  }
  return until->first + std::min(place * kWakesApart, kWakesWithin);
}

}  // namespace pawl::fleet
