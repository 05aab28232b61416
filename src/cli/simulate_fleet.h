#pragma once
// `pawl simulate --fleet`: a made-up night with many agents, people and faults, and what must be true in it (interfaces: "a made-up
// world"). Also plays a night from a file.

#include "cli/commands.h"
#include "perceive/profile/catalog.h"

namespace pawl::cli {

int simulate_fleet(const Command& command, const perceive::Catalog& catalog);
// `text`: a file that tells a night.
int simulate_night(const Command& command, const perceive::Catalog& catalog,
                   const std::string& text, const std::string& path);

}  // namespace pawl::cli
