#include "sim/fleet/story.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "base/text.h"
#include "sim/fleet/server.h"
#include "sim/world/chance.h"

namespace pawl::sim {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::array<std::string_view, kFleetDoes> kWords{
    "submits",         "publishes",     "cancels",     "sends item", "asks",
    "limits",          "resumes",       "leaves item", "partitions", "slows",
    "restarts server", "stalls server", "steps clock", "freezes",    "sleeps",
    "pauses daemon",   "kills daemon",  "kills bus",   "reboots",    "removes",
    "changes leader",  "calms"};

// The kinds of faults by their names. Some are of the network's, and no doings.
struct Kind {
  std::string_view name;
  FleetDoes does;
  Duration least, most;  // how long
};
constexpr std::array<Kind, 13> kKinds{{
    {"partition", FleetDoes::partitions, seconds{2}, seconds{90}},
    {"slow", FleetDoes::slows, seconds{5}, seconds{60}},
    {"restart", FleetDoes::restarts_server, seconds{1}, seconds{60}},
    {"stall", FleetDoes::stalls_server, seconds{1}, seconds{60}},
    {"clock", FleetDoes::steps_clock, seconds{-3600}, seconds{3600}},
    {"freeze", FleetDoes::freezes, seconds{1}, seconds{90}},
    {"sleep", FleetDoes::sleeps, seconds{5}, seconds{300}},
    {"pause", FleetDoes::pauses_daemon, seconds{1}, seconds{90}},
    {"kill", FleetDoes::kills_daemon, seconds{1}, seconds{60}},
    {"bus", FleetDoes::kills_bus, seconds{1}, seconds{5}},
    {"reboot", FleetDoes::reboots, seconds{10}, seconds{120}},
    {"remove", FleetDoes::removes, seconds{0}, seconds{1}},
    {"leader", FleetDoes::changes_leader, milliseconds{10}, kMostLost},
}};
constexpr std::string_view kNetwork = "network", kRates = "rate", kForks = "fork";

constexpr Duration kShortest = std::chrono::minutes{5}, kLongest = std::chrono::minutes{15};

class Drawing {
 public:
  Drawing(uint64_t seed, std::set<std::string> faults) : chance_(seed), faults_(std::move(faults)) {
    story_.seed = seed;
  }

  FleetStory draw() {
    story_.length = chance_.between(kShortest, kLongest);
    nodes();
    network();
    wants();
    for (const auto& kind : kKinds) fault(kind);
    forks();
    more_wants();
    std::stable_sort(story_.doings.begin(), story_.doings.end(),
                     [](const auto& a, const auto& b) { return a.at < b.at; });
    story_.doings.push_back({.at = story_.length, .does = FleetDoes::calms});
    return std::move(story_);
  }

