#pragma once
// send, keys, wake, answer: what is said to an agent, and the verdict on whether it was taken.

#include "cli/commands.h"

namespace pawl::cli {

int send(const Command& command);
int keys(const Command& command);
int wake(const Command& command);
int answer(const Command& command);

}  // namespace pawl::cli
