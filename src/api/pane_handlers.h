#pragma once
// adopt, release: tmux panes that already run become agents, and are given back.

#include "api/conversation.h"

namespace pawl::api {

Outcome adopt(const Call& call);
Outcome release(const Call& call);

}  // namespace pawl::api
