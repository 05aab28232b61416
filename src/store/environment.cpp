#include "store/environment.h"

#include <fmt/core.h>

#include <map>

#include "base/text.h"

namespace pawl::store {
namespace {

bool name_character(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

std::string_view unquoted(std::string_view value) {
  if (value.size() >= 2 && (value[0] == '"' || value[0] == '\'') && value.back() == value[0])
    return value.substr(1, value.size() - 2);
  return value;
}

}  // namespace

Result<std::vector<std::string>> parse_env_file(const std::string& text, const std::string& path) {
  std::vector<std::string> entries;
  int number = 0;
  for (const auto& raw : split(text, '\n')) {
    ++number;
    std::string_view line = trim(raw);
    if (line.empty() || line[0] == '#') continue;
    if (line.starts_with("export ")) line = trim(line.substr(7));
    const size_t equals = line.find('=');
    const std::string_view name = trim(line.substr(0, equals));
    bool fine =
        equals != std::string_view::npos && !name.empty() && !(name[0] >= '0' && name[0] <= '9');
    for (const char c : name) fine = fine && name_character(c);
    if (!fine)
      return fail(fmt::format("{}:{}: not NAME=value", path, number),
                  "correct the line or comment it out with #");
    entries.push_back(fmt::format("{}={}", name, unquoted(trim(line.substr(equals + 1)))));
  }
  return entries;
}

std::vector<std::string> merge_environment(const std::vector<std::string>& base,
                                           const std::vector<std::string>& over) {
  std::map<std::string, std::string> merged;
  for (const auto* list : {&base, &over})
    for (const auto& entry : *list)
      if (const size_t equals = entry.find('='); equals != std::string::npos && equals > 0)
        merged[entry.substr(0, equals)] = entry.substr(equals + 1);
  std::vector<std::string> out;
  for (const auto& [name, value] : merged) out.push_back(name + "=" + value);
  return out;
}

Done save_environment(Disk& disk, const std::string& agent_dir,
                      const std::vector<std::string>& environment) {
  if (auto made = disk.make_private_dir(agent_dir); !made) return made;
  std::string text;
  for (const auto& entry : environment) (text += entry) += '\0';
  return disk.write_atomically(agent_dir + "/" + kEnvironmentName, text);
}

Result<std::vector<std::string>> load_environment(Disk& disk, const std::string& agent_dir) {
  const auto text = disk.read_file(agent_dir + "/" + kEnvironmentName);
  if (!text) return tl::unexpected(text.error());
  auto entries = split(*text, '\0');
  if (!entries.empty() && entries.back().empty()) entries.pop_back();
  return entries;
}

}  // namespace pawl::store
