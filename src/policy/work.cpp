#include "policy/rules.h"

namespace pawl::policy {
namespace {

bool takes_text(State state) {
  return state == State::ready || state == State::typing || state == State::busy;
}

}  // namespace

// Assigned work never waits for a person who looked in (W9).
Claim work(const Situation& s) {
  if (s.agent.memory.work.empty() || !takes_text(s.agent.state)) return std::nullopt;
  const model::Work& first = s.agent.memory.work.front();
  const std::string who = first.from.empty() ? "somebody" : first.from;
  Choice choice = act(Action::wake, who + " assigned " + first.name + " to it");
  choice.how = first.name;
  return choice;
}

}  // namespace pawl::policy
