#include "cli/simulate.h"

#include <cstdio>

#include "api/profiles.h"
#include "os/file.h"
#include "os/home.h"
#include "sim/simulation.h"

namespace pawl::cli {

int simulate(const Command& command) {
  const Json& args = command.args();
  const std::string path = args["file"].as_string();
  const auto text = os::read_stream(path);
  if (!text) return complain(text.error());
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
