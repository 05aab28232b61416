#include "perceive/records/hook.h"

#include <algorithm>
#include <array>

#include "base/json.h"
#include "base/text.h"
#include "model/dialog.h"

namespace pawl::perceive {
namespace {

constexpr size_t kMaxEventBytes = 64;
constexpr size_t kMaxIdBytes = 128;
constexpr size_t kMaxPathBytes = 4096;
constexpr std::array kSubjectKeys{"command", "file_path", "path", "notebook_path", "url", "query"};
constexpr Json::Limits kHookLimits{3, 64, kMaxPathBytes};  // a member, a list, what is in it
constexpr Json::Limits kPromptLimits{1, 64, kMaxHookBytes};
constexpr Json::Limits kToolLimits{8, 256, kMaxHookBytes};  // what is asked for, whole

// Programs agree on most names; Codex' notify has others.
std::string first_of(const Json& json, std::initializer_list<const char*> keys) {
  for (const char* key : keys)
    if (json[key].is_string()) return json[key].as_string();
  return {};
}

bool printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

const HookRule* rule_for(const Profile& profile, const std::string& event, const Json& json) {
  for (const HookRule& rule : profile.hook_rules) {
    if (rule.event != event) continue;
    if (rule.field.empty() || json[rule.field].as_string() == rule.value) return &rule;
  }
  return nullptr;
}

// What goes on behind the prompt at the end of a turn: how much that its program does not wait for, and whether there is more.
struct Behind {
  int free = 0;
  bool works = false;
};

Behind behind_it(const HookLines& lines, const Json& json) {
  const auto listed = [&](const std::string& word) {
    return std::find(lines.behind.begin(), lines.behind.end(), word) != lines.behind.end();
  };
  Behind out;
  for (const auto& list : lines.background)
    for (const Json& one : json[list].items())
      if (listed(list) || listed(one["type"].as_string()))
        ++out.free;
      else
        out.works = true;
  return out;
}

// A title for the conversation, made in another one that nobody can go on with.
bool aside(const Profile& profile, const Json& json) {
  const auto& said = json["input-messages"].items();
  const std::string first = said.empty() ? std::string() : said.front().as_string();
  const auto& begins = profile.hooks.aside;
  return std::any_of(begins.begin(), begins.end(),
                     [&](const std::string& begin) { return first.starts_with(begin); });
}

Word say(Told told, const HookWord& hook, std::string_view what, std::string kind = {}) {
  return {told, std::move(kind), "its hook " + hook.event + " says " + std::string(what)};
}

// What a permission is asked for: "Bash: rm -rf tmp", and the rest of what the tool is called with, line by line.
std::string subject_of(std::string_view text) {
  const auto whole = Json::parse_shallow(text, kToolLimits);
  if (!whole) return {};
  std::string first, rest;
  for (const auto& [key, value] : (*whole)["tool_input"].members()) {
    const std::string said = value.is_string() ? value.as_string() : value.dump();
    if (said.empty() || value.is_null()) continue;
    const bool matters =
        std::find(kSubjectKeys.begin(), kSubjectKeys.end(), key) != kSubjectKeys.end();
    if (matters && first.empty())
      first = said;
    else
      rest += "\n" + key + ": " + said;
  }
  if (first.empty() && rest.empty()) return {};
  return model::without_middle((*whole)["tool_name"].as_string() + ": " + first + rest);
}

Word end_of_turn(const HookWord& hook, const Behind& behind) {
  if (behind.works) return say(Told::background, hook, "that work goes on behind the prompt");
  Word word = say(Told::idle, hook, "that the turn is over");
  word.behind = behind.free;
  return word;
}

std::optional<Word> word_of(const Profile& profile, const HookRule& rule, const HookWord& hook,
                            const Json& json, std::string_view text) {
  // A sub-agent's turns are not those of the prompt; what it asks a person is.
  const bool behind = !json["agent_id"].as_string().empty();
  switch (rule.means) {
    case Means::busy:
    case Means::prompt:
      if (behind) return std::nullopt;
      return say(Told::busy, hook, "that it works");
    case Means::idle:
      if (behind) return std::nullopt;
      return end_of_turn(hook, behind_it(profile.hooks, json));
    case Means::waiting: {
      Word word = say(Told::waiting, hook, "that it asks", rule.kind);
      word.subject = subject_of(text);
      return word;
    }
    case Means::failure:
      return say(Told::idle, hook, "that the turn failed");
    case Means::end:
      return Word{};
    case Means::start:
    case Means::note:
      break;
  }
  return std::nullopt;
}

}  // namespace

// What it showed says more than its own word: a rate limit is the account's, or a server that is busy.
std::optional<NoticeKind> notice_of(const Profile& profile, const std::string& error,
                                    const std::string& text) {
  for (const auto& row : split(text, '\n'))
    for (const NoticeRule& rule : profile.notices)
      if (profile.rows.find(rule.pattern, row)) return rule.kind;
  const auto known = profile.hooks.errors.find(error);
  if (known == profile.hooks.errors.end()) return std::nullopt;
  return known->second;
}

std::string conversation_id(std::string text) {
  const bool fine = !text.empty() && text.size() <= kMaxIdBytes && text[0] != '-' &&
                    std::all_of(text.begin(), text.end(), [](char c) {
                      return valid_name(std::string_view(&c, 1)) || c == '-' || c == '.';
                    });
  return fine ? text : std::string();
}

std::string absolute_path(std::string text) {
  const bool fine = !text.empty() && text[0] == '/' && text.size() < kMaxPathBytes &&
                    std::none_of(text.begin(), text.end(), [](char c) {
                      return static_cast<unsigned char>(c) < ' ' || c == 0x7f;
                    });
  return fine ? text : std::string();
}

// A conversation's file is named after it. Whatever else a hook names is not read, and not put away: it may be any file of the user's.
static std::string transcript_of(const std::string& path, const std::string& id) {
  constexpr size_t kShortId = 8;  // Gemini's
  const bool ending = path.ends_with(".jsonl") || path.ends_with(".json");
  const std::string name = path.substr(path.rfind('/') + 1);
  const bool fits = !id.empty() && name.find(id.substr(0, kShortId)) != std::string::npos;
  return ending && fits ? path : std::string();
}

std::optional<HookWord> read_hook(const Profile& profile, std::string_view json) {
  if (json.size() > kMaxHookBytes) return std::nullopt;
  const auto parsed = Json::parse_shallow(json, kHookLimits);
  if (!parsed || !parsed->is_object()) return std::nullopt;
  HookWord hook;
  hook.event = first_of(*parsed, {"hook_event_name", "type"});
  if (hook.event.empty() || hook.event.size() > kMaxEventBytes || !printable(hook.event))
    return std::nullopt;
  if (aside(profile, *parsed)) return std::nullopt;
  hook.session_id = conversation_id(first_of(*parsed, {"session_id", "thread-id"}));
  hook.transcript =
      transcript_of(absolute_path(first_of(*parsed, {"transcript_path"})), hook.session_id);
  hook.cwd = absolute_path(first_of(*parsed, {"cwd"}));
  hook.kept = (*parsed)["stop_hook_active"].as_bool();
  const HookRule* rule = rule_for(profile, hook.event, *parsed);
  if (!rule) return hook;
  if (rule->means == Means::failure) {
    hook.error = conversation_id((*parsed)["error"].as_string());
    hook.text = first_of(*parsed, {"last_assistant_message", "error_details"});
    hook.notice = notice_of(profile, hook.error, hook.text);
  }
  hook.word = word_of(profile, *rule, hook, *parsed, json);
  hook.prompt = rule->means == Means::prompt && hook.word;
  if (hook.prompt)
    if (const auto whole = Json::parse_shallow(json, kPromptLimits))
      hook.prompt_text = (*whole)["prompt"].as_string();
  return hook;
}

}  // namespace pawl::perceive
