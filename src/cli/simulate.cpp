#include "cli/simulate.h"

#include <cstdio>

#include "api/profiles.h"
#include "cli/simulate_bus.h"
#include "cli/simulate_fleet.h"
#include "os/file.h"
#include "os/home.h"
#include "sim/simulation.h"
#include "sim/world/night/story_file.h"

namespace pawl::cli {

int simulate(const Command& command) {
  const Json& args = command.args();
  const std::string path = args["file"].as_string();
  if (!args["fleet-bus"].as_string().empty()) return simulate_bus(command);
  const bool fleet = !args["fleet"].as_string().empty();
  if (path.empty() && !fleet)
    return complain({"nothing to simulate", "name a story, or a fleet: pawl simulate --fleet 10"});
  if (fleet) return simulate_fleet(command, api::load_profiles(os::config_dir()).catalog);
  const auto text = os::read_stream(path);
  if (!text) return complain(text.error());
  if (const auto code = simulate_bus_story(command, *text, path)) return *code;
  if (sim::is_night(*text))
    return simulate_night(command, api::load_profiles(os::config_dir()).catalog, *text, path);
  auto story = model::parse_scenario(*text, path);
  if (!story) return complain(story.error());
  for (const auto& one : story->repairs) complain(one);
  const auto profiles = api::load_profiles(os::config_dir());
  for (const auto& error : profiles.complaints) complain(error);
  sim::Simulation simulation(std::move(*story), profiles.catalog);
  for (const auto& event : simulation.run()) {
    const auto* decided = std::get_if<model::Decided>(&event.fact);
    if (args["events"].as_bool())
      std::printf("%s\n", to_json(event).dump().c_str());
    else if (decided && !decided->rule.empty())
      std::printf("%s\n", sim::decision_line(simulation, event).dump().c_str());
  }
  std::fflush(stdout);
  const auto surprises = simulation.surprises();
  for (const auto& one : surprises)
    std::fprintf(stderr, "pawl: %s: %s\n", path.c_str(), one.c_str());
  return surprises.empty() ? 0 : 1;
}

}  // namespace pawl::cli
