#pragma once
// Whose agents a request means: MACHINE/NAME is an agent or a task of another machine, NAME is one of this one. Which arguments name
// agents is in the verb's row (Arg::agent). Pure; the command line chooses the machine by it, the daemon passes requests on.

#include <map>
#include <string>

#include "api/verb.h"
#include "base/json.h"

namespace pawl::api {

struct Aim {
  // By machine, "" is this one: the arguments with the names that its own agents have there.
  std::map<std::string, Json> at;

  bool here_only() const { return at.size() == 1 && at.begin()->first.empty(); }
  // The only machine; empty: this one, or several.
  std::string one() const { return at.size() == 1 ? at.begin()->first : ""; }
};
Aim aim_of(const Verb& row, const Json& args);

// "gpu/docs" is {gpu, docs}, "docs" is {"", docs}.
std::pair<std::string, std::string> split_name(const std::string& name);

}  // namespace pawl::api
