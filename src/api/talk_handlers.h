#pragma once
// Verbs that talk to an agent: text goes through its outbox, a dialog is answered row by row, keys are pressed as they are.

#include "api/conversation.h"

namespace pawl::api {

Outcome send(const Call& call);  // with --drop: forget what waits
Outcome wake(const Call& call);
Outcome answer(const Call& call);
Outcome keys(const Call& call);

}  // namespace pawl::api
