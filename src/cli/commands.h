#pragma once
// One function per verb that talks to the daemon: asks, renders, gives the exit code.

#include <string>

#include "cli/arguments.h"

namespace pawl::cli {

struct Command {
  std::string home;  // or a machine's door (machine.h)
  Parsed parsed;
  std::string machine = {};  // empty: this one
  const Json& args() const { return parsed.args; }
  bool json() const { return parsed.args["json"].as_bool(); }
};

int run_command(const Command& command);

// Prints "pawl: what: fix" and gives its exit code.
int complain(const Error& error);

}  // namespace pawl::cli
