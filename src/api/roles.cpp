#include "api/roles.h"

#include <algorithm>

#include "api/task_view.h"
#include "api/verb.h"

namespace pawl::api {
namespace {

bool own_task(const model::Fleet& fleet, const model::Asker& asker, const std::string& name) {
  const model::Agent* task = find_task(fleet, name);
  if (!task) return true;  // the handler says that there is none
  return asker.sure && task->task->order.by.same(asker);
}

bool own_agent(const model::Fleet& fleet, const model::Asker& asker, const std::string& name) {
  const model::Agent* own = agent_of_asker(fleet, asker);
  return own && own->spec.name == name;
}

// What `may` would have to name; empty: nothing is needed.
std::string needed(const model::Fleet& fleet, const model::Asker& asker, const std::string& verb,
                   const Json& args) {
  const Verb* row = find_verb(verb);
  if (!row) return {};
  const std::string name = args["name"].as_string();
  switch (row->use.may) {
    case May::everybody:
      return {};
    case May::sender:  // without Enter it is keys, and a digit alone answers a dialog
      if (args["drop"].as_bool()) return "drop";
      return args["no-enter"].as_bool() ? "keys" : "";
    case May::own_task:
      return own_task(fleet, asker, name) ? "" : verb;
    case May::own_inbox:
      return own_agent(fleet, asker, name) ? "" : verb;
    case May::daemon:
      return "daemon";
    case May::named:
      return verb;
  }
  return verb;
}

// "task" stands for all verbs of tasks.
bool named(const std::vector<std::string>& may, const std::string& key) {
  const auto has = [&](const std::string& word) {
    return std::find(may.begin(), may.end(), word) != may.end();
  };
  return has(key) || has(key.substr(0, key.find(' ')));
}

std::string action_of(const std::string& key) {
  if (key == "daemon") return "stop the daemon";
  if (key == "drop") return "discard queued texts";
  return "use '" + key + "'";
}

Done permitted(const model::Fleet& fleet, const model::Asker& asker, const std::string& key) {
  const model::Agent* own = agent_of_asker(fleet, asker);
  if (own && named(own->spec.may, key)) return {};
  const std::string who =
      asker.name.empty() ? "an agent or task of Pawl's" : asker.kind + " " + asker.name;
  const std::string section = asker.kind == model::kAgent && !asker.name.empty()
                                  ? "[agent." + asker.name + "]"
                                  : "[defaults]";
  return fail("this runs inside " + who + ", which may not " + action_of(key),
              "a person can do it from a terminal of their own, or allow it: may = [\"" + key +
                  "\"] under " + section + " in pawl.toml",
              kNotAllowed);
}

}  // namespace

const model::Agent* agent_of_asker(const model::Fleet& fleet, const model::Asker& asker) {
  if (!asker.inside() || !asker.sure || asker.name.empty()) return nullptr;
  return asker.kind == model::kTask ? find_task(fleet, asker.name) : fleet.find(asker.name);
}

Done allowed(const model::Fleet& fleet, const model::Asker& asker, const std::string& verb,
             const Json& args) {
  if (!asker.inside()) return {};
  const std::string key = needed(fleet, asker, verb, args);
  return key.empty() ? Done() : permitted(fleet, asker, key);
}

Done allowed_on(const model::Fleet& fleet, const model::Asker& asker, const std::string& verb,
                const std::string& agent) {
  if (!asker.inside() || own_agent(fleet, asker, agent)) return {};
  return permitted(fleet, asker, verb);
}

}  // namespace pawl::api
