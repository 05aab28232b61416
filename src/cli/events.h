#pragma once
// One event as a line a person reads.

#include <string>

#include "base/json.h"
#include "cli/style.h"

namespace pawl::cli {

// What became of another machine, after its name.
std::string machine_told(const Json& event);

std::string event_line(const Json& event, const Look& look);

}  // namespace pawl::cli
