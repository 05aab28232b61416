#pragma once
// `pawl mcp`: Pawl as a server of the Model Context Protocol, for programs that orchestrate agents; `pawl mcp install` writes such a
// program's configuration (mcp_install.h).

#include "cli/commands.h"

namespace pawl::cli {

int mcp(const Command& command);

}  // namespace pawl::cli
