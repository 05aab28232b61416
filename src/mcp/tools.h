#pragma once
// Which verbs are tools, as MCP describes tools: made of the verbs' rows (api/verb.h), so that a new argument of a verb is one of its
// tool at once. What only a person at a terminal needs is left out. Pure. For server.cpp; `pawl mcp` asks which requests need the
// environment.

#include <string>
#include <string_view>
#include <vector>

#include "api/verb.h"
#include "base/json.h"

namespace pawl::mcp {

// What a tool is beyond its verb.
enum Trait : unsigned {
  kPlain = 0,
  kEnds = 1,          // ends or removes something, or types what nobody can take back
  kRepeatable = 2,    // a second time it changes nothing more
  kReachesOut = 4,    // agents work for it, and they reach the world
  kEnvironment = 8,   // the daemon is given our environment with it
  kWaits = 16,        // may take long
  kAllMachines = 32,  // asks other machines, too, unless `here`
};

struct Tool {
  std::string_view verb;
  unsigned traits = kPlain;
  std::vector<std::string_view> left_out = {};  // arguments, beyond those that no tool has
  std::vector<std::string_view> needed = {};    // … that the verb does not need
  std::string_view more = {};                   // after the verb's summary
  std::string name() const;
  bool has(Trait trait) const { return (traits & trait) != 0; }
};

inline constexpr std::string_view kDefaultWait = "9m";  // clients of MCP give up after ten
inline constexpr std::string_view kDefaultLines = "100";
inline constexpr int64_t kMostLines = 2000;
inline constexpr size_t kMaxPrompt = 3u << 20;

const std::vector<Tool>& tools();
const Tool* find_tool(std::string_view name);

Json tool_list();

// The arguments of a call as the verb's; an error says what they should be.
Result<Json> request_args(const Tool& tool, const Json& arguments);

}  // namespace pawl::mcp
