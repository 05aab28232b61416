#pragma once
// adopt, release: tmux panes that already run. The server is asked from here, as the person who types the command would; the
// daemon is told which pane it is, and of which process.

#include "cli/commands.h"

namespace pawl::cli {

int adopt(const Command& command);
int release(const Command& command);

// The real pane of an agent that runs in tmux, in this terminal. Comes back only with an error.
int attach_pane(const std::string& home, const Json& pane);

}  // namespace pawl::cli