 private:
  bool has(std::string_view fault) {
    return faults_.contains(std::string(fault)) && chance_.happens(0.4);
  }
  Duration some_time() { return chance_.between(seconds{20}, story_.length); }
  void add(FleetDoes does, Duration at, std::string text = {}, Duration length = {},
           size_t number = 0) {
    story_.doings.push_back(
        {at, does, chance_.below(story_.nodes.size()), std::move(text), length, number});
  }
  void nodes() {
    const bool rates = has(kRates);
    story_.nodes.resize(2 + chance_.below(4));
    for (auto& node : story_.nodes) {
      if (rates) node.rate = chance_.happens(0.5) ? 0.99 : 1.01;
      if (chance_.happens(0.2)) node.wall_off = chance_.between(seconds{-3600}, seconds{3600});
      node.room = 1 + static_cast<int>(chance_.below(4));
      node.label = chance_.happens(0.5);
    }
  }
  void network() {
    if (!has(kNetwork)) return;
    auto& network = story_.network;
    if (chance_.happens(0.6)) network.lost = 0.001 * static_cast<double>(chance_.below(60));
    if (chance_.happens(0.6)) network.unheard = 0.001 * static_cast<double>(chance_.below(60));
    if (chance_.happens(0.4)) network.doubled = 0.001 * static_cast<double>(chance_.below(60));
    network.most_delay = chance_.between(milliseconds{5}, milliseconds{400});
  }
  Duration work_length() {
    return chance_.happens(0.3) ? chance_.between(seconds{40}, seconds{150})
                                : chance_.between(seconds{1}, seconds{25});
  }
  size_t special() { return chance_.happens(0.6) ? 0 : chance_.below(5); }
  void wants() {
    const size_t units = 3 + chance_.below(20);
    for (size_t i = 0; i < units; ++i) {
      const std::string name = fmt::format("u{}", i);
      const Duration at = some_time(), length = work_length();
      add(chance_.happens(0.25) ? FleetDoes::publishes : FleetDoes::submits, at, name, length,
          special());
      if (chance_.happens(0.12))
        add(FleetDoes::cancels, at + chance_.between(seconds{1}, seconds{90}), name);
    }
    for (size_t i = chance_.below(4); i > 0; --i)
      add(FleetDoes::sends_item, some_time(), fmt::format("item{}", i));
    for (size_t i = chance_.below(6); i > 0; --i)
      add(FleetDoes::asks, some_time(), {}, {}, chance_.below(story_.nodes.size()));
    for (size_t i = chance_.below(3); i > 0; --i)
      add(FleetDoes::limits, some_time(), {}, chance_.between(seconds{20}, seconds{120}));
  }
  // After all others, so that what is drawn before is what it was.
  void more_wants() {
    for (size_t i = chance_.below(3); i > 0; --i)
      add(FleetDoes::submits, some_time(), fmt::format("large{}", i), work_length(),
          static_cast<size_t>(FleetWants::large));
    for (size_t i = chance_.below(5); i > 0; --i)
      add(FleetDoes::resumes, some_time(), fmt::format("u{}", chance_.below(8)));
    for (size_t i = chance_.below(4); i > 0; --i)
      add(FleetDoes::leaves_item, some_time(), fmt::format("left{}", i), {},
          chance_.below(story_.nodes.size()));
  }
  void fault(const Kind& kind) {
    if (!has(kind.name)) return;
    size_t count = 1 + chance_.below(kind.does == FleetDoes::removes ? 1 : 6);
    if (kind.does == FleetDoes::removes && story_.nodes.size() < 3) count = 0;
    for (; count > 0; --count) {
      const Duration at = some_time(), length = chance_.between(kind.least, kind.most);
      const bool leader = kind.does == FleetDoes::changes_leader;
      add(kind.does, at, {}, length, leader ? 1 + chance_.below(3) : 0);
      if (kind.does == FleetDoes::slows || kind.does == FleetDoes::pauses_daemon)
        then_nothing(at + length);
    }
  }
  void forks() {
    if (has(kForks)) story_.network.forked = 0.1 * static_cast<double>(1 + chance_.below(10));
    story_.cluster = story_.network.forked > 0 ||
                     std::any_of(story_.doings.begin(), story_.doings.end(), [](const auto& one) {
                       return one.does == FleetDoes::changes_leader;
                     });
  }
  // Answers come late, and right after that none comes any more: what a node believes of its lease is put to the test.
  void then_nothing(Duration at) {
    if (!faults_.contains("partition") || !chance_.happens(0.5)) return;
    FleetDoing doing = story_.doings.back();
    doing.at = at + chance_.between(milliseconds{-500}, seconds{3});
    doing.does = FleetDoes::partitions;
    doing.length = chance_.between(seconds{40}, seconds{90});
    story_.doings.push_back(doing);
  }

  Chance chance_;
  std::set<std::string> faults_;
  FleetStory story_;
};

double seconds_of(Duration length) {
  return std::chrono::duration<double>(length).count();
}

Duration duration_of(const Json& value) {
  using Seconds = std::chrono::duration<double>;
  return std::chrono::round<Duration>(Seconds(value.as_double()));  // as it was written
}

}  // namespace

std::string_view word(FleetDoes does) {
  return kWords[static_cast<size_t>(does)];
}

Result<FleetStory> draw_fleet(uint64_t seed, const std::string& faults) {
  std::set<std::string> known{std::string(kNetwork), std::string(kRates), std::string(kForks)};
  for (const auto& kind : kKinds) known.insert(std::string(kind.name));
  std::set<std::string> chosen;
  for (const auto& name : split(faults, ',')) {
    if (name == "all")
      chosen = known;
    else if (known.contains(name))
      chosen.insert(name);
    else if (!name.empty() && name != "none")
      return fail(fmt::format("'{}' is not a fault of a fleet", name),
                  "one of " + join({known.begin(), known.end()}, ", "));
  }
  return Drawing(seed, std::move(chosen)).draw();
}

