#pragma once
// What an agent's open intent is waiting for.

#include "model/fleet.h"

namespace pawl::core {

// A task's run without an interface is known by its records, not by its screen.
inline bool has_interface(const model::Agent& agent) {
  return !agent.task || agent.task->order.interactive;
}

inline bool ends_a_program(model::Action action) {
  return action == model::Action::stop || action == model::Action::restart ||
         action == model::Action::remove || action == model::Action::finish ||
         action == model::Action::abandon;
}

// A task that has come to its end, of which nothing is under way any more.
inline bool over(const model::Agent& agent) {
  return agent.task && model::final(agent.task->status) && !agent.running() && !agent.intent;
}

// A terminal is being opened for the intent: a start, or a restart whose first half is done.
inline bool opening(const model::Agent& agent) {
  return agent.intent && agent.intent->seq.value == agent.session.value;
}

// The intent waits for the program to end.
inline bool ending(const model::Agent& agent) {
  return agent.intent && ends_a_program(agent.intent->action) && !opening(agent) &&
         !agent.intent->launches(model::Launch::typed);
}

// Text or a key is on its way into the terminal, and a procedure watches it.
inline bool delivering(const model::Agent& agent) {
  if (!agent.intent) return false;
  const model::Action action = agent.intent->action;
  return agent.intent->item != 0 || action == model::Action::answer ||
         action == model::Action::leave || action == model::Action::nudge ||
         action == model::Action::wake || agent.intent->launches(model::Launch::typed);
}

// From the TERM to the KILL.
inline Duration stop_grace(const model::Agent& agent) {
  return std::chrono::duration_cast<Duration>(
      std::chrono::duration<double>(agent.spec.stop_grace_s));
}

}  // namespace pawl::core
