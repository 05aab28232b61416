#pragma once
// What each channel says on its own, best channel first: the evidence as `pawl why` shows it, and what drift is measured by.

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "perceive/evidence.h"
#include "perceive/tracker.h"
#include "perceive/verdict.h"

namespace pawl::perceive {

struct Opinion {
  Tier tier = Tier::process;
  const char* channel = "";
  std::string says;
  std::optional<model::State> means;  // by itself; nothing when it cannot tell
  std::optional<MonoTime> since;
};

std::vector<Opinion> opinions(const Evidence& evidence);

// The whole answer to "why": verdict, the rule that won, those before it, evidence with ages, what would change it.
Json explain(const Tracker& tracker, MonoTime now);

}  // namespace pawl::perceive
