#pragma once
// One row per verb: name, arguments, access, help. The command line builds its parser, its help and its completions from
// the rows, the daemon finds the handler by the name (handlers.h); HTTP and MCP will read the same rows.

#include <string>
#include <vector>

namespace pawl::api {

enum class Access {
  look,   // changes nothing
  act,    // changes the fleet or writes to an agent
  local,  // the command line alone, no daemon
};

struct Arg {
  enum class Form { positional, option, flag, rest };
  Form form = Form::positional;
  std::string name;     // the key in the request; "--name" for options and flags
  std::string metavar;  // what stands for the value in help
  std::string help;
  bool required = false;
  bool many = false;
  char letter = 0;  // "-x"
};

struct Verb {
  std::string name;
  std::string summary;  // one line
  Access access = Access::look;
  std::vector<Arg> args;
  std::string example = {};
  std::string group = {};  // heading in the help
};

const std::vector<Verb>& verbs();
const Verb* find_verb(const std::string& name);

}  // namespace pawl::api
