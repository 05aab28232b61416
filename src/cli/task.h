#pragma once
// `pawl task …`: prompts that end in a result. What is the person's own happens here (reading the prompt, git worktrees, asking
// before something is lost); the daemon does the rest.

#include "cli/ask.h"
#include "cli/commands.h"

namespace pawl::cli {

// The answer of `task ls`; with "all" in args page by page, each machine's at its own door.
Asked list_tasks(const Command& command, const Json& args);

int task_start(const Command& command);
int task_ls(const Command& command);
int task_status(const Command& command);
int task_wait(const Command& command);
int task_output(const Command& command);
int task_events(const Command& command);
int task_cancel(const Command& command);
int task_resume(const Command& command);
int task_clean(const Command& command);

}  // namespace pawl::cli
