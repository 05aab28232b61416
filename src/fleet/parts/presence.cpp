#include "fleet/parts/presence.h"

#include <fmt/core.h>

#include <algorithm>

#include "fleet/bus_names.h"

namespace pawl::fleet {
namespace {

int64_t milliseconds(WallTime time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

// What is no time of ours (garbage) is the year 5138 or 1970, and does not overflow.
WallTime wall_of(const Json& value) {
  constexpr int64_t kLatest = 100'000'000'000'000;
  return WallTime{std::chrono::milliseconds{std::clamp<int64_t>(value.as_int(), 0, kLatest)}};
}

// A node's own words; what somebody else put there is not.
bool is_node(const Json& value) {
  const std::string id = value["id"].as_string();
  return !id.empty() && id.size() <= kMostIdBytes && value["wall"].is_integer() &&
         value["wall"].as_int() > 0;
}

std::string seconds_text(Duration length) {
  return short_duration(length < Duration{0} ? -length : length);
}

}  // namespace

std::string Presence::value() const {
  Json labels = Json::array();
  for (const auto& one : capacity_.labels) labels.push(one);
  const auto& options = desk_.options;
  return Json::object({{"version", 1},
                       {"name", options.node},
                       {"id", options.id},
                       {"pawl", options.version},
                       {"since", rfc3339(options.since)},
                       {"agents", capacity_.agents},
                       {"tasks", capacity_.tasks},
                       {"room", capacity_.room},
                       {"labels", labels},
                       {"wall", milliseconds(desk_.wall())}})
      .dump();
}

void Presence::ask(BusOp op) {
  asking_ = true;
  BusAsk what{.op = op, .bucket = Bucket::nodes, .key = desk_.options.node};
  if (op != BusOp::get) what.value = value();
  if (op == BusOp::update) what.revision = revision_;
  desk_.ask(std::move(what), {Part::presence, static_cast<int>(op)});
}

void Presence::link_changed() {
  asking_ = false;
  if (stage_ == Stage::left) return;
  stage_ = desk_.up ? Stage::reading : Stage::away;
  next_ = desk_.mono();
  snapshot_ = desk_.up;
  look_ = desk_.mono();
  // Nobody could be heard before: each has its time again.
  for (auto& [name, one] : known_) one.heard = desk_.mono(), one.told = false;
}

void Presence::again(Duration after) {
  next_ = desk_.mono() + after;
}

void Presence::reply(const Question& question, const BusReply& reply) {
  if (stage_ == Stage::away || stage_ == Stage::left) return;
  asking_ = false;
  const auto op = static_cast<BusOp>(question.what);
  if (op == BusOp::get) return found(reply);
  if (reply.end == BusEnd::done) {
    stage_ = Stage::joined;
    revision_ = reply.revision;
    refused_.clear();
    return again(kRenewsName);
  }
  // Taken, stale or unknown: whose it is now has to be read. A joined node stays one until it has.
  if (reply.end == BusEnd::refused) refused_ = "the server refuses it: " + reply.because;
  if (stage_ != Stage::joined || reply.end == BusEnd::refused) stage_ = Stage::reading;
  revision_ = 0;
  again(reply.end == BusEnd::unknown || reply.end == BusEnd::refused ? kTriesName : Duration{0});
}

void Presence::found(const BusReply& reply) {
  if (reply.end == BusEnd::missing) {
    revision_ = 0;
    stage_ = Stage::creating;
    return again(Duration{0});
  }
  if (reply.end != BusEnd::done) return again(kTriesName);
  const auto value = Json::parse(reply.value);
  const std::string id = value && is_node(*value) ? (*value)["id"].as_string() : "";
  if (id.empty()) garbage(desk_.options.node);
  if (id.empty() || id == desk_.options.id) {
    revision_ = reply.revision;
    if (stage_ != Stage::joined) stage_ = Stage::renewing;
    return again(Duration{0});
  }
  another(id, reply);
}

// Somebody else's entry: while it is renewed the name is not ours. One that stands still is left over.
void Presence::another(const std::string& id, const BusReply& reply) {
  const bool moved = other_revision_ != reply.revision;
  if (stage_ != Stage::watching || moved) {
    if (stage_ == Stage::watching || stage_ == Stage::joined) {
      if (refused_.empty())
        desk_.people(
            model::Severity::error, "fleet name",
            fmt::format("another node of the fleet is called {} as well (its id {}, ours {})",
                        desk_.options.node, id, desk_.options.id),
            "leave there, or join here with another --name");
      refused_ = fmt::format(
          "the name {} belongs to another node of the fleet (its id: {}): join with another --name",
          desk_.options.node, id);
    }
    other_revision_ = reply.revision;
    other_moved_ = desk_.mono();
  }
  stage_ = Stage::watching;
  revision_ = 0;
  if (desk_.mono() - other_moved_ >= kSilent) {
    revision_ = reply.revision;
    stage_ = Stage::renewing;
    return again(Duration{0});
  }
  again(kRenewsName);
}

void Presence::step() {
  if (!desk_.up) return;
  if (!asking_ && desk_.mono() >= next_ && stage_ != Stage::left && stage_ != Stage::away) {
    if (stage_ == Stage::creating)
      ask(BusOp::create);
    else if (revision_ != 0 && (stage_ == Stage::renewing || stage_ == Stage::joined))
      ask(BusOp::update);
    else
      ask(BusOp::get);
  }
  if (desk_.mono() < look_) return;
  look_ = desk_.mono() + kLooksAround;
  for (auto& [name, one] : known_)
    if (one.seen.online && desk_.mono() - one.heard >= kSilent)
      turn(one, false, fmt::format("not heard for {}", seconds_text(desk_.mono() - one.heard)));
}

std::optional<MonoTime> Presence::wake_at() const {
  if (!desk_.up) return std::nullopt;
  std::optional<MonoTime> out;
  if (!asking_ && stage_ != Stage::left) out = next_;
  if (!known_.empty()) out = earlier(out, look_);
  return out;
}

void Presence::entry(const BusEntry& entry) {
  if (entry.key == desk_.options.node) return;
  if (entry.removed) {
    const auto it = known_.find(entry.key);
    if (it == known_.end()) return;
    turn(it->second, false, "it left the fleet");
    known_.erase(it);
    return;
  }
  const auto value = Json::parse(entry.value);
  if (!value || !is_node(*value) || !valid_node(entry.key)) return garbage(entry.key);
  if (!known_.contains(entry.key) && known_.size() >= kMostNodes) return;
  Known& known = known_[entry.key];
  known.told = true;
  if (entry.revision <= known.revision) return;
  known.revision = entry.revision;
  heard(known, entry, *value);
}

void Presence::garbage(const std::string& key) {
  desk_.people(model::Severity::warning, "garbage in nodes",
               fmt::format("what the bus has of node {} makes no sense, and is not used",
                           valid_node(key) ? key : "with a bad name"),
               "see who may write there: pawl fleet enroll gives each node its own credentials");
}

void Presence::newer(const std::string& node, const Json& value) {
  if (value["version"].as_int(1) <= 1) return;
  desk_.people(model::Severity::warning, "version of " + node,
               fmt::format("node {} has a newer pawl ({}): not all that it says is understood here",
                           node, value["pawl"].as_string("?")),
               "update the pawl of this machine");
}

// What stood there when we came may be days old: its node is online when it says so now.
void Presence::heard(Known& known, const BusEntry& entry, const Json& value) {
  newer(entry.key, value);
  known.seen.name = entry.key;
  known.seen.id = value["id"].as_string();
  known.seen.version = value["pawl"].as_string();
  known.seen.agents = value["agents"].as_int();
  known.seen.tasks = value["tasks"].as_int();
  known.seen.room = value["room"].as_int();
  known.seen.labels = value["labels"].as_strings();
  const Duration off = wall_of(value["wall"]) - desk_.wall();
  const bool fresh = off < kSilent && -off < kSilent;
  if (snapshot_ && !fresh) return;
  known.heard = desk_.mono();
  if (!snapshot_) {
    const Duration other = off - known.seen.clock_off;
    if (other > kClocksAgree || -other > kClocksAgree) known.seen.clock_off = off, ++clocks_;
    if (off > kClockOff || -off > kClockOff)
      desk_.people(model::Severity::warning, "clock of " + entry.key,
                   fmt::format("the clock of {} is {} {} ours", entry.key, seconds_text(off),
                               off > Duration{0} ? "ahead of" : "behind"),
                   "set the clocks (NTP): times of limits and lists are off by that");
  }
  turn(known, true, {});
}

void Presence::turn(Known& known, bool online, std::string because) {
  if (known.seen.online == online) return;
  known.seen.online = online;
  known.seen.since = desk_.wall();
  desk_.order(NodeChanged{known.seen.name, online, std::move(because)});
}

void Presence::caught_up() {
  snapshot_ = false;
  for (auto it = known_.begin(); it != known_.end();) {
    if (!it->second.told) {
      turn(it->second, false, "it left the fleet");
      it = known_.erase(it);
    } else {
      ++it;
    }
  }
}

void Presence::leave() {
  if (stage_ == Stage::joined && revision_ != 0)
    desk_.tell({.op = BusOp::remove,
                .bucket = Bucket::nodes,
                .key = desk_.options.node,
                .revision = revision_});
  stage_ = Stage::left;
}

std::vector<NodeSeen> Presence::nodes() const {
  std::vector<NodeSeen> out;
  for (const auto& [name, one] : known_) out.push_back(one.seen);
  return out;
}

const NodeSeen* Presence::find(const std::string& node) const {
  const auto it = known_.find(node);
  return it == known_.end() ? nullptr : &it->second.seen;
}

bool Presence::online(const std::string& node) const {
  const NodeSeen* seen = find(node);
  return seen && seen->online;
}

}  // namespace pawl::fleet
