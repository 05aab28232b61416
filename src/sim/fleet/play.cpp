#include "sim/fleet/play.h"

#include <fmt/core.h>

#include <algorithm>

#include "sim/world/night/digest.h"

namespace pawl::sim {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kTick = seconds{1};
constexpr Duration kOfflineWithin = seconds{15}, kParksWithin = seconds{5};
constexpr Duration kSlack = milliseconds{400};  // of clocks and delays
constexpr Duration kLimitsApart = seconds{1};
constexpr Duration kSomethingNew = seconds{40};
constexpr double kChatter = 0.1;  // each node, each second

}  // namespace

FleetPlay::FleetPlay(const FleetStory& story)
    : story_(story),
      exchange_{timeline_, {}, story.network},
      judge_(exchange_.server),
      chance_(story.seed ^ 0x9e3779b9u) {
  exchange_.cluster = story.cluster;
  exchange_.server.forks = story.network.forked;
  exchange_.server.stored = [this](const fleet::BusEntry& entry, bool forked) {
    judge_.go_to(timeline_.now());
    judge_.stored(entry, forked);
    for (auto* wire : exchange_.wires) wire->tell_entry(entry);
  };
  exchange_.server.appended = [this](const StreamMessage& message) {
    judge_.go_to(timeline_.now());
    judge_.appended(message);
    for (auto* wire : exchange_.wires) wire->tell_event(message);
  };
  for (size_t i = 0; i < story.nodes.size(); ++i)
    nodes_.push_back(
        std::make_unique<FleetMachine>(i, story.nodes[i], story.seed * 31 + i, exchange_, judge_));
  for (const auto& doing : story.doings) timeline_.at(doing.at, [this, &doing] { happen(doing); });
  timeline_.after(kTick, [this] { tick(); });
}

FleetReport FleetPlay::run() {
  const Duration end = story_.length + kCalmFor;
  FleetReport report;
  while (judge_.violations().empty()) {
    if (calm_ && last_missing_.empty()) break;
    if (timeline_.step(end)) {
      ++report.steps;
      continue;
    }
    judge_.go_to(timeline_.now());
    judge_.wrong("lost",
                 fmt::format("{} after it was calm: {}", short_duration(kCalmFor), missing()));
  }
  report.violations = judge_.violations();
  report.units = exchange_.server.snapshot(fleet::Bucket::work).size();
  report.starts = judge_.starts();
  report.takeovers = judge_.takeovers();
  report.superseded = judge_.superseded();
  report.accepted = judge_.accepted();
  report.events = exchange_.server.events().size();
  report.lasted = timeline_.now();
  report.calm_after = timeline_.now() - story_.length;
  report.digest = report.steps;
  for (const auto& entry : exchange_.server.snapshot(fleet::Bucket::work))
    report.digest = digest_of(report.digest, entry.value);
  for (const auto& message : exchange_.server.events())
    report.digest = digest_of(report.digest, message.value);
  return report;
}

// ---- What happens ----

void FleetPlay::happen(const FleetDoing& doing) {
  FleetMachine& node = *nodes_.at(doing.node);
  switch (doing.does) {
    case FleetDoes::submits:
    case FleetDoes::publishes:
    case FleetDoes::cancels:
    case FleetDoes::sends_item:
    case FleetDoes::asks:
    case FleetDoes::limits:
    case FleetDoes::resumes:
    case FleetDoes::leaves_item:
      return want(doing, node);
    case FleetDoes::calms:
      return calm();
    case FleetDoes::partitions:
    case FleetDoes::slows:
    case FleetDoes::restarts_server:
    case FleetDoes::stalls_server:
    case FleetDoes::steps_clock:
    case FleetDoes::freezes:
    case FleetDoes::sleeps:
    case FleetDoes::pauses_daemon:
    case FleetDoes::kills_daemon:
    case FleetDoes::kills_bus:
    case FleetDoes::reboots:
    case FleetDoes::removes:
    case FleetDoes::changes_leader:
      return fault(doing, node);
  }
}

