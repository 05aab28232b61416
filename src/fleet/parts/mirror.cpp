#include "fleet/parts/mirror.h"

#include "fleet/bus_names.h"

namespace pawl::fleet {

std::string Mirror::key_of(const std::string& agent) const {
  return desk_.options.node + "." + token_of(agent);
}

void Mirror::agent(const std::string& name, const std::string& account, Json view) {
  Ours& ours = ours_[name];
  ours.account = account;
  Json value = Json::object({{"version", 1}, {"agent", name}, {"account", account}});
  value.set("view", std::move(view));
  ours.want = value.dump();
  if (ours.want.size() > kMostAgentBytes)
    ours.want = Json::object({{"version", 1}, {"agent", name}, {"account", account}}).dump();
  look_at(name, ours, Duration{0});
}

void Mirror::gone(const std::string& name) {
  const auto it = ours_.find(name);
  if (it == ours_.end()) return;
  it->second.want.clear();
  it->second.account.clear();
  look_at(name, it->second, Duration{0});
}

// Puts it on the agenda when it differs, and not sooner than it may be put again.
void Mirror::look_at(const std::string& name, Ours& ours, Duration after) {
  if (ours.asking || (ours.there && *ours.there == ours.want)) return due_.drop(name);
  MonoTime at = desk_.mono() + after;
  const auto last = put_.find(name);
  if (last != put_.end()) at = std::max(at, last->second + kPutsAgentEvery);
  due_.set(name, at);
}

void Mirror::link_changed() {
  complete_ = false;
  told_.clear();
  asking_ = 0;
  for (auto& [name, ours] : ours_) ours.asking = false, ours.there.reset();
}

void Mirror::entry(const BusEntry& entry) {
  const auto dot = entry.key.find('.');
  if (dot == std::string::npos) return;
  const std::string node = entry.key.substr(0, dot), agent = name_of(entry.key.substr(dot + 1));
  if (node == desk_.options.node) {
    const auto it = ours_.find(agent);
    if (it == ours_.end() && entry.removed) return;
    Ours& ours = ours_[agent];
    ours.seen = entry.revision;
    ours.seen_value = entry.removed ? "" : entry.value;
    if (ours.asking) return;
    ours.there = ours.seen_value;
    if (complete_) look_at(agent, ours, Duration{0});
    return;
  }
  if (entry.removed) {
    others_.erase({node, agent});
    return;
  }
  const auto value = Json::parse(entry.value);
  if (!value || !value->is_object() || !valid_node(node)) return;
  if (!others_.contains({node, agent}) && others_.size() >= kMostAgents) return;
  if (!complete_) told_.insert({node, agent});
  others_[{node, agent}] = {node, agent, (*value)["account"].as_string(), (*value)["view"]};
}

void Mirror::caught_up() {
  complete_ = true;
  std::erase_if(others_, [this](const auto& one) { return !told_.contains(one.first); });
  told_.clear();
  for (auto& [name, ours] : ours_) {
    if (!ours.there) ours.there = "";
    look_at(name, ours, Duration{0});
  }
}

void Mirror::put(const std::string& name, Ours& ours) {
  ours.asking = true;
  ++asking_;
  put_[name] = desk_.mono();
  due_.drop(name);
  const BusOp op = ours.want.empty() ? BusOp::remove : BusOp::put;
  desk_.ask({.op = op, .bucket = Bucket::agents, .key = key_of(name), .value = ours.want},
            {Part::mirror, 0, name});
  ours.there = ours.want;  // if the answer says so
}

void Mirror::reply(const Question& question, const BusReply& reply) {
  const auto it = ours_.find(question.key);
  if (it == ours_.end() || !it->second.asking) return;
  Ours& ours = it->second;
  ours.asking = false;
  if (asking_ > 0) --asking_;
  const bool fine = reply.end == BusEnd::done || reply.end == BusEnd::missing;
  if (!fine) ours.there.reset();
  if (fine && ours.seen > reply.revision && reply.revision != 0) ours.there = ours.seen_value;
  if (fine && ours.want.empty() && ours.there && ours.there->empty()) {
    due_.drop(question.key);
    put_.erase(question.key);
    ours_.erase(it);
    return;
  }
  look_at(question.key, ours, reply.end == BusEnd::refused ? kPutsAgentAgain : Duration{0});
}

void Mirror::step(bool joined) {
  joined_ = joined;
  if (!joined || !complete_) return;
  for (const auto& name : due_.due(desk_.mono())) {
    if (asking_ >= kMirrorWindow) return;
    put(name, ours_.at(name));
  }
}

std::optional<MonoTime> Mirror::wake_at() const {
  if (!joined_ || !complete_ || asking_ >= kMirrorWindow) return std::nullopt;
  return due_.first();
}

std::vector<AgentSeen> Mirror::others() const {
  std::vector<AgentSeen> out;
  out.reserve(others_.size());
  for (const auto& [key, seen] : others_) out.push_back(seen);
  return out;
}

std::vector<std::pair<std::string, std::string>> Mirror::on_account(
    const std::string& account) const {
  std::set<std::pair<std::string, std::string>> out;
  for (const auto& [key, seen] : others_)
    if (seen.account == account) out.insert(key);
  for (const auto& [name, ours] : ours_)
    if (ours.account == account) out.insert({desk_.options.node, name});
  return {out.begin(), out.end()};
}

const std::string* Mirror::account_of(const std::string& agent) const {
  const auto it = ours_.find(agent);
  return it == ours_.end() || it->second.account.empty() ? nullptr : &it->second.account;
}

}  // namespace pawl::fleet
