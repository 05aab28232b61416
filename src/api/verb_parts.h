#pragma once
// What the rows of verbs are put together from.

#include <string>
#include <utility>
#include <vector>

#include "api/verb.h"

namespace pawl::api {

using Form = Arg::Form;

inline Arg name_of_agent() {
  return {Form::positional, "name", "NAME", "the agent", true};
}
inline Arg names_of_agents() {
  return {Form::positional, "names", "NAME", "the agents", false, true};
}
inline Arg option(std::string name, std::string metavar, std::string help, char letter = 0) {
  return {Form::option, std::move(name), std::move(metavar), std::move(help), false, false, letter};
}
inline Arg flag(std::string name, std::string help, char letter = 0) {
  return {Form::flag, std::move(name), "", std::move(help), false, false, letter};
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

std::vector<Verb> look_verbs();   // look_verbs.cpp
std::vector<Verb> task_verbs();   // task_verbs.cpp
std::vector<Verb> work_verbs();   // work_verbs.cpp
std::vector<Verb> serve_verbs();  // serve_verbs.cpp

}  // namespace pawl::api