fleet::UnitOrder FleetPlay::order_of(const FleetDoing& doing) const {
  const auto special = static_cast<FleetWants>(doing.number % 6);
  fleet::UnitOrder order;
  order.unit = doing.text;
  order.by = "person";
  order.task = Json::object({{"us", doing.length.count()}});
  if (special == FleetWants::label) order.needs = {"label=gpu"};
  if (special == FleetWants::account) order.needs = {"account=acct"};
  if (special == FleetWants::one_node) order.on = nodes_.at(doing.node)->name();
  if (special == FleetWants::unfit_somewhere) order.task.set("unfit", true);
  return order;
}

void FleetPlay::want(const FleetDoing& doing, FleetMachine& node) {
  if (doing.does == FleetDoes::submits)
    return node.submit(order_of(doing), static_cast<FleetWants>(doing.number) == FleetWants::large
                                            ? large_prompt(doing.text)
                                            : "");
  if (doing.does == FleetDoes::resumes) return node.resume(doing.text);
  if (doing.does == FleetDoes::leaves_item)
    return node.leave_item(nodes_.at(doing.number % nodes_.size())->name(), doing.text);
  if (doing.does == FleetDoes::cancels) return node.cancel(doing.text);
  if (doing.does == FleetDoes::asks)
    return node.ask(nodes_.at(doing.number % nodes_.size())->name());
  if (doing.does == FleetDoes::limits) {
    if (!node.attentive()) return;
    limits_.push_back({timeline_.now(), timeline_.now() + doing.length, doing.node});
    return node.limit(doing.length);
  }
  if (doing.does == FleetDoes::sends_item)
    return publish(fmt::format("inbox.{}.a=2e0", node.name()), "{}", doing.text);
  const auto order = order_of(doing);
  Json needs = Json::array();
  for (const auto& one : order.needs) needs.push(one);
  const Json message = Json::object({{"task", order.task}, {"needs", needs}, {"on", order.on}});
  publish("work.q", message.dump(), doing.text);
}

// From outside: said again until it is acknowledged, with the same id.
void FleetPlay::publish(const std::string& subject, const std::string& value,
                        const std::string& id) {
  if (!exchange_.server_up) {
    timeline_.after(seconds{2}, [=, this] { publish(subject, value, id); });
    return;
  }
  exchange_.server.go_to(timeline_.now());
  const fleet::BusAsk ask{
      .op = fleet::BusOp::publish, .subject = subject, .value = value, .message_id = id};
  const auto reply = exchange_.server.answer(ask);
  if (chance_.happens(story_.network.unheard)) exchange_.server.answer(ask);
  if (subject.starts_with("work."))
    published_.push_back(reply.revision);
  else
    for (size_t i = 0; i < nodes_.size(); ++i)
      if (subject.starts_with("inbox." + nodes_[i]->name() + "."))
        items_[i].insert(fmt::format("bus-{}", reply.revision));
}

void FleetPlay::fault(const FleetDoing& doing, FleetMachine& node) {
  if (calm_) return;
  const Duration length = doing.length;
  if (doing.does == FleetDoes::partitions) return node.wire().partition(length);
  if (doing.does == FleetDoes::slows) return node.wire().slow(length);
  if (doing.does == FleetDoes::freezes) return node.freeze(length, false);
  if (doing.does == FleetDoes::sleeps) return node.freeze(length, true);
  if (doing.does == FleetDoes::pauses_daemon) return node.pause_daemon(length);
  if (doing.does == FleetDoes::kills_daemon) return node.kill_daemon(length);
  if (doing.does == FleetDoes::kills_bus) return node.wire().kill(length);
  if (doing.does == FleetDoes::reboots) return node.reboot(length);
  if (doing.does == FleetDoes::removes) return node.remove();
  if (doing.does == FleetDoes::changes_leader) return change_leader(doing);
  if (doing.does == FleetDoes::steps_clock) {
    exchange_.server.go_to(timeline_.now());
    return exchange_.server.step_clock(length);
  }
  if (doing.does == FleetDoes::stalls_server) {
    exchange_.stalled_until = std::max(exchange_.stalled_until, timeline_.now() + length);
    for (auto* wire : exchange_.wires) wire->partition(length);
    return;
  }
  exchange_.server_up = false;
  exchange_.drop_all();
  timeline_.after(length, [this] { exchange_.server_up = true; });
}

