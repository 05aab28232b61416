#pragma once
// What the rows of verbs are put together from.

#include <string>
#include <utility>
#include <vector>

#include "api/handlers.h"
#include "api/verb.h"

namespace pawl::api {

using Form = Arg::Form;

template <Outcome (*answer)(const Call&)>
inline constexpr Handler kHandler{answer};

// The verb changes nothing.
template <Outcome (*answer)(const Call&)>
Use looks() {
  return {Access::look, May::everybody, kHandler<answer>};
}
// … or something.
template <Outcome (*answer)(const Call&)>
Use acts(May may = May::named) {
  return {Access::act, may, kHandler<answer>};
}

inline Arg required(Arg arg) {
  arg.required = true;
  return arg;
}
inline Arg many(Arg arg) {
  arg.many = true;
  return arg;
}
inline Arg positional(std::string name, std::string metavar, std::string help) {
  return {Form::positional, std::move(name), std::move(metavar), std::move(help)};
}
inline Arg option(std::string name, std::string metavar, std::string help, char letter = 0) {
  Arg arg{Form::option, std::move(name), std::move(metavar), std::move(help)};
  arg.letter = letter;
  return arg;
}
inline Arg flag(std::string name, std::string help, char letter = 0) {
  Arg arg{Form::flag, std::move(name), "", std::move(help)};
  arg.letter = letter;
  return arg;
}
inline Arg of_agent(Arg arg) {
  arg.agent = true;
  return arg;
}
inline Arg name_of_agent() {
  return of_agent(required(positional("name", "NAME", "the agent")));
}
inline Arg names_of_agents() {
  return of_agent(many(positional("names", "NAME", "the agents")));
}
// Other machines are asked, too, unless it is left out.
inline Arg here() {
  return flag("here", "leave other machines out");
}
inline Arg json() {
  return flag("json", "print JSON");
}
inline Arg since(const std::string& by_default) {
  return option("since", "TIME",
                "from this time (RFC 3339) or age on (default " + by_default + ")");
}
inline Arg all() {
  return flag("all", "every agent");
}

std::vector<Verb> look_verbs();     // look_verbs.cpp
std::vector<Verb> task_verbs();     // task_verbs.cpp
std::vector<Verb> work_verbs();     // work_verbs.cpp
std::vector<Verb> serve_verbs();    // serve_verbs.cpp
std::vector<Verb> machine_verbs();  // machine_verbs.cpp
std::vector<Verb> fleet_verbs();    // fleet_verbs.cpp

}  // namespace pawl::api
