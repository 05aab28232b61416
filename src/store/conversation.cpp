#include "store/conversation.h"

#include <algorithm>
#include <cctype>
#include <functional>

#include "base/text.h"

namespace pawl::store {
namespace {

constexpr std::string_view kEnding = ".jsonl";
constexpr size_t kFiles = 1000;

void add(Disk& disk, const std::string& path, std::vector<ConversationFile>& out) {
  if (const auto plain = disk.plain_file(path)) out.push_back({path, plain->size, plain->modified});
}

constexpr std::string_view kId = "{conversation}", kShortId = "{conversation8}",
                           kFolder = "{folder}", kCwd = "{cwd}";
constexpr size_t kShort = 8;
constexpr int kFolders = 400;  // looked into

std::string variable(const std::vector<std::string>& environment, const std::string& name) {
  for (const auto& entry : environment)
    if (entry.starts_with(name + "=")) return entry.substr(name.size() + 1);
  return {};
}

// "{$NAME|else}" at the beginning and "~", as the agent's environment has them.
std::string expanded(std::string path, const std::vector<std::string>& environment) {
  if (path.starts_with("{$")) {
    const size_t bar = path.find('|'), end = path.find('}');
    if (bar > end || end == std::string::npos) return {};
    const std::string value = variable(environment, path.substr(2, bar - 2));
    path.replace(0, end + 1, value.empty() ? path.substr(bar + 1, end - bar - 1) : value);
  }
  if (path.starts_with("~/")) path.replace(0, 1, variable(environment, "HOME"));
  return path.starts_with('/') ? path : std::string();
}

void fill(std::string& path, std::string_view what, const std::string& with) {
  if (const size_t at = path.find(what); at != std::string::npos)
    path.replace(at, what.size(), with);
}

// "a*b" is any name that begins and ends so; without a * it is that name.
bool fits(const std::string& step, const std::string& name) {
  const size_t star = step.find('*');
  if (star == std::string::npos) return name == step;
  return name.size() + 1 >= step.size() && name.starts_with(step.substr(0, star)) &&
         name.ends_with(step.substr(star + 1));
}

bool usable(const std::string& id) {
  return !id.empty() && id.find('/') == std::string::npos;
}

using Visit = std::function<bool(const std::string& path)>;  // true: no more

// Every path that fits, the newest by name first.
bool walk(Disk& disk, const std::string& folder, const std::vector<std::string>& steps, size_t at,
          int& left, const Visit& visit) {
  if (left-- <= 0) return true;
  std::vector<std::string> names = disk.list_dir(folder);
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    if (!fits(steps[at], *name)) continue;
    const std::string path = folder + "/" + *name;
    const bool last = at + 1 == steps.size();
    if (last ? visit(path) : disk.is_dir(path) && walk(disk, path, steps, at + 1, left, visit))
      return true;
  }
  return false;
}

void walk(Disk& disk, const std::string& path, const Visit& visit) {
  const size_t star = path.find('*');
  if (star == std::string::npos || !path.starts_with('/')) return;
  const size_t first = path.rfind('/', star);
  int left = kFolders;
  walk(disk, path.substr(0, first), split(path.substr(first + 1), '/'), 0, left, visit);
}

}  // namespace

std::string find_conversation(Disk& disk, const std::string& pattern,
                              const std::vector<std::string>& environment, const std::string& id) {
  if (!usable(id)) return {};
  std::string path = expanded(pattern, environment);
  fill(path, "/{conversation}", "/*" + id);  // a time may be before it
  fill(path, kId, id);
  fill(path, kShortId, id.substr(0, kShort));
  fill(path, kFolder, "*");
  fill(path, kCwd, "*");
  std::string found;
  walk(disk, path, [&](const std::string& one) {
    if (disk.plain_file(one)) found = one;
    return !found.empty();
  });
  return found;
}

std::vector<ConversationFile> newest_conversations(Disk& disk, const std::string& pattern,
                                                   const std::vector<std::string>& environment,
                                                   WallTime since) {
  std::vector<ConversationFile> out;
  std::string path = expanded(pattern, environment);
  const size_t id = path.find(kId), name = path.rfind('/');
  if (id == std::string::npos || name > id) return out;
  path.replace(name + 1, id + kId.size() - name - 1, "*");
  int left = kNewestLooked;
  walk(disk, path, [&](const std::string& one) {
    add(disk, one, out);
    if (!out.empty() && out.back().path == one && out.back().modified < since) out.pop_back();
    return --left == 0;
  });
  return out;
}

std::string planned_conversation(const std::string& pattern,
                                 const std::vector<std::string>& environment, const std::string& id,
                                 const std::string& dir) {
  if (!usable(id)) return {};
  std::string path = expanded(pattern, environment);
  std::string folder = dir.starts_with('/') ? dir.substr(1) : dir;
  std::replace(folder.begin(), folder.end(), '/', '-');
  fill(path, kId, id);
  fill(path, kFolder, folder);
  return path.find_first_of("*{") == std::string::npos ? path : std::string();
}

namespace {

// What stands for `step` of the pattern, where `name` stood.
std::string step_here(std::string step, const std::string& dir, const std::string& name) {
  std::string folder = dir.starts_with('/') ? dir.substr(1) : dir, cwd = dir;
  std::replace(folder.begin(), folder.end(), '/', '-');
  for (char& c : cwd)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '-';
  fill(step, kFolder, folder);
  fill(step, kCwd, cwd);
  const bool open = step.find_first_of("*{") != std::string::npos;
  if (!open) return step;
  return name == ".." || name == "." || name.find('\0') != std::string::npos ? "" : name;
}

}  // namespace

std::string arriving_conversation(const std::string& pattern,
                                  const std::vector<std::string>& environment,
                                  const std::string& dir, const std::string& source) {
  const std::string path = expanded(pattern, environment);
  const size_t first = std::min(path.find('*'), path.find('{'));
  if (first == std::string::npos) return {};
  const size_t base = path.rfind('/', first);
  const std::vector<std::string> steps = split(path.substr(base + 1), '/'),
                                 names = split(source, '/');
  if (names.size() < steps.size()) return {};
  std::string out = path.substr(0, base);
  for (size_t i = 0; i < steps.size(); ++i) {
    const std::string step = step_here(steps[i], dir, names[names.size() - steps.size() + i]);
    if (step.empty()) return {};
    out += "/" + step;
  }
  return out;
}

std::vector<ConversationFile> conversation_files(Disk& disk, const std::string& transcript) {
  std::vector<ConversationFile> out;
  if (transcript.empty()) return out;
  add(disk, transcript, out);
  if (!transcript.ends_with(kEnding)) return out;
  const std::string folder =
      transcript.substr(0, transcript.size() - kEnding.size()) + "/subagents";
  for (const auto& name : disk.list_dir(folder))
    if (name.ends_with(kEnding) && out.size() < kFiles) add(disk, folder + "/" + name, out);
  return out;
}

std::string read_on(Disk& disk, const ConversationFile& file, uint64_t offset, size_t limit) {
  return disk.read_slice(file.path, offset, limit);
}

}  // namespace pawl::store
