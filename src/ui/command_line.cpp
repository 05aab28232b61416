#include "ui/command_line.h"

#include <algorithm>

#include "api/verb.h"

namespace pawl::ui {
namespace {

constexpr size_t kMaxOffers = 200;

// The longest verb that these words begin with; null: none.
const api::Verb* verb_in(const std::vector<std::string>& words) {
  const api::Verb* pair = words.size() > 1 ? api::find_verb(words[0] + " " + words[1]) : nullptr;
  return pair || words.empty() ? pair : api::find_verb(words[0]);
}

void add(std::vector<std::string>& offers, std::string offer) {
  if (offers.size() < kMaxOffers && std::find(offers.begin(), offers.end(), offer) == offers.end())
    offers.push_back(std::move(offer));
}

}  // namespace

Result<std::vector<std::string>> words_of(std::string_view line) {
  std::vector<std::string> words;
  bool inside = false;  // a word
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\r' || c == '\n')) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (quote != 0 && c == quote)
      quote = 0;
    else if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
    else if (c == '\\' && quote != '\'' && i + 1 < line.size())
      words.back() += line[++i];
    else
      words.back() += c;
  }
  if (quote != 0) return fail("a quote is not closed", std::string("end it with ") + quote, 2);
  return words;
}

std::vector<std::string> completions(const std::string& line,
                                     const std::vector<std::string>& agents) {
  std::vector<std::string> offers;
  const size_t blank = line.rfind(' ');
  const std::string front = blank == std::string::npos ? "" : line.substr(0, blank + 1);
  const std::string last = blank == std::string::npos ? line : line.substr(blank + 1);
  for (const auto& verb : api::verbs())
    if (!verb.group.empty() && verb.name.starts_with(line)) add(offers, verb.name + " ");
  const auto words = words_of(front);
  const api::Verb* verb = words ? verb_in(*words) : nullptr;
  if (!verb) return offers;
  if (last.starts_with('-')) {
    for (const auto& arg : verb->args)
      if (arg.form == api::Arg::Form::option || arg.form == api::Arg::Form::flag)
        if (("--" + arg.name).starts_with(last)) add(offers, front + "--" + arg.name + " ");
    return offers;
  }
  for (const auto& agent : agents)
    if (agent.starts_with(last)) add(offers, front + agent + " ");
  return offers;
}

std::string unfit(const std::vector<std::string>& words) {
  const std::string verb = words.empty() ? "" : words[0];
  const auto has = [&](std::string_view one, std::string_view other) {
    return std::any_of(words.begin(), words.end(),
                       [&](const std::string& word) { return word == one || word == other; });
  };
  if (verb == "attach") return "press Enter on the agent to attach to it";
  if (verb == "ui") return "this is it";
  if (verb == "ls" && has("-w", "--watch")) return "the list is already live: press Escape";
  if (verb == "run" && !has("-d", "--detach"))
    return "add -d; then press Enter on the agent to attach";
  if (verb == "daemon" && !has("--stop", "--stop")) return "the daemon starts by itself";
  return "";
}

}  // namespace pawl::ui
