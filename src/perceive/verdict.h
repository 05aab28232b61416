#pragma once
// What the evidence says: a state, who says so, and why. The tier is the channel that decided.

#include <optional>
#include <string>

#include "base/clock.h"
#include "model/state.h"
#include "model/words.h"

namespace pawl::perceive {

using model::Tier;

struct Verdict {
  model::State state = model::State::starting;
  std::string kind;
  Tier tier = Tier::process;
  std::string because;
  double confidence = 1;
  std::string input = {};  // what the keyboard reaches in place of the prompt; empty: no such mode
  int background = 0;      // shells and the like that run behind its prompt; no turn waits for them
  bool operator==(const Verdict&) const = default;
};

// A verdict with the rule that gave it. `again`: when time alone may change it.
struct Reading {
  Verdict verdict;
  const char* rule = "";
  bool hold = false;  // not yet: stay with what was said before
  std::optional<MonoTime> again;
};

}  // namespace pawl::perceive
