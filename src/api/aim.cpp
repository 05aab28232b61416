#include "api/aim.h"

namespace pawl::api {

std::pair<std::string, std::string> split_name(const std::string& name) {
  const size_t slash = name.find('/');
  if (slash == std::string::npos) return {"", name};
  return {name.substr(0, slash), name.substr(slash + 1)};
}

Aim aim_of(const Verb& row, const Json& args) {
  Aim out;
  std::map<std::string, Json> named;
  for (const auto& arg : row.args) {
    if (!arg.agent) continue;
    if (args[arg.name].is_string()) {
      const auto [machine, name] = split_name(args[arg.name].as_string());
      named[machine].set(arg.name, name);
    }
    for (const auto& text : args[arg.name].as_strings()) {
      const auto [machine, name] = split_name(text);
      Json names = named[machine][arg.name];
      names.push(name);
      named[machine].set(arg.name, std::move(names));
    }
  }
  if (named.empty()) {
    out.at[""] = args;
    return out;
  }
  for (const auto& [machine, names] : named) {
    Json whole = args;
    for (const auto& arg : row.args)
      if (arg.agent && whole.has(arg.name)) whole.set(arg.name, Json());
    for (const auto& [key, value] : names.members()) whole.set(key, value);
    out.at[machine] = std::move(whole);
  }
  return out;
}

}  // namespace pawl::api
