#pragma once
// The environment a child gets: that of the command which asked for it, kept in the agent's folder (0600, never in the
// journal), and on top of it the agent's env file.

#include <string>
#include <vector>

#include "base/result.h"
#include "store/disk.h"

namespace pawl::store {

inline constexpr const char* kEnvironmentName = "environment";

// "KEY=value" lines, `#` comments, an optional `export `, quotes around the value removed. Bad lines are an error with their number.
Result<std::vector<std::string>> parse_env_file(const std::string& text, const std::string& path);

// Later entries win.
std::vector<std::string> merge_environment(const std::vector<std::string>& base,
                                           const std::vector<std::string>& over);

Done save_environment(Disk& disk, const std::string& agent_dir,
                      const std::vector<std::string>& environment);
Result<std::vector<std::string>> load_environment(Disk& disk, const std::string& agent_dir);

}  // namespace pawl::store
