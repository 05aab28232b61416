#include "act/gate.h"

#include <numeric>

namespace pawl::act {
namespace {

using model::State;

Duration seconds(double s) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(s));
}

// Without a time that is still to come it is for the rules to find out: they wake it, and its state tells.
Held by_limit(const model::Agent& agent, WallTime now) {
  Held held{agent.spec.name + " has reached its usage limit", agent.limited_until};
  if (held.until && *held.until <= now) *held.until += seconds(agent.spec.limit.margin_s);
  if (held.until && *held.until <= now) held.until.reset();
  return held;
}

Held by_state(const model::Agent& agent, WallTime now) {
  const std::string& name = agent.spec.name;
  switch (agent.state) {
    case State::starting:
      return {name + " is starting", {}};
    case State::busy:
      return {name + " is busy", {}};
    case State::typing:
      return {
          (agent.kind == model::kOwnText ? "a text of Pawl's that was not taken is in the box of "
                                         : "somebody's text is in the box of ") +
              name,
          {},
          true};
    case State::waiting:
      return {name + " waits for an answer (" + agent.kind + ")", {}, true};
    case State::limited:
      return by_limit(agent, now);
    case State::stuck:
      return {name + " is stuck", {}, true};
    case State::shell:
      return {"a shell is in front of " + name + ": the agent is gone", {}, true};
    case State::exited:
    case State::crashed:
      return {name + " is not running", {}, true};
    case State::ready:
    case State::unknown:
      break;
  }
  return {"it is not known what " + name + " is doing", {}, true};
}

// A box is there and takes text, whatever else goes on.
bool takes_text(State state) {
  return state == State::ready || state == State::busy || state == State::typing;
}

}  // namespace

bool plain(const model::Agent& agent) {
  const std::string& runtime = agent.runtime();
  return (runtime == "generic" || runtime == "shell") &&
         (agent.state == State::unknown || agent.state == State::shell);
}

bool has_room(const model::Agent& agent, uint64_t bytes) {
  const uint64_t there =
      std::accumulate(agent.outbox.begin(), agent.outbox.end(), uint64_t{0},
                      [](uint64_t sum, const model::Queued& item) { return sum + item.bytes; });
  return agent.outbox.size() < kOutboxItems && there + bytes <= kOutboxBytes;
}

std::optional<WallTime> human_until(const model::Agent& agent, WallTime now) {
  if (!agent.memory.human) return std::nullopt;
  const Duration quiet = seconds(agent.spec.human_quiet_s);
  const WallTime until = *agent.memory.human + quiet;
  // A clock that was set back must not hold anything for longer than the quiet time.
  if (until <= now || until > now + quiet) return std::nullopt;
  return until;
}

// One that came after that time, or is still there because the service said so again, is not over.
bool limit_over(const model::Agent& agent, WallTime now) {
  if (agent.state != State::limited || !agent.limited_until) return false;
  return agent.since < *agent.limited_until &&
         *agent.limited_until + seconds(agent.spec.limit.margin_s) <= now;
}

std::optional<Held> held_back(const model::Agent& agent, const model::Queued& item, WallTime now) {
  if (!agent.quarantined.empty()) return Held{agent.spec.name + " is quarantined", {}, true};
  if (!agent.running()) return Held{agent.spec.name + " is not running", {}, true};
  if (agent.paused) return Held{agent.spec.name + " is paused", {}, true};
  if (!agent.reaches_prompt()) return Held{model::in_mode(agent), {}, true};
  const bool limit_ended = limit_over(agent, now);
  const bool jobs = agent.background > 0 && agent.spec.background == "wait";
  if ((agent.state == State::ready || limit_ended) && jobs && !item.eager())
    return Held{model::runs_behind(agent), {}};
  const bool open = plain(agent) || agent.state == State::ready || limit_ended ||
                    (item.eager() && takes_text(agent.state));
  if (!open) return by_state(agent, now);
  if (item.eager()) return std::nullopt;
  if (const auto until = human_until(agent, now))
    return Held{"a person typed into " + agent.spec.name + " a moment ago", until};
  return std::nullopt;
}

}  // namespace pawl::act
