#pragma once
// `pawl mcp install PROGRAM`: writes that program's own configuration, so that it starts `pawl mcp`. Shows it first, asks, keeps a copy,
// takes it back with --undo. A file with comments or mistakes where it cannot be changed for certain is left alone: then it says what
// to add by hand.

#include "cli/commands.h"

namespace pawl::cli {

int mcp_install(const Command& command);

}  // namespace pawl::cli
