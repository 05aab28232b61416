#include "api/roles.h"

#include <algorithm>

#include "api/task_view.h"
#include "api/verb.h"

namespace pawl::api {
namespace {

bool own_task(const model::Fleet& fleet, const model::Asker& asker, const std::string& name) {
  const model::Agent* task = find_task(fleet, name);
  if (!task) return true;  // the handler says that there is none, or looks itself: allowed_task
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

bool fits_one(char pattern, char c) {
  return pattern == c ||
         (pattern == '/' && std::string_view("-._").find(c) != std::string_view::npos);
}

// A * is any part of a name; a / is whatever stands between the parts of a name.
bool fits(std::string_view pattern, std::string_view name) {
  size_t p = 0, n = 0, star = std::string_view::npos, from = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = n;
    } else if (p < pattern.size() && fits_one(pattern[p], name[n])) {
      ++p, ++n;
    } else if (star != std::string_view::npos) {  // the last * takes one more
      p = star + 1;
      n = ++from;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

// Whom a request is about; nobody: all, or no agent at all.
std::vector<std::string> targets_of(const Json& args) {
  if (args["all"].as_bool()) return {};
  auto names = args["names"].as_strings();
  if (const std::string name = args["name"].as_string(); !name.empty()) names.push_back(name);
  return names;
}

// Who asks, for what, about whom.
struct Asked {
  const model::Agent* own;
  std::string key;
  std::vector<std::string> targets;
};

// "answer:team-*": that verb, about those; never about itself.
bool given_for(const std::string& word, const Asked& asked) {
  const size_t colon = word.find(':');
  if (colon == std::string::npos || asked.targets.empty()) return false;
  const std::string verb = word.substr(0, colon), pattern = word.substr(colon + 1);
  if (verb != asked.key && verb != asked.key.substr(0, asked.key.find(' '))) return false;
  return std::all_of(asked.targets.begin(), asked.targets.end(), [&](const std::string& name) {
    return name != asked.own->spec.name && fits(pattern, name);
  });
}

// "task" stands for all verbs of tasks.
bool given(const std::vector<std::string>& may, const Asked& asked) {
  return std::any_of(may.begin(), may.end(), [&](const std::string& word) {
    return word == asked.key || word == asked.key.substr(0, asked.key.find(' ')) ||
           given_for(word, asked);
  });
}

std::string action_of(const std::string& key) {
  if (key == "daemon") return "stop the daemon";
  if (key == "drop") return "discard queued texts";
  return "use '" + key + "'";
}

Done permitted(const model::Fleet& fleet, const model::Asker& asker, const std::string& key,
               std::vector<std::string> targets) {
  const model::Agent* own = agent_of_asker(fleet, asker);
  if (own && given(own->spec.may, {own, key, std::move(targets)})) return {};
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
  return key.empty() ? Done() : permitted(fleet, asker, key, targets_of(args));
}

Done allowed_task(const model::Fleet& fleet, const model::Asker& asker, const std::string& verb,
                  const model::Agent& task) {
  if (!asker.inside() || (asker.sure && task.task->order.by.same(asker))) return {};
  return permitted(fleet, asker, verb, {task.task->order.name});
}

Done allowed_on(const model::Fleet& fleet, const model::Asker& asker, const std::string& verb,
                const std::string& agent) {
  if (!asker.inside() || own_agent(fleet, asker, agent)) return {};
  return permitted(fleet, asker, verb, {agent});
}

}  // namespace pawl::api
