#pragma once
// Verbs of an agent's inbox and of its archive.

#include "api/conversation.h"

namespace pawl::api {

Outcome inbox_add(const Call& call);
// For an agent of a node of the fleet that is away: it waits on the bus. Nothing: the node is there, or is none of the fleet.
std::optional<Outcome> leave_item(const Call& call, const std::string& machine, const Json& args);
Outcome inbox_ls(const Call& call);
Outcome inbox_done(const Call& call);
Outcome archive_ls(const Call& call);
Outcome archive_restore(const Call& call);

}  // namespace pawl::api
