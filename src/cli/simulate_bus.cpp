#include "cli/simulate_bus.h"

#include <fmt/core.h>

#include <charconv>
#include <cstdio>

#include "os/file.h"
#include "sim/fleet/shorten.h"

namespace pawl::cli {
namespace {

constexpr uint64_t kMostStories = 10'000'000;
constexpr uint64_t kShortenPlays = 2000;

// What is said of many stories together.
struct Sum {
  uint64_t stories = 0, wrong = 0, starts = 0, takeovers = 0, superseded = 0, accepted = 0,
           events = 0, digest = 0;
  Duration lasted{}, longest_calm{};

  void add(const sim::FleetReport& report) {
    ++stories;
    wrong += report.violations.empty() ? 0 : 1;
    starts += report.starts;
    takeovers += report.takeovers;
    superseded += report.superseded;
    accepted += report.accepted;
    events += report.events;
    lasted += report.lasted;
    longest_calm = std::max(longest_calm, report.calm_after);
    digest = digest * 31 + report.digest;
  }
};

Result<uint64_t> number_of(const Json& args, const char* name, uint64_t most, uint64_t usual) {
  const std::string text = args[name].as_string();
  if (text.empty()) return usual;
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value > most)
    return fail(fmt::format("--{}: '{}' is no number up to {}", name, text, most));
  return value;
}

void say(const Command& command, const Sum& sum, const std::vector<sim::FleetViolation>& wrong) {
  if (command.json()) {
    Json violations = Json::array();
    for (const auto& one : wrong)
      violations.push(Json::object({{"invariant", one.judge}, {"what", one.what}}));
    fmt::print("{}\n", Json::object({{"violations", violations},
                                     {"stories", sum.stories},
                                     {"starts", sum.starts},
                                     {"takeovers", sum.takeovers},
                                     {"superseded", sum.superseded},
                                     {"accepted", sum.accepted},
                                     {"events", sum.events},
                                     {"digest", fmt::format("{:016x}", sum.digest)}})
                           .dump());
  } else {
    fmt::print(
        "violations {}, stories {}, simulated {}, longest until all was done {}\n"
        "runs {}, ends {}, takeovers {}, superseded {}, events {}, digest {:016x}\n",
        wrong.size(), sum.stories, short_duration(sum.lasted), short_duration(sum.longest_calm),
        sum.starts, sum.accepted, sum.takeovers, sum.superseded, sum.events, sum.digest);
  }
  std::fflush(stdout);
}

void write_story(const sim::FleetStory& story, const sim::FleetViolation& violation, size_t plays) {
  constexpr const char* kPath = "pawl-violation-1.json";
  const auto shortest = sim::shorten(story, violation, plays);
  Json json = to_json(shortest.story);
  json.set("wrong", shortest.violation.judge + ": " + shortest.violation.what);
  const auto done = os::write_atomically(kPath, json.dump(1) + "\n");
  if (!done) complain(done.error());
  std::fprintf(stderr,
               "pawl: seed %llu: %s: %s\npawl: %s is the shortest story (%zu plays); again: pawl "
               "simulate %s\n",
               static_cast<unsigned long long>(story.seed), violation.judge.c_str(),
               shortest.violation.what.c_str(), kPath, shortest.plays, kPath);
}

}  // namespace

int simulate_bus(const Command& command) {
  const Json& args = command.args();
  const auto count = number_of(args, "fleet-bus", kMostStories, 100);
  if (!count) return complain(count.error());
  const auto seed = number_of(args, "seed", INT64_MAX, 1);
  if (!seed) return complain(seed.error());
  const auto plays = number_of(args, "shrink", kMostStories, kShortenPlays);
  if (!plays) return complain(plays.error());
  const std::string faults = args["faults"].as_string();
  Sum sum;
  for (uint64_t i = 0; i < *count; ++i) {
    const auto story = sim::draw_fleet(*seed + i, faults.empty() ? "all" : faults);
    if (!story) return complain(story.error());
    if (*count == 1 && !command.json())
      for (const auto& line : sim::fleet_drawn(*story)) fmt::print("{}\n", line);
    const auto report = sim::FleetPlay(*story).run();
    sum.add(report);
    if (report.violations.empty()) continue;
    say(command, sum, report.violations);
    if (*plays > 0) write_story(*story, report.violations.front(), *plays);
    return 1;
  }
  say(command, sum, {});
  return 0;
}

std::optional<int> simulate_bus_story(const Command& command, const std::string& text,
                                      const std::string& path) {
  const auto json = Json::parse(text);
  if (!json || !json->is_object() || !json->has("fleet_story")) return std::nullopt;
  const auto story = sim::fleet_story_from(*json);
  if (!story) return complain(story.error());
  const auto report = sim::FleetPlay(*story).run();
  for (const auto& one : report.violations)
    std::fprintf(stderr, "pawl: %s: %s: %s: %s\n", path.c_str(), short_duration(one.at).c_str(),
                 one.judge.c_str(), one.what.c_str());
  Sum sum;
  sum.add(report);
  say(command, sum, report.violations);
  return report.violations.empty() ? 0 : 1;
}

}  // namespace pawl::cli
