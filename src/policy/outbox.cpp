#include <fmt/format.h>

#include "policy/rules.h"

namespace pawl::policy {
namespace {

// Other rules know what to do about the other states, or the state passes by itself.
bool lasts(State state) {
  return state == State::typing || state == State::unknown || state == State::starting ||
         state == State::shell;
}

}  // namespace

bool text_goes(const Situation& s) {
  return s.agent.running() && !s.agent.outbox.empty() && s.held.empty();
}

// It waits for something that may never come: a person is told.
Claim outbox(const Situation& s) {
  const Agent& agent = s.agent;
  if (!agent.running() || agent.outbox.empty()) return std::nullopt;
  if (text_goes(s)) return nothing("a text waits in its outbox: that goes first");
  // What runs behind its prompt may run for ever: the patience with that says when somebody is told.
  if (agent.state == State::busy && agent.kind == model::kBackground) return std::nullopt;
  const std::string because = "a text waits in its outbox: " + s.held;
  if (!lasts(agent.state)) return nothing(because);
  const WallTime due = agent.since + seconds(agent.spec.nudge.base_s);
  if (s.now < due) return wait(due, because);
  const std::string& name = agent.spec.name;
  return tell(
      s, "outbox", because,
      fmt::format("attach to it: pawl attach {0}, or discard the text: pawl send --drop {0}",
                  name));
}

}  // namespace pawl::policy