std::vector<std::string> fleet_drawn(const FleetStory& story) {
  std::vector<std::string> out;
  std::array<size_t, kFleetDoes> counts{};
  for (const auto& doing : story.doings) ++counts[static_cast<size_t>(doing.does)];
  std::string line = fmt::format("{} nodes, {} until it is calm:", story.nodes.size(),
                                 short_duration(story.length));
  for (size_t i = 0; i + 1 < kFleetDoes; ++i)
    if (counts[i] > 0) line += fmt::format(" {} {},", kWords[i], counts[i]);
  line.pop_back();
  out.push_back(std::move(line));
  const auto& network = story.network;
  out.push_back(fmt::format("network: lost {:.1f} %, unheard {:.1f} %, doubled {:.1f} %, {} ms",
                            network.lost * 100, network.unheard * 100, network.doubled * 100,
                            network.most_delay.count() / 1000));
  if (story.cluster)
    out.push_back(fmt::format("a cluster of servers, {:.0f} % of writes that race are both taken",
                              network.forked * 100));
  return out;
}

Json to_json(const FleetStory& story) {
  Json nodes = Json::array(), doings = Json::array();
  for (const auto& node : story.nodes)
    nodes.push(Json::object({{"rate", node.rate},
                             {"wall_off_s", seconds_of(node.wall_off)},
                             {"room", node.room},
                             {"label", node.label}}));
  for (const auto& doing : story.doings) {
    Json one = Json::object(
        {{"at_s", seconds_of(doing.at)}, {"does", word(doing.does)}, {"node", doing.node}});
    if (!doing.text.empty()) one.set("text", doing.text);
    if (doing.length != Duration{0}) one.set("length_s", seconds_of(doing.length));
    if (doing.number != 0) one.set("number", doing.number);
    doings.push(std::move(one));
  }
  const auto& network = story.network;
  return Json::object(
      {{"fleet_story", 1},
       {"seed", story.seed},
       {"length_s", seconds_of(story.length)},
       {"network", Json::object({{"lost", network.lost},
                                 {"unheard", network.unheard},
                                 {"doubled", network.doubled},
                                 {"forked", network.forked},
                                 {"most_delay_s", seconds_of(network.most_delay)}})},
       {"cluster", story.cluster},
       {"nodes", nodes},
       {"doings", doings}});
}

Result<FleetStory> fleet_story_from(const Json& json) {
  if (json["fleet_story"].as_int() != 1) return fail("this is no story of a fleet");
  FleetStory out;
  out.seed = static_cast<uint64_t>(json["seed"].as_int());
  out.length = duration_of(json["length_s"]);
  const Json& network = json["network"];
  out.network = {network["lost"].as_double(), network["unheard"].as_double(),
                 network["doubled"].as_double(), network["forked"].as_double(),
                 duration_of(network["most_delay_s"])};
  out.cluster = json["cluster"].as_bool();
  for (const Json& node : json["nodes"].items())
    out.nodes.push_back({node["rate"].as_double(1), duration_of(node["wall_off_s"]),
                         static_cast<int>(node["room"].as_int()), node["label"].as_bool()});
  for (const Json& one : json["doings"].items()) {
    const std::string does = one["does"].as_string();
    const auto at = std::find(kWords.begin(), kWords.end(), does);
    if (at == kWords.end())
      return fail(fmt::format("'{}' is nothing that happens to a fleet", does));
    out.doings.push_back({duration_of(one["at_s"]), static_cast<FleetDoes>(at - kWords.begin()),
                          static_cast<size_t>(one["node"].as_int()), one["text"].as_string(),
                          duration_of(one["length_s"]),
                          static_cast<size_t>(one["number"].as_int())});
  }
  for (const auto& doing : out.doings)
    if (doing.node >= out.nodes.size())
      return fail("a node of the story is not in its list of nodes");
  return out;
}

}  // namespace pawl::sim
