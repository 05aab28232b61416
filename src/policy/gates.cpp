#include <fmt/core.h>

#include <algorithm>

#include "policy/rules.h"

namespace pawl::policy {

Claim not_there(const Situation& s) {
  if (s.agent.never_started()) return nothing("it was never started");
  if (s.agent.away()) return nothing(away_text(s.agent));
  if (s.agent.intent)
    return nothing(fmt::format("a {} is under way", word(s.agent.intent->action)));
  return std::nullopt;
}

// A text of ours that was not taken closes the box to everything that waits. It is taken out again, once, when nobody else typed.
Claim own_text(const Situation& s) {
  const Agent& agent = s.agent;
  if (agent.state != State::typing || agent.kind != model::kOwnText) return std::nullopt;
  const bool tried = agent.memory.swept && *agent.memory.swept >= agent.since;
  if (!s.own_text || tried || agent.halted()) return std::nullopt;
  if (auto person = human(s)) return person;
  return act(Action::leave, model::kOwnTextLeft);
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

static std::string mode_matter(const Agent& agent) {
  return "mode " + agent.input;
}

// Back to its prompt, once, when nobody has touched it for the quiet time.
static Claim leave(const Situation& s) {
  const Agent& agent = s.agent;
  const auto& matter = agent.memory.matter;
  const bool tried = matter.id == mode_matter(agent) && matter.last && *matter.last >= agent.since;
  if (!s.leavable || tried) return std::nullopt;
  const WallTime touched = std::max(agent.since, agent.memory.human.value_or(agent.since));
  const WallTime from = std::min(touched, s.now) + seconds(agent.spec.human_quiet_s);
  if (s.now < from) return wait(from, model::in_mode(agent));
  Choice choice = act(Action::leave, model::in_mode(agent));
  choice.matter = mode_matter(agent);
  return choice;
}

// A shell mode, a list of other sessions. Who left it so may come back; after a while somebody is told, if anything waits for it.
Claim mode(const Situation& s) {
  const Agent& agent = s.agent;
  const bool takes_text =
      agent.state == State::ready || agent.state == State::typing || agent.state == State::busy;
  if (agent.reaches_prompt() || !takes_text) return std::nullopt;
  const bool wanted = agent.spec.effective_mode() != "paused" || !agent.outbox.empty() ||
                      !agent.memory.desk.waiting.empty();
  if (!wanted) return nothing(model::in_mode(agent));
  if (auto way_out = leave(s)) return way_out;
  const WallTime due = agent.since + seconds(agent.spec.nudge.base_s);
  if (s.now < due) return wait(due, model::in_mode(agent));
  return tell(s, mode_matter(agent), model::in_mode(agent),
              "leave it: pawl attach " + agent.spec.name);
}

}  // namespace pawl::policy
