#pragma once
// What a hook of the program said, as long as that counts (rules.cpp).

#include "perceive/evidence.h"
#include "perceive/verdict.h"

namespace pawl::perceive {

// No hook tells of Esc or of a refused permission, so its word alone must not live for ever: the screen outweighs it when the box is
// there, nothing asks, and either nothing moves or (against "it asks") work goes on. Once that was so, what moves later is something
// else: the Tracker remembers it (Evidence::hook_void) until a hook speaks again.
bool hook_outweighed(const Evidence& evidence);

std::optional<Reading> by_hook(const Evidence& evidence, Told told, model::State state);

}  // namespace pawl::perceive
