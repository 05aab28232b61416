#include <fmt/core.h>

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

Claim quarantined(const Situation& s) {
  if (s.agent.quarantined.empty()) return std::nullopt;
  return nothing("it is quarantined: " + s.agent.quarantined);
}

Claim parked(const Situation& s) {
  if (!s.agent.parked) return std::nullopt;
  return nothing("it is parked: " + s.agent.parked_because);
}

// A clock that was set back must not hold anything for longer than the quiet time.
Claim human(const Situation& s) {
  if (!s.agent.memory.human) return std::nullopt;
  const Duration quiet = seconds(s.agent.spec.human_quiet_s);
  const WallTime until = *s.agent.memory.human + quiet;
  if (until <= s.now || until > s.now + quiet) return std::nullopt;
  return wait(until, "a person typed a moment ago");
}

// A shell mode, a list of other sessions. Who left it so may come back; after a while somebody is told, if anything waits for it.
Claim mode(const Situation& s) {
  const Agent& agent = s.agent;
  const bool takes_text =
      agent.state == State::ready || agent.state == State::typing || agent.state == State::busy;
  if (agent.reaches_prompt() || !takes_text) return std::nullopt;
  const bool wanted = agent.spec.effective_mode() != "paused" || !agent.memory.desk.waiting.empty();
  const WallTime due = agent.since + seconds(agent.spec.nudge.base_s);
  if (!wanted) return nothing(model::in_mode(agent));
  if (s.now < due) return wait(due, model::in_mode(agent));
  return tell(s, "mode " + agent.input, model::in_mode(agent),
              "leave it: pawl attach " + agent.spec.name);
}

}  // namespace pawl::policy
