#include <fmt/format.h>

#include "policy/rules.h"

namespace pawl::policy {

Claim not_there(const Situation& s) {
  if (s.agent.never_started()) return nothing("it was never started");
  if (s.agent.intent)
    return nothing(fmt::format("a {} is under way", word(s.agent.intent->action)));
  return std::nullopt;
}

Claim paused(const Situation& s) {
  if (s.agent.paused) return nothing("it is paused");
  if (s.agent.spec.mode == "paused") return nothing("its mode is paused");
  return std::nullopt;
}

Claim parked(const Situation& s) {
  if (!s.agent.parked) return std::nullopt;
  return nothing("it is parked: " + s.agent.parked_because);
}

// A clock that was set back must not hold anything for longer than the quiet time.
Claim human(const Situation& s) {
  if (!s.agent.human_last_seen) return std::nullopt;
  const Duration quiet = seconds(s.agent.spec.human_quiet_s);
  const WallTime until = *s.agent.human_last_seen + quiet;
  if (until <= s.now || until > s.now + quiet) return std::nullopt;
  return wait(until, "a person typed a moment ago");
}

}  // namespace pawl::policy
