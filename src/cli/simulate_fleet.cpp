#include "cli/simulate_fleet.h"

#include <fmt/core.h>

#include <charconv>
#include <cstdio>

#include "base/text.h"
#include "model/config.h"
#include "os/file.h"
#include "sim/world/night/draw.h"
#include "sim/world/night/night.h"
#include "sim/world/night/shrink.h"
#include "sim/world/night/story_file.h"

namespace pawl::cli {
namespace {

constexpr size_t kMostAgents = 100'000;
constexpr double kMostHours = 24.0 * 366;
constexpr size_t kShrinkPlays = 400, kMostPlays = 1'000'000;
constexpr const char* kWork = "Go on with the next step of your work.";

template <class Number>
Result<Number> number(const Json& args, const char* name, Number least, Number most, Number usual) {
  const std::string text = args[name].as_string();
  if (text.empty()) return usual;
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most)
    return fail(fmt::format("--{}: '{}' is no number from {} to {}", name, text, least, most));
  return value;
}

// What every agent of the night is configured with: the defaults of a pawl.toml, else those of somebody who wants work done.
Result<model::AgentSpec> policy_of(const std::string& path) {
  model::AgentSpec spec;
  spec.mode = "active";
  spec.restart = model::Restart::resume;
  spec.prompt = kWork;
  if (path.empty()) return spec;
  const auto text = os::read_file(path);
  if (!text) return tl::unexpected(text.error());
  model::Config below;
  below.defaults = spec;
  const auto config = model::parse_config(*text, path, below);
  if (!config) return tl::unexpected(config.error());
  return config->defaults;
}

Result<sim::NightOrder> order_of(const Json& args) {
  sim::NightOrder order;
  const auto agents = number<size_t>(args, "fleet", 1, kMostAgents, 0);
  if (!agents) return tl::unexpected(agents.error());
  const auto hours = number<double>(args, "hours", 0.01, kMostHours, 12);
  if (!hours) return tl::unexpected(hours.error());
  const auto seed = number<uint64_t>(args, "seed", 0, INT64_MAX, 1);
  if (!seed) return tl::unexpected(seed.error());
  const std::string faults = args["faults"].as_string();
  const auto chosen = sim::faults_from(faults.empty() ? "all" : faults);
  if (!chosen) return tl::unexpected(chosen.error());
  order.agents = *agents;
  order.hours = *hours;
  order.seed = *seed;
  order.faults = *chosen;
  return order;
}

double hours_in(const sim::NightReport& report, std::initializer_list<model::State> states) {
  double out = 0;
  for (const auto state : states) out += report.hours[static_cast<size_t>(state)];
  return out;
}

struct Row {
  std::string what;
  double hours = 0;
};

// Where the time went, by what an agent was doing.
std::vector<Row> rows_of(const sim::NightReport& report) {
  using model::State;
  return {{"working", hours_in(report, {State::busy})},
          {"at rest", hours_in(report, {State::ready})},
          {"lost: usage limit", hours_in(report, {State::limited})},
          {"lost: a dialog nobody answered", hours_in(report, {State::waiting})},
          {"lost: a draft in the box", hours_in(report, {State::typing})},
          {"lost: stuck", hours_in(report, {State::stuck})},
          {"lost: not running", hours_in(report, {State::shell, State::exited, State::crashed})},
          {"lost: starting", hours_in(report, {State::starting})},
          {"lost: nobody knows", hours_in(report, {State::unknown})}};
}

std::string counts(const std::map<std::string, uint64_t>& counts) {
  std::vector<std::string> parts;
  for (const auto& [name, count] : counts) parts.push_back(fmt::format("{} {}", name, count));
  return parts.empty() ? "-" : join(parts, ", ");
}

void print_table(const std::vector<std::pair<std::string, sim::NightReport>>& reports) {
  fmt::print("{:<32}", "hours");
  for (const auto& [name, report] : reports) fmt::print("{:>14.12}", name);
  fmt::print("\n");
  std::vector<std::vector<Row>> columns;
  for (const auto& [name, report] : reports) columns.push_back(rows_of(report));
  for (size_t i = 0; i < columns.front().size(); ++i) {
    fmt::print("{:<32}", columns.front()[i].what);
    for (const auto& column : columns) fmt::print("{:>14.1f}", column[i].hours);
    fmt::print("\n");
  }
  for (const auto& [name, report] : reports) {
    fmt::print("{}: done by rules: {}\n{}: texts sent {}, prompts taken {}, people told {}\n", name,
               counts(report.did), name, report.texts, report.taken, report.told);
    if (!report.tasks.empty()) fmt::print("{}: tasks ended: {}\n", name, counts(report.tasks));
  }
}

Json json_of(const sim::NightReport& report) {
  Json hours = Json::object();
  for (size_t i = 0; i < sim::kStates; ++i)
    hours.set(std::string(word(static_cast<model::State>(i))), report.hours[i]);
  Json violations = Json::array();
  for (const auto& one : report.violations)
    violations.push(
        Json::object({{"invariant", one.checker}, {"agent", one.agent}, {"what", one.what}}));
  Json marks = Json::object();
  for (size_t i = 0; i < sim::kMarks; ++i)
    marks.set(std::string(word(static_cast<sim::Mark>(i))), report.marks[i]);
  return Json::object({{"violations", violations},
                       {"decisions", report.decisions},
                       {"events", report.events},
                       {"turns", report.turns},
                       {"texts", report.texts},
                       {"told", report.told},
                       {"hours", hours},
                       {"marks", marks},
                       {"digest", fmt::format("{:016x}", report.digest)}});
}

// The shortest story of each violation, into the folder we are in.
void write_stories(const sim::NightStory& story, const sim::NightReport& report,
                   const perceive::Catalog& catalog, size_t plays) {
  size_t number = 0;
  for (const auto& violation : report.violations) {
    const std::string path = fmt::format("pawl-violation-{}.toml", ++number);
    const auto play = [&](const sim::NightStory& shorter) {
      return sim::Night(shorter, catalog).run().violations;
    };
    const auto shrunk = sim::shrink(story, violation, play, plays);
    const std::vector<std::string> about{
        fmt::format("{}: {}", violation.checker, violation.agent), shrunk.violation.what,
        fmt::format("seed {}, shortened in {} plays; again: pawl simulate {}", story.seed,
                    shrunk.plays, path)};
    const auto done = os::write_atomically(path, sim::write_night(shrunk.story, about));
    if (!done) complain(done.error());
    std::fprintf(stderr, "pawl: %s: %s: %s\n", path.c_str(), violation.agent.c_str(),
                 violation.what.c_str());
  }
}

int say(const Command& command, const sim::NightStory& story,
        const std::vector<std::pair<std::string, sim::NightReport>>& reports) {
  const auto& report = reports.front().second;
  const double hours = std::chrono::duration<double, std::ratio<3600>>(story.length).count();
  if (command.json()) {
    Json out = json_of(report);
    out.set("agents", static_cast<int64_t>(story.actors.size()));
    fmt::print("{}\n", out.dump());
  } else {
    print_table(reports);
    fmt::print("violations {}, agents {}, hours {}, decisions {}, digest {:016x}\n",
               report.violations.size(), story.actors.size(), hours, report.decisions,
               report.digest);
  }
  std::fflush(stdout);
  return report.violations.empty() ? 0 : 1;
}

}  // namespace

