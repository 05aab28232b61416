#include "perceive/profile/launch.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/json.h"
#include "base/text.h"
#include "perceive/profile/facts.h"
#include "perceive/profile/wrapper.h"

namespace pawl::perceive {
namespace {

constexpr int kHookTimeoutS = 5;  // ours are done in a hundredth of that
constexpr size_t kLookAt = 3;     // arguments among which a script's name is looked for

bool one_of(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// Where the program's own arguments begin; 0 when that is not clear.
size_t arguments_at(const Profile& profile, const std::vector<std::string>& argv) {
  const size_t at = program_at(argv);
  if (at >= argv.size()) return 0;
  if (one_of(profile.recognise.processes, program_name(argv[at]))) return at + 1;
  if (!interpreter_name(program_name(argv[at]))) return 0;
  for (size_t i = at + 1; i < argv.size() && i < at + kLookAt; ++i)
    for (const auto& word : profile.recognise.arguments)
      if (argv[i].find(word) != std::string::npos) return i + 1;
  return 0;
}

// "--settings" is also found in "--settings=x", "notify=" in "notify=[]".
bool collides(const std::vector<std::string>& unless, const std::string& argument) {
  return std::any_of(unless.begin(), unless.end(), [&](const std::string& word) {
    return argument == word || argument.starts_with(word.ends_with('=') ? word : word + "=");
  });
}

// Both TOML and JSON read it back as it was.
std::string escaped(const std::string& text) {
  const std::string quoted = Json(text).dump();
  return quoted.substr(1, quoted.size() - 2);
}

// Whatever becomes of our program meanwhile, the agent's hook succeeds and says nothing.
std::string hooks_json(const Profile& profile, const Caller& caller) {
  const std::string command =
      shell_quoted(caller.pawl) + " hook " + profile.name + " 2>/dev/null || :";
  Json hooks = Json::object();
  for (const HookRule& rule : profile.hook_rules) {
    if (hooks.has(rule.event)) continue;
    Json call =
        Json::object({{"type", "command"}, {"command", command}, {"timeout", kHookTimeoutS}});
    hooks.set(rule.event, Json::Array{Json::object({{"hooks", Json::Array{std::move(call)}}})});
  }
  return Json::object({{"hooks", std::move(hooks)}}).dump();
}

std::string filled_in(const std::string& text, const Profile& profile, const Caller& caller) {
  const std::array<std::pair<std::string_view, std::string>, 5> values{{
      {"{hooks_json}", hooks_json(profile, caller)},
      {"{pawl}", escaped(caller.pawl)},
      {"{home}", escaped(caller.home)},
      {"{agent}", escaped(caller.agent)},
      {"{session}", std::to_string(caller.session.value)},
  }};
  std::string out;
  for (size_t at = 0; at < text.size();) {  // once, from the left: a value is not filled in again
    const auto found = std::find_if(values.begin(), values.end(), [&](const auto& value) {
      return text.compare(at, value.first.size(), value.first) == 0;
    });
    if (found == values.end()) {
      out += text[at++];
    } else {
      out += found->second;
      at += found->first.size();
    }
  }
  return out;
}

// The command line with these arguments, unless the user's own choose a conversation.
std::vector<std::string> chosen_for(const LaunchLines& lines, std::vector<std::string> argv,
                                    size_t at, std::vector<std::string> more,
                                    const Conversation& its) {
  std::vector<std::string> unless = lines.resume_unless;
  std::copy_if(lines.resume.begin(), lines.resume.end(), std::back_inserter(unless),
               [](const std::string& word) { return word.starts_with('-'); });
  for (auto& text : more) {
    if (text == "{session_id}")
      text = its.id;
    else if (text == "{file}")
      text = its.file.empty() ? its.id : its.file;
    else
      unless.push_back(text);
  }
  const auto begin = argv.begin() + static_cast<std::ptrdiff_t>(at);
  if (std::any_of(begin, argv.end(), [&](const auto& own) { return collides(unless, own); }))
    return argv;
  argv.insert(begin, more.begin(), more.end());
  return argv;
}

// Some programs say it in other words without an interface.
const PermissionLines& task_permission(const Profile& profile) {
  return profile.task_permission.modes.empty() ? profile.permission : profile.task_permission;
}

std::string unfulfilled(const Profile& profile, const PermissionLines& lines,
                        const Wishes& wishes) {
  const auto& modes = lines.modes;
  const std::string& mode = wishes.permission;
  if (!mode.empty() && mode != "default" && modes.find(mode) == modes.end()) {
    std::vector<std::string> known;
    for (const auto& [name, arguments] : modes) known.push_back(name);
    return profile.name + " has no permission mode " + mode +
           (known.empty() ? "" : " (it has default, " + join(known, ", ") + ")");
  }
  if (!wishes.model.empty() && profile.launch.model.empty())
    return "how " + profile.name + " is told its model is not known";
  return {};
}

}  // namespace

const Profile* profile_of(const Catalog& catalog, const std::string& runtime,
                          const std::vector<std::string>& argv) {
  const Profile* given = catalog.find(runtime);
  return given && given != &catalog.generic() ? given : catalog.by_command(argv);
}

std::vector<std::string> with_hooks(const Profile& profile, std::vector<std::string> argv,
                                    const Caller& caller) {
  const size_t at = arguments_at(profile, argv);
  if (at == 0 || profile.hooks.arguments.empty()) return argv;
  if (std::any_of(argv.begin() + static_cast<std::ptrdiff_t>(at), argv.end(),
                  [&](const auto& argument) { return collides(profile.hooks.unless, argument); }))
    return argv;
  std::vector<std::string> more;
  for (const auto& text : profile.hooks.arguments) more.push_back(filled_in(text, profile, caller));
  argv.insert(argv.begin() + static_cast<std::ptrdiff_t>(at), more.begin(), more.end());
  return argv;
}

std::vector<std::string> login_probe(const Profile& profile, const std::vector<std::string>& argv) {
  const size_t at = arguments_at(profile, argv);
  const auto& probe = profile.launch.login_probe;
  if (at == 0 || probe.empty()) return {};
  std::vector<std::string> out(argv.begin(), argv.begin() + static_cast<std::ptrdiff_t>(at));
  out.insert(out.end(), probe.begin() + 1, probe.end());
  return out;
}

std::vector<std::string> resuming(const Profile& profile, std::vector<std::string> argv,
                                  const Conversation& its) {
  const LaunchLines& lines = profile.launch;
  size_t at = arguments_at(profile, argv), word = 1;
  if (at == 0 || lines.resume.size() < 2) return argv;
  // "goose session" goes on as "goose session --resume …".
  while (at < argv.size() && word < lines.start.size() && word < lines.resume.size() &&
         argv[at] == lines.resume[word] && lines.start[word] == lines.resume[word]) {
    ++at;
    ++word;
  }
  if (at < argv.size() && !argv[at].starts_with('-') && one_of(lines.batch, argv[at])) return argv;
  return chosen_for(lines, std::move(argv), at,
                    {lines.resume.begin() + static_cast<std::ptrdiff_t>(word), lines.resume.end()},
                    its);
}

std::vector<std::string> naming(const Profile& profile, std::vector<std::string> argv,
                                const Conversation& its) {
  const LaunchLines& lines = profile.launch;
  const size_t at = arguments_at(profile, argv);
  if (at == 0 || lines.name.empty()) return argv;
  const bool needs_file = one_of(lines.name, "{file}");
  if (its.id.empty() || (needs_file && its.file.empty())) return argv;
  return chosen_for(lines, std::move(argv), at, lines.name, its);
}

std::vector<std::string> with_wishes(const Profile& profile, std::vector<std::string> argv,
                                     const Wishes& wishes) {
  const size_t at = arguments_at(profile, argv);
  if (at == 0) return argv;
  std::vector<std::string> more;
  const auto add = [&](const std::vector<std::string>& arguments,
                       const std::vector<std::string>& unless) {
    const bool chosen = std::any_of(argv.begin() + static_cast<std::ptrdiff_t>(at), argv.end(),
                                    [&](const auto& own) { return collides(unless, own); });
    if (chosen) return;
    for (const auto& text : arguments) more.push_back(text == "{model}" ? wishes.model : text);
  };
  const auto& modes = profile.permission.modes;
  if (const auto mode = modes.find(wishes.permission); mode != modes.end())
    add(mode->second, profile.permission.unless);
  if (!wishes.model.empty()) add(profile.launch.model, profile.launch.model_unless);
  argv.insert(argv.begin() + static_cast<std::ptrdiff_t>(at), more.begin(), more.end());
  return argv;
}

std::vector<std::string> task_line(const Profile& profile, const std::vector<std::string>& line,
                                   const Wishes& wishes) {
  const auto& modes = task_permission(profile).modes;
  std::vector<std::string> out;
  for (const auto& item : line) {
    if (item == "{permission}") {
      if (const auto mode = modes.find(wishes.permission); mode != modes.end())
        out.insert(out.end(), mode->second.begin(), mode->second.end());
    } else if (item == "{model}") {
      if (!wishes.model.empty())
        for (const auto& text : profile.launch.model)
          out.push_back(text == "{model}" ? wishes.model : text);
    } else {
      out.push_back(item);
    }
  }
  return out;
}

std::string unfulfilled(const Profile& profile, const Wishes& wishes) {
  return unfulfilled(profile, profile.permission, wishes);
}

std::string unfulfilled_task(const Profile& profile, const Wishes& wishes) {
  return unfulfilled(profile, task_permission(profile), wishes);
}

std::vector<std::string> terminal_wishes(const Profile& profile,
                                         const std::vector<std::string>& users) {
  std::vector<std::string> out;
  for (const auto& wish : profile.launch.environment) {
    const std::string name = wish.substr(0, wish.find('=') + 1);
    std::string entry = wish;
    for (const auto& own : users)
      if (own.starts_with(name)) entry = own;
    out.push_back(std::move(entry));
  }
  return out;
}

}  // namespace pawl::perceive
