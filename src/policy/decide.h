#pragma once
// The watchdog's mind: which rule claims an agent, and what it wants done (requirements A, W, X, C6). Called by core after
// every event of an agent and when the time that a rule asked for has come.

#include <string>
#include <vector>

#include "policy/situation.h"

namespace pawl::policy {

struct Decision {
  std::string rule;  // that claimed it; empty: none did
  Choice choice;
  std::vector<std::string> passed;  // the rules before it, which had nothing to say
};

Decision decide(const Situation& situation);
// A turn, or a life: not by a daemon that is about to end, nor for a task whose lease does not last (Situation::lease).
bool begins(Action action);

// In the order they are asked.
std::vector<std::string> rule_names();

}  // namespace pawl::policy
