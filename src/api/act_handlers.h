#pragma once
// Verbs that change the fleet: they check what can be checked at once and submit the rest to the engine.

#include "api/conversation.h"

namespace pawl::api {

Outcome run(const Call& call);
Outcome register_agent(const Call& call);
Outcome down(const Call& call);
Outcome stop(const Call& call);
Outcome restart(const Call& call);
Outcome rm(const Call& call);
Outcome start(const Call& call);
Outcome pause(const Call& call);
Outcome resume(const Call& call);
Outcome mode(const Call& call);
Outcome permission(const Call& call);
Outcome serve(const Call& call);
Outcome attach(const Call& call);
Outcome reload(const Call& call);
Outcome shutdown(const Call& call);

}  // namespace pawl::api
