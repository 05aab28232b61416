#pragma once
// One row per verb: name, help, who may use it, what answers it, arguments. The command line builds its parser, its help and its
// completions from the rows, the daemon calls their handlers (handlers.h), HTTP makes its routes of them. The rows are in
// *_verbs.cpp; without a handler none can be written down (verb_parts.h).

#include <string>
#include <vector>

namespace pawl::api {

enum class Access {
  look,   // changes nothing
  act,    // changes the fleet or writes to an agent
  local,  // the command line alone, no daemon
};

// Which processes inside an agent or a task may use it (roles.h); a person may in any case.
enum class May {
  named,      // those whose configuration names it
  everybody,  // what has to be looked at is looked at where it is answered
  sender,     // … but for what types without Enter, or discards
  own_task,   // as `named`, and whoever gave that task
  own_inbox,  // as `named`, and the agent whose inbox it is
  daemon,     // those whose configuration names "daemon"
};

struct Handler;  // on the daemon's side (handlers.h)

// How a verb is used.
class Use {
 public:
  Use(Access look_or_act, May who, const Handler& answers)
      : access(look_or_act), may(who), handler(&answers) {}
  static Use local() { return {}; }

  Access access = Access::local;
  May may = May::named;
  const Handler* handler = nullptr;  // none: local

 private:
  Use() = default;
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
  bool agent =
      false;  // its value names an agent or a task, also one of another machine: MACHINE/NAME
};

// What a verb does with several machines.
enum class Across {
  no,        // it is about one place at a time
  gathered,  // one answer of all of them: a list of all machines, or an act on agents of several (places_asked.h)
  followed,  // their events, as they happen (places_followed.h)
  awaited,   // until agents of all of them are so far (places_awaited.h)
};

struct Verb {
  std::string name;
  std::string summary;  // one line
  Use use;
  std::vector<Arg> args;
  std::string example = {};
  std::string group = {};  // heading in the help
  Across across = Across::no;
};

const std::vector<Verb>& verbs();
const Verb* find_verb(const std::string& name);

}  // namespace pawl::api
