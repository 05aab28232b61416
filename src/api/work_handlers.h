#pragma once
// Verbs of an agent's inbox and of its archive.

#include "api/conversation.h"

namespace pawl::api {

Outcome inbox_add(const Call& call);
Outcome inbox_ls(const Call& call);
Outcome inbox_done(const Call& call);
Outcome archive_ls(const Call& call);
Outcome archive_restore(const Call& call);

}  // namespace pawl::api
