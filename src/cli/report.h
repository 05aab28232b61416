#pragma once
// `pawl report` and `pawl alerts` as pages a person reads: totals first, then each agent, then what Pawl did, then what waits for
// that person.

#include <string>

#include "base/clock.h"
#include "base/json.h"
#include "cli/style.h"

namespace pawl::cli {

// `report` and `alerts` are what `--json` prints. `now`: for ages.
std::string report_page(const Json& report, WallTime now, const Look& look);
std::string alerts_page(const Json& alerts, const Look& look);

}  // namespace pawl::cli
