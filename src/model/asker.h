#pragma once
// Who asks for something, as every act in the journal names it (interfaces: "Input, dialogs, and who asks").

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/json.h"

namespace pawl::model {

inline constexpr const char* kPerson = "person";
inline constexpr const char* kAgent = "agent";
inline constexpr const char* kTask = "task";
inline constexpr const char* kRule = "rule";
inline constexpr const char* kWeb = "web";
inline constexpr const char* kMachine = "machine";  // somebody at another one: "laptop/person"

struct Asker {
  std::string kind;  // person, agent, task, rule, web or machine; empty: not known
  std::string name;  // of the agent, task or rule; over the network: role, credential and address
  int64_t pid = 0;   // of the process that asked; 0: none of this machine's
  // Whose it is was seen, not only said: without that the name gives no right. Never written down.
  bool sure = true;

  // A process inside an agent or a task, also when it is not known of which. Of another machine: whoever is no person there, and was
  // not let in by its dashboard.
  bool inside() const {
    return kind == kAgent || kind == kTask ||
           (kind == kMachine && far_kind() != kPerson && far_kind() != kWeb);
  }
  bool known() const { return !kind.empty(); }
  // The same agent or task, whichever of its processes asked.
  bool same(const Asker& other) const {
    return kind == other.kind && name == other.name && !name.empty();
  }
  bool operator==(const Asker& other) const {
    return kind == other.kind && name == other.name && pid == other.pid;
  }

 private:
  // "person" of "laptop/person", "web" of "laptop/web operator (token) from 127.0.0.1".
  std::string far_kind() const {
    const std::string rest = name.substr(std::min(name.size(), name.find('/') + 1));
    return rest.substr(0, rest.find(' '));
  }
};

// Those who are told the same: all people at this machine, all processes of an agent, a credential from an address.
std::string world_of(const Asker& asker);
// "a person (pid 12)", "agent docs (pid 12)", "rule stuck", "operator (token) from 127.0.0.1"
std::string text_of(const Asker& asker);
Json to_json(const Asker& asker);  // null when it is not known
// Also a text alone, as journals before this had it: then it came over the network.
Asker asker_from(const Json& json);

}  // namespace pawl::model
