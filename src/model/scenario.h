#pragma once
// A story for `pawl simulate`: one agent, what is seen of it, and when (interfaces: "pawl simulate"). An unknown key is an error
// that names its line.

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/event.h"

namespace pawl::model {

// One thing that happens; `at_s` seconds after the agent was started.
struct Happening {
  double at_s = 0;
  std::optional<State> state;
  std::string kind;               // of waiting
  std::optional<double> until_s;  // of limited: when it ends
  std::string screen;             // what it shows: dialogs are read from it
  std::string notice;             // beside the state: auth, credit, context, overload
  bool progress = true;           // false: it works and gets nowhere
  bool human = false;             // a person pressed a key
  std::optional<WorkSeen> work;
  std::optional<Ending> exit;
  bool oom = false;  // … by the kernel, for want of memory
  std::optional<bool> pause;
  std::optional<Spent> spent;  // on that day
  int background = 0;          // … and how many shells run behind it
  std::string input;           // with a state: what the keyboard reaches in place of the prompt
  std::string text;            // somebody sends this
  double sleep_s = 0;          // the machine was suspended for so long, from now on
  double clock_s = 0;          // the wall clock was set, by so much
};

// What the rules should do then; the whole list is compared.
struct Expected {
  double at_s = 0;
  std::string action;
  std::string how, rule;       // empty: whichever
  std::optional<int> attempt;  // none: whichever
  int line = 0;
};

struct Scenario {
  std::string about;
  double until_s = 36000;
  std::optional<bool> auto_continue;  // CC_AUTO_CONTINUE in the agent's env file
  std::string session_id = "story";   // of its conversation; empty: it has not told
  AgentSpec spec;
  std::vector<Error> repairs;         // of the agent's keys
  std::vector<Happening> happenings;  // in the order of time
  std::optional<std::vector<Expected>> expected;
};

Result<Scenario> parse_scenario(const std::string& text, const std::string& path);

}  // namespace pawl::model
