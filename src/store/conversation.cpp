#include "store/conversation.h"

#include "base/text.h"

namespace pawl::store {
namespace {

constexpr std::string_view kEnding = ".jsonl";
constexpr size_t kFiles = 1000;

void add(Disk& disk, const std::string& path, std::vector<ConversationFile>& out) {
  if (const auto plain = disk.plain_file(path)) out.push_back({path, plain->size, plain->modified});
}

constexpr std::string_view kId = "{conversation}";
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

// `steps` are what a name ends with, from `at` on: empty for any folder.
std::string find_in(Disk& disk, const std::string& folder, const std::vector<std::string>& steps,
                    size_t at, int& left) {
  if (left-- <= 0) return {};
  std::vector<std::string> names = disk.list_dir(folder);
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    if (!name->ends_with(steps[at])) continue;
    const std::string path = folder + "/" + *name;
    if (at + 1 == steps.size()) {
      if (disk.plain_file(path)) return path;
    } else if (disk.is_dir(path)) {
      if (auto found = find_in(disk, path, steps, at + 1, left); !found.empty()) return found;
    }
  }
  return {};
}

}  // namespace

std::string find_conversation(Disk& disk, const std::string& pattern,
                              const std::vector<std::string>& environment, const std::string& id) {
  if (id.empty() || id.find('/') != std::string::npos) return {};
  std::string path = expanded(pattern, environment);
  if (const size_t at = path.find(kId); at != std::string::npos) path.replace(at, kId.size(), id);
  const size_t first = path.find("/*");
  if (first == std::string::npos) return {};
  std::vector<std::string> steps = split(path.substr(first + 1), '/');
  for (auto& step : steps) {
    if (!step.starts_with('*')) return {};
    step.erase(0, 1);
  }
  int left = kFolders;
  return find_in(disk, path.substr(0, first), steps, 0, left);
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