// Each bucket has a leader of its own.
void FleetPlay::change_leader(const FleetDoing& doing) {
  auto& server = exchange_.server;
  server.go_to(timeline_.now());
  for (const auto bucket : {fleet::Bucket::work, fleet::Bucket::leases}) {
    if ((doing.number & (bucket == fleet::Bucket::work ? 1 : 2)) == 0) continue;
    const auto keys = server.lose(bucket, timeline_.now() - doing.length);
    if (bucket == fleet::Bucket::work)
      for (const auto& key : keys) judge_.lost(key, server.find(bucket, key));
    exchange_.lose(bucket);
  }
}

void FleetPlay::calm() {
  calm_ = true;
  last_missing_ = "everything";
  exchange_.server_up = true;
  exchange_.stalled_until = timeline_.now();
  exchange_.network = {};
  exchange_.server.forks = 0;
  for (auto* wire : exchange_.wires) wire->mend();
  for (auto& node : nodes_) node->mend();
  // Readers that began after the last event have something to hear.
  timeline_.after(kSomethingNew, [this] {
    for (auto& node : nodes_) node->chatter();
  });
}

// ---- What is asked every second ----

void FleetPlay::tick() {
  judge_.go_to(timeline_.now());
  exchange_.server.go_to(timeline_.now());
  for (auto& node : nodes_)
    if (!calm_ && chance_.happens(kChatter)) node->chatter();
  look_at_presence();
  look_at_limit();
  if (calm_ && timeline_.now() > story_.length + kSomethingNew) last_missing_ = missing();
  timeline_.after(kTick, [this] { tick(); });
}

// Who did not renew its name for so long is offline for everybody who could hear it.
void FleetPlay::look_at_presence() {
  for (const auto& looker : nodes_) {
    if (!looker->healthy_for(kOfflineWithin + seconds{2})) continue;
    for (const auto& seen : looker->member()->nodes()) {
      const auto renewed = judge_.last_renewal(seen.name);
      if (!seen.online || !renewed) continue;
      if (timeline_.now() - *renewed > kOfflineWithin + kSlack)
        judge_.wrong("presence",
                     fmt::format("{} shows {} as online {} after its last word", looker->name(),
                                 seen.name, short_duration(timeline_.now() - *renewed)));
    }
  }
}

// Five seconds after it was hit: everybody knows, and nobody goes on together with another.
void FleetPlay::look_at_limit() {
  for (const auto& limit : limits_) {
    const Duration passed = timeline_.now() - limit.at;
    if (passed < kParksWithin || passed >= kParksWithin + kTick) continue;
    if (timeline_.now() >= limit.until) continue;
    if (!nodes_[limit.node]->healthy_for(kParksWithin + seconds{15})) continue;
    const bool all_well = std::all_of(nodes_.begin(), nodes_.end(), [](const auto& node) {
      return node->healthy_for(kParksWithin + seconds{15});
    });
    std::vector<Duration> wakes;
    for (const auto& node : nodes_) {
      if (!node->healthy_for(kParksWithin + seconds{15}) || !node->member()->joined()) continue;
      if (!node->told_limit())
        judge_.wrong("accounts",
                     fmt::format("{} does not know that the account is limited", node->name()));
      for (const auto& [agent, view] : node->agents())
        if (const auto at = node->agent_wakes(agent)) wakes.push_back(*at);
    }
    if (!all_well) continue;
    std::sort(wakes.begin(), wakes.end());
    for (size_t i = 1; i < wakes.size(); ++i)
      if (wakes[i] - wakes[i - 1] < kLimitsApart)
        judge_.wrong("accounts", "two agents of the account go on within a second");
  }
}

