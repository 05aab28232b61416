#include "cli/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "base/text.h"

namespace pawl::cli {
namespace {

using Form = api::Arg::Form;

// Where CLI11 puts what it finds.
struct Slots {
  std::map<std::string, std::string> texts;
  std::map<std::string, std::vector<std::string>> lists;
  std::map<std::string, bool> flags;
};

std::string spelling(const api::Arg& arg) {
  const std::string name = arg.form == Form::positional ? arg.name : "--" + arg.name;
  return arg.letter ? std::string("-") + arg.letter + "," + name : name;
}

void declare(CLI::App& app, const api::Arg& arg, Slots& slots) {
  if (arg.form == Form::rest) return;
  if (arg.form == Form::flag) {
    app.add_flag(spelling(arg), slots.flags[arg.name], arg.help);
    return;
  }
  auto* option = arg.many ? app.add_option(spelling(arg), slots.lists[arg.name], arg.help)
                          : app.add_option(spelling(arg), slots.texts[arg.name], arg.help);
  option->required(arg.required);
}

Json gather(const CLI::App& app, const api::Verb& verb, const Slots& slots) {
  Json args = Json::object();
  for (const auto& arg : verb.args) {
    if (arg.form == Form::rest ||
        app.count(arg.form == Form::positional ? arg.name : "--" + arg.name) == 0)
      continue;
    if (arg.form == Form::flag)
      args.set(arg.name, slots.flags.at(arg.name));
    else if (arg.many)
      args.set(arg.name, slots.lists.at(arg.name));
    else
      args.set(arg.name, slots.texts.at(arg.name));
  }
  return args;
}

const api::Arg* rest_of(const api::Verb& verb) {
  const auto it = std::find_if(verb.args.begin(), verb.args.end(),
                               [](const auto& arg) { return arg.form == Form::rest; });
  return it == verb.args.end() ? nullptr : &*it;
}

Result<const api::Verb*> verb_of(const std::string& word) {
  if (const api::Verb* verb = api::find_verb(word)) return verb;
  if (word == "inbox") return fail("inbox needs a subcommand", "say inbox add, ls or done", 2);
  if (word == "archive") return fail("archive needs a subcommand", "say archive ls or restore", 2);
  if (word == "machine") return fail("machine needs a subcommand", "say machine add, ls or rm", 2);
  if (word == "fleet")
    return fail("fleet needs a subcommand", "join, leave, ls, enroll, revoke", 2);
  if (word == "task")
    return fail("task needs a subcommand",
                "say task start, ls, status, wait, output, events, cancel, resume or clean", 2);
  std::vector<std::string> names;
  for (const auto& verb : api::verbs())
    if (!verb.group.empty()) names.push_back(verb.name);
  const auto guess = nearest(word, names);
  return fail("unknown verb '" + word + "'",
              guess ? "did you mean '" + *guess + "'?" : "pawl help lists them", 2);
}

}  // namespace

Result<Parsed> parse_arguments(const std::vector<std::string>& words) {
  const auto verb = verb_of(words.at(0));
  if (!verb) return tl::unexpected(verb.error());
  std::vector<std::string> rest(words.begin() + 1, words.end());
  std::vector<std::string> command;
  if (rest_of(**verb)) {  // everything after "--" is the program's own, whatever it looks like
    const auto dashes = std::find(rest.begin(), rest.end(), "--");
    if (dashes != rest.end()) command.assign(dashes + 1, rest.end());
    rest.erase(dashes, rest.end());
  }
  CLI::App app;
  app.set_help_flag("");
  Slots slots;
  for (const auto& arg : (*verb)->args) declare(app, arg, slots);
  std::reverse(rest.begin(), rest.end());  // CLI11 takes them from the back
  try {
    app.parse(rest);
  } catch (const CLI::ParseError& error) {
    std::string what = error.what();
    std::replace(what.begin(), what.end(), '\n', ' ');
    return fail((*verb)->name + ": " + what, "see: pawl help " + (*verb)->name, 2);
  }
  Parsed parsed{*verb, gather(app, **verb, slots)};
  if (const api::Arg* arg = rest_of(**verb); arg && !command.empty())
    parsed.args.set(arg->name, command);
  return parsed;
}

}  // namespace pawl::cli
