#pragma once
// send, keys, wake, answer: what is said to an agent, and the verdict on whether it was taken.

#include "cli/commands.h"

namespace pawl::cli {

// Puts the text from the command line, a file or standard input into `args`. False: said why, exit with `code`.
bool text_into(Json& args, const std::string& verb, bool needed, int& code);

int send(const Command& command);
int keys(const Command& command);
int wake(const Command& command);
int answer(const Command& command);

}  // namespace pawl::cli
