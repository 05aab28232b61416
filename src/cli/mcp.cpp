#include "cli/mcp.h"

#include <unistd.h>

#include <cstdio>

#include "cli/mcp_install.h"
#include "cli/mcp_stdio.h"

namespace pawl::cli {

int mcp(const Command& command) {
  const std::string what = command.args()["what"].as_string();
  const bool undo = command.args()["undo"].as_bool(), yes = command.args()["yes"].as_bool();
  if (what == "install") return mcp_install(command);
  if (!what.empty())
    return complain({"mcp: '" + what + "'", "use pawl mcp, or pawl mcp install PROGRAM", 2});
  if (undo || yes || command.args()["program"].is_string())
    return complain({"mcp: --yes and --undo go with install",
                     "use pawl mcp install claude, codex or gemini", 2});
  if (::isatty(STDIN_FILENO) == 1)
    std::fputs(
        "pawl mcp speaks MCP with the program that starts it. To set one up: pawl mcp install "
        "claude (or codex, gemini). Ctrl-D ends this.\n",
        stderr);
  return McpStdio(command.home).run();
}

}  // namespace pawl::cli
