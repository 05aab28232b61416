#pragma once
// `pawl hook`: whose word is it? A program's hook carries its session's secret (PAWL_HOOK), which nobody can guess, and comes from a
// process inside that agent. What another agent says in its name, or somebody without the secret, is not heard; the journal has it
// once. The program that called is never held up by any of this, and never told.

#include <string>

#include "api/conversation.h"

namespace pawl::api {

Outcome hook(const Call& call);

// Of PAWL_SESSION, as the environment has it ("<home>-<id>"), or the id alone.
SessionId session_of(const std::string& cookie);

}  // namespace pawl::api
