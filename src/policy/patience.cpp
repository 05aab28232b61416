#include <fmt/core.h>

#include "policy/rules.h"

namespace pawl::policy {
namespace {

struct Bound {
  double s;
  const char* matter;
  const char* what;
};

// Somebody or something counts on it.
bool wanted(const Agent& agent) {
  return agent.spec.effective_mode() != "paused" || !agent.outbox.empty() ||
         !agent.memory.desk.waiting.empty();
}

// A program without an interface that is known is never known better.
bool never_known(const Agent& agent) {
  return agent.runtime() == "generic" || agent.runtime() == "shell" || agent.runtime().empty();
}

std::optional<Bound> bound_of(const Agent& agent) {
  const model::Patience& its = agent.spec.patience;
  switch (agent.state) {
    case State::unknown:
      if (never_known(agent) && !wanted(agent)) return std::nullopt;
      return Bound{its.unknown_s, "unknown", "nobody knows what it is doing"};
    case State::starting:
      return Bound{its.starting_s, "starting", "it does not finish starting"};
    case State::typing:
      if (!wanted(agent)) return std::nullopt;
      return Bound{its.draft_s, "draft", "a draft lies in its box"};
    case State::busy:
      if (agent.kind != model::kBackground || !wanted(agent)) return std::nullopt;
      return Bound{its.background_s, "background", "no turn of its runs, only something behind it"};
    case State::ready:
    case State::waiting:
    case State::limited:
    case State::stuck:
    case State::shell:
    case State::exited:
    case State::crashed:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

// Other rules know what to do in other states, or the state passes by itself. A draft does not keep nudges back.
Claim patience(const Situation& s) {
  const auto bound = bound_of(s.agent);
  if (!bound || !s.agent.running() || bound->s <= 0) return std::nullopt;
  const WallTime due = s.agent.since + seconds(bound->s);
  const bool nudges = s.agent.state == State::typing && s.agent.spec.effective_mode() != "paused";
  if (nudges) return std::nullopt;
  if (s.now < due) return wait(due, fmt::format("{}; {}", bound->what, s.agent.because));
  return tell(s, bound->matter,
              fmt::format("{} for {:.0f} s: {}", bound->what, bound->s, s.agent.because),
              "look at it with: pawl attach " + s.agent.spec.name);
}

// Its prompt is free, but its owner wants its shells to end first. A shell may run for ever: then a person is told.
Claim background(const Situation& s) {
  const Agent& agent = s.agent;
  if (!agent.waits_for_background()) return std::nullopt;
  const std::string because = model::runs_behind(agent);
  const double patience = agent.spec.patience.background_s;
  if (patience <= 0 || !wanted(agent)) return nothing(because);
  const WallTime due = agent.since + seconds(patience);
  if (s.now < due) return wait(due, because);
  return tell(s, "background", fmt::format("{}, for {:.0f} s", because, patience),
              "look at it with: pawl attach " + agent.spec.name);
}

}  // namespace pawl::policy