// ---- What has to be done in the end ----

bool FleetPlay::can_run(const std::string&, const Json& value) const {
  const auto needs = value["needs"].as_strings();
  const bool label = std::find(needs.begin(), needs.end(), "label=gpu") != needs.end();
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const auto& node = *nodes_[i];
    const std::string on = value["on"].as_string();
    if (node.removed() || (label && !node.label()) || (!on.empty() && on != node.name())) continue;
    if (value["task"]["unfit"].as_bool() && i % 2 == 1) continue;
    return true;
  }
  return false;
}

std::string FleetPlay::missing_units() const {
  for (const auto& unit : judge_.acknowledged())
    if (!exchange_.server.find(fleet::Bucket::work, unit) && !judge_.excused(unit))
      return unit + " was acknowledged and is gone";
  for (const auto sequence : published_)
    if (const auto unit = fmt::format("q-{}", sequence);
        !exchange_.server.find(fleet::Bucket::work, unit) && !judge_.excused(unit))
      return fmt::format("message {} of the queue became no unit", sequence);
  for (const auto& entry : exchange_.server.snapshot(fleet::Bucket::work)) {
    const auto value = Json::parse(entry.value);
    const auto state = fleet::unit_state_from((*value)["state"].as_string());
    if (!over(*state) && can_run(entry.key, *value))
      return fmt::format("{} is {}: {}", entry.key, word(*state), entry.value);
  }
  return {};
}

std::string FleetPlay::missing_on(const FleetMachine& node) const {
  const auto* member = node.member();
  if (!member || !member->joined())
    return node.name() + " has not joined: " + (member ? member->because() : "dead");
  if (node.claims() > 0) return fmt::format("{} has {} claims", node.name(), node.claims());
  for (const auto& other : nodes_) {
    if (&*other == &node) continue;
    const auto nodes = member->nodes();
    const auto seen = std::find_if(nodes.begin(), nodes.end(),
                                   [&](const auto& one) { return one.name == other->name(); });
    if (seen == nodes.end() ? !other->removed() : seen->online == other->removed())
      return fmt::format("{} is wrong about {} being online", node.name(), other->name());
    if (other->removed()) continue;
    if (judge_.last_event(node.reader(), other->name()) != other->events())
      return fmt::format("{} has heard {} of {} events of {}", node.name(),
                         judge_.last_event(node.reader(), other->name()), other->events(),
                         other->name());
    for (const auto& agent : member->agents()) {
      if (agent.node != other->name()) continue;
      const auto view = other->agents().find(agent.agent);
      if (view == other->agents().end() || view->second != agent.view["says"].as_string())
        return fmt::format("{} has an old view of {} of {}", node.name(), agent.agent,
                           other->name());
    }
  }
  return {};
}

std::string FleetPlay::missing() const {
  if (auto units = missing_units(); !units.empty()) return units;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i]->removed()) continue;
    if (auto on = missing_on(*nodes_[i]); !on.empty()) return on;
    for (const auto& text : judge_.left_for(nodes_[i]->name()))
      if (nodes_[i]->times_got(text) != 1)
        return fmt::format("{} got {} {} times", nodes_[i]->name(), text,
                           nodes_[i]->times_got(text));
    const auto items = items_.find(i);
    if (items == items_.end()) continue;
    for (const auto& item : items->second)
      if (!nodes_[i]->inbox().contains(item))
        return fmt::format("{} did not get {}", nodes_[i]->name(), item);
  }
  return {};
}

}  // namespace pawl::sim
