#pragma once
// pawl.toml: the nearest of [agent.X], [runtime.X], [defaults] wins; every key has a default.
// An unknown key is a mistake that is told with its line and the nearest known one: nothing is silently ignored.

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/retention.h"
#include "model/spec.h"

namespace pawl::model {

struct Runtime {
  std::string name;
  std::string profile = "generic";
  std::vector<std::string> start;
  std::vector<std::string> resume;
  std::vector<std::string> task;
  std::vector<std::string> task_resume;
};

// [fleet]: what this machine takes from the others' work (doc/fleet.md).
struct FleetShare {
  int64_t tasks = 4;                           // at the same time; 0: none
  std::vector<std::string> labels = {};        // that --needs label=… may ask for
  std::vector<std::string> queues{"default"};  // whose work
  bool operator==(const FleetShare&) const = default;
};

struct Config {
  std::map<std::string, std::string> models;
  std::map<std::string, Runtime> runtimes;
  std::vector<AgentSpec> agents;  // in the order of the file
  AgentSpec defaults;
  Retention retention;
  std::vector<std::string> push;  // [tasks]: programs that hear of every event of a task
  FleetShare fleet;

  const AgentSpec* agent(const std::string& name) const;
};

// A file with mistakes in it: what is wrong is left as it was or made safe, and said. Nobody's agents stop for it (O10).
struct Repaired {
  Config config;
  std::vector<Error> repairs;
};
// Fails only where it is no TOML at all.
Result<Repaired> read_config(const std::string& text, const std::string& path,
                             const Config& below = {});

// The same, but every mistake is a failure: the first one.
// `path` is for messages, and relative folders in the file are taken against its folder by the caller.
// `below` is the user's own configuration: its models, runtimes and defaults hold where this file says nothing.
// Errors read "pawl.toml:12:5: …".
Result<Config> parse_config(const std::string& text, const std::string& path,
                            const Config& below = {});

// A bad word in the loop's keys never stops the loop (O10); what was made of it is said.
std::vector<Error> repair_loop(AgentSpec& spec);
// Makes values safe that are none of the words allowed for them, and says so.
std::vector<Error> repair(AgentSpec& spec);
// … or only says the first.
Done check(const AgentSpec& spec);

}  // namespace pawl::model
