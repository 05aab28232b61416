#pragma once
// Machines that are reached by ssh, and what comes from one. The machines are the daemon's (Server::machines); these check and pass on.

#include "api/conversation.h"

namespace pawl::api {

Outcome machine_add(const Call& call);
Outcome machine_ls(const Call& call);
Outcome machine_rm(const Call& call);
Outcome move_agent(const Call& call);  // mover.cpp

// `pawl __relay` says first who asks from where. The conversation is that asker's from then on (conversation.cpp).
Outcome relay(const Call& call);
inline constexpr const char* kRelayVerb = "relay";

// "laptop/person", "laptop/agent docs": who a relay may say that it speaks for.
bool valid_from(const std::string& from);

}  // namespace pawl::api
