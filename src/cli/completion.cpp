#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "cli/help.h"

namespace pawl::cli {
namespace {

bool takes_agent(const api::Verb& verb) {
  return std::any_of(verb.args.begin(), verb.args.end(),
                     [](const auto& arg) {
                       return arg.form == api::Arg::Form::positional && arg.metavar == "NAME";
                     }) &&
         verb.name != "run" && verb.name != "register";
}

std::string options_of(const api::Verb& verb) {
  std::string out;
  for (const auto& arg : verb.args)
    if (arg.form == api::Arg::Form::flag || arg.form == api::Arg::Form::option)
      out += (out.empty() ? "--" : " --") + arg.name;
  return out;
}

// Words of a verb that are not options.
std::string words_of(const api::Verb& verb) {
  return verb.name == "mcp" ? "install claude codex gemini " : "";
}

// What completes: verbs of one word, and for those of two the first word, whose second words come like options.
struct Row {
  std::string name, summary, words;
  bool agents = false;
};

std::string about(const std::string& family) {
  if (family == "inbox") return "work for an agent";
  if (family == "archive") return "conversations that were put away";
  if (family == "machine") return "other machines, by ssh";
  if (family == "fleet") return "machines that share work over NATS";
  return "prompts that end in a result";
}

std::vector<Row> rows() {
  std::vector<Row> out;
  for (const auto& verb : api::verbs()) {
    if (verb.group.empty()) continue;
    const size_t space = verb.name.find(' ');
    if (space == std::string::npos) {
      out.push_back(
          {verb.name, verb.summary, words_of(verb) + options_of(verb), takes_agent(verb)});
      continue;
    }
    const std::string first = verb.name.substr(0, space), second = verb.name.substr(space + 1);
    if (out.empty() || out.back().name != first) out.push_back({first, about(first), "", false});
    Row& row = out.back();
    row.words += (row.words.empty() ? "" : " ") + second;
    for (const auto& arg : verb.args)
      if (arg.form == api::Arg::Form::flag || arg.form == api::Arg::Form::option)
        if (row.words.find("--" + arg.name) == std::string::npos) row.words += " --" + arg.name;
  }
  return out;
}

std::string verb_names() {
  std::string out;
  for (const auto& row : rows()) out += (out.empty() ? "" : " ") + row.name;
  return out;
}

constexpr const char* kAgents = "pawl __names 2>/dev/null";

std::string bash() {
  std::string cases;
  for (const auto& row : rows())
    cases += fmt::format("    {}) words=\"{}{}\" ;;\n", row.name, row.words,
                         row.agents ? fmt::format(" $({})", kAgents) : "");
  return fmt::format(R"(_pawl() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{}" -- "$cur"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}    help) words="{}" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}}
complete -o default -F _pawl pawl
)",
                     verb_names(), cases, verb_names());
}

std::string zsh() {
  std::string described, cases;
  for (const auto& row : rows()) {
    std::string summary = row.summary;
    std::replace(summary.begin(), summary.end(), '\'', ' ');
    std::replace(summary.begin(), summary.end(), ':', ',');
    described += fmt::format("    '{}:{}'\n", row.name, summary);
    cases += fmt::format("    {}) compadd -- {}{} ;;\n", row.name, row.words,
                         row.agents ? fmt::format(" $({})", kAgents) : "");
  }
  return fmt::format(R"(#compdef pawl
_pawl() {{
  local -a verbs
  verbs=(
{}  )
  if (( CURRENT == 2 )); then
    _describe 'verb' verbs
    return
  fi
  case $words[2] in
{}  esac
}}
compdef _pawl pawl
)",
                     described, cases);
}

std::string fish() {
  std::string out = "complete -c pawl -f\n";
  for (const auto& row : rows()) {
    std::string summary = row.summary;
    std::replace(summary.begin(), summary.end(), '\'', ' ');
    out +=
        fmt::format("complete -c pawl -n __fish_use_subcommand -a {} -d '{}'\n", row.name, summary);
    const std::string seen =
        fmt::format("complete -c pawl -n '__fish_seen_subcommand_from {}'", row.name);
    for (const auto& word : split(row.words, ' '))
      out += word.starts_with("--") ? fmt::format("{} -l {}\n", seen, word.substr(2))
                                    : fmt::format("{} -a {}\n", seen, word);
    if (row.agents) out += fmt::format("{} -a '({})'\n", seen, kAgents);
  }
  return out;
}

}  // namespace

Result<std::string> completion_script(const std::string& shell) {
  if (shell == "bash") return bash();
  if (shell == "zsh") return zsh();
  if (shell == "fish") return fish();
  return fail("no completion for '" + shell + "'", "use bash, zsh or fish", 2);
}

}  // namespace pawl::cli
