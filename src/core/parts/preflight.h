#pragma once
// What is looked at before a program is started, in words for the journal.

#include <optional>
#include <string>

#include "model/event.h"
#include "model/fleet.h"
#include "model/surroundings.h"

namespace pawl::core {

// What the engine found out besides the surroundings.
struct Readiness {
  bool resume = false;   // it is to go on with its conversation
  std::string archived;  // a transcript that was put away just now, or why it could not be
  std::optional<model::Check> login;  // what its program says about its login; nothing: not asked
  model::Check permission;
};

// A transcript that must not be loaded: for its size (O1), or because memory is short and it is large (O2).
bool too_large(const model::Agent& agent, const model::Surroundings& seen);

model::Prepared prepared(const model::Agent& agent, const model::Surroundings& seen,
                         const Readiness& ready);

}  // namespace pawl::core
