#include "cli/help.h"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::cli {
namespace {

using Form = api::Arg::Form;

std::string spelled(const api::Arg& arg) {
  switch (arg.form) {
    case Form::positional:
      return arg.metavar;
    case Form::rest:
      return "-- " + arg.metavar + "…";
    case Form::option:
      return (arg.letter ? fmt::format("-{}, ", arg.letter) : "") + "--" + arg.name + " " +
             arg.metavar;
    case Form::flag:
      return (arg.letter ? fmt::format("-{}, ", arg.letter) : "") + "--" + arg.name;
  }
  return {};
}

std::string in_usage(const api::Arg& arg) {
  if (arg.form == Form::positional) {
    const std::string name = arg.many ? arg.metavar + "…" : arg.metavar;
    return arg.required ? name : "[" + name + "]";
  }
  const std::string dashes = arg.letter ? fmt::format("-{}", arg.letter) : "--" + arg.name;
  if (arg.form == Form::flag) return "[" + dashes + "]";
  if (arg.form == Form::rest) return "[-- " + arg.metavar + "…]";
  return arg.required ? dashes + " " + arg.metavar : "[" + dashes + " " + arg.metavar + "]";
}

struct Group {
  const char* name;
  const char* heading;
};
constexpr Group kGroups[] = {{"start", "Start"},
                             {"look", "Look"},
                             {"talk", "Talk"},
                             {"control", "Control"},
                             {"task", "Tasks: a prompt goes in, a truthful result comes out"},
                             {"other", "Other"}};

}  // namespace

std::string usage_line(const api::Verb& verb) {
  std::string line = "pawl " + verb.name;
  for (const auto& arg : verb.args) line += " " + in_usage(arg);
  return line;
}

std::string help_overview(const Look& look) {
  std::string out = "pawl keeps AI coding agents working when nobody watches.\n\n";
  for (const auto& group : kGroups) {
    out += paint(look, "1", group.heading) + "\n";
    for (const auto& verb : api::verbs())
      if (verb.group == group.name) out += "  " + fit(verb.name, 17) + verb.summary + "\n";
    out += "\n";
  }
  out +=
      "pawl help VERB explains one.  Everything lives in PAWL_HOME (default "
      "~/.local/state/pawl).\n";
  return out;
}

std::string help_on_family(const std::string& word, const Look& look) {
  std::string out;
  for (const auto& verb : api::verbs())
    if (verb.name.starts_with(word + " ") && !verb.group.empty())
      out += "  " + fit(verb.name, 17) + verb.summary + "\n";
  if (out.empty()) return out;
  return paint(look, "1", "pawl " + word) + "\n" + out + "\npawl help " + word +
         " VERB explains one.\n";
}

std::string help_on(const api::Verb& verb, const Look& look) {
  std::string out = "pawl " + verb.name + ": " + verb.summary + "\n\n" + paint(look, "1", "Usage") +
                    "\n  " + usage_line(verb) + "\n";
  int widest = 0;
  for (const auto& arg : verb.args) widest = std::max(widest, columns_of(spelled(arg)));
  if (!verb.args.empty()) out += "\n" + paint(look, "1", "Arguments") + "\n";
  for (const auto& arg : verb.args) out += "  " + fit(spelled(arg), widest + 2) + arg.help + "\n";
  if (!verb.example.empty())
    out += "\n" + paint(look, "1", "Example") + "\n  " + verb.example + "\n";
  return out;
}

}  // namespace pawl::cli
