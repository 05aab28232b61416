#pragma once
// The configuration of programs that use MCP servers, as text: Pawl's entry put in and taken out, every other byte left as it was. Pure.
// What cannot be read for certain (comments in JSON, mistakes) is refused, never repaired. For mcp_install.cpp.

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"

namespace pawl::cli {

// How Pawl is started, and with what in its environment.
struct McpEntry {
  std::string command;
  std::vector<std::pair<std::string, std::string>> environment = {};
};

inline constexpr int kMcpTimeoutS = 3600;  // of one call; its waits end before that by themselves

// An object with "mcpServers" (Claude Code, Gemini CLI).
Json json_entry(const McpEntry& entry, bool gemini);
Result<std::string> with_json_entry(const std::string& text, const Json& entry);
// Nothing: there is none.
Result<std::optional<std::string>> without_json_entry(const std::string& text);

// A table [mcp_servers.pawl] at the end (Codex); comments stay.
std::string toml_entry(const McpEntry& entry);
Result<std::string> with_toml_entry(const std::string& text, const McpEntry& entry);
Result<std::optional<std::string>> without_toml_entry(const std::string& text);

}  // namespace pawl::cli
