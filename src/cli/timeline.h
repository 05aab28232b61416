#pragma once
// `pawl timeline` as a person reads it: a strip of blocks for each agent, or the events of one.

#include <string>

#include "base/json.h"
#include "cli/style.h"

namespace pawl::cli {

// Without colours the strips are made of letters; a legend says what they mean. `timeline` is what `--json` prints.
std::string timeline_text(const Json& timeline, const Look& look);

}  // namespace pawl::cli