int simulate_fleet(const Command& command, const perceive::Catalog& catalog) {
  const Json& args = command.args();
  auto order = order_of(args);
  if (!order) return complain(order.error());
  const auto plays = number<size_t>(args, "shrink", 0, kMostPlays, kShrinkPlays);
  if (!plays) return complain(plays.error());
  const auto usual = policy_of("");
  order->policy = *usual;
  const std::string policy = args["policy"].as_string();
  order->odd_policies = policy.empty();
  const auto story = sim::draw(*order);
  if (!command.json()) {
    fmt::print("seed {}\n", order->seed);
    for (const auto& line : sim::drawn(story)) fmt::print("{}\n", line);
  }
  std::vector<std::pair<std::string, sim::NightReport>> reports;
  if (!policy.empty()) {
    auto other = *order;
    const auto its = policy_of(policy);
    if (!its) return complain(its.error());
    other.policy = *its;
    reports.emplace_back(policy, sim::Night(sim::draw(other), catalog).run());
  }
  reports.emplace_back("defaults", sim::Night(story, catalog).run());
  const int code = say(command, story, reports);
  write_stories(story, reports.front().second, catalog, *plays);
  return code;
}

int simulate_night(const Command& command, const perceive::Catalog& catalog,
                   const std::string& text, const std::string& path) {
  const auto story = sim::read_night(text, path);
  if (!story) return complain(story.error());
  sim::Night night(*story, catalog);
  if (command.args()["events"].as_bool())
    night.saw = [](const Clock&, const model::Event& event) {
      fmt::print("{}\n", to_json(event).dump());
    };
  const auto report = night.run();
  for (const auto& one : report.violations)
    std::fprintf(stderr, "%s\npawl: %s: %s: %s: %s\n", one.screen.c_str(), path.c_str(),
                 one.checker.c_str(), one.agent.c_str(), one.what.c_str());
  return say(command, *story, {{"night", report}});
}

}  // namespace pawl::cli
