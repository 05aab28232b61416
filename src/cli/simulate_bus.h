#pragma once
// `pawl simulate --fleet-bus`: many nodes on a modelled bus, one seed after the other, and what must be true of them (doc/simulation.md).
// Also plays such a story from a file.

#include <optional>

#include "cli/commands.h"

namespace pawl::cli {

int simulate_bus(const Command& command);
// None: the text tells no story of this kind.
std::optional<int> simulate_bus_story(const Command& command, const std::string& text,
                                      const std::string& path);

}  // namespace pawl::cli
