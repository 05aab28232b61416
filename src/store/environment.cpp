#include "store/environment.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/sha256.h"
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

// What no program does without.
constexpr std::string_view kMinimal[] = {"PATH", "HOME", "USER", "LOGNAME", "SHELL",
                                         "LANG", "LC_*", "TERM", "TZ",      "XDG_*"};

// A * at the end is anything.
bool matches(std::string_view name, std::string_view pattern) {
  if (!pattern.ends_with('*')) return name == pattern;
  return name.starts_with(pattern.substr(0, pattern.size() - 1));
}

bool wanted(std::string_view name, const std::vector<std::string>& keep) {
  const auto fits = [&](std::string_view pattern) { return matches(name, pattern); };
  return std::any_of(std::begin(kMinimal), std::end(kMinimal), fits) ||
         std::any_of(keep.begin(), keep.end(), fits);
}

// "=" and the 64 digits of a common part.
constexpr size_t kMarkBytes = 66;

std::string joined(const std::vector<std::string>& entries) {
  std::string text;
  for (const auto& entry : entries) (text += entry) += '\0';
  return text;
}

std::vector<std::string> entries_of(const std::string& text) {
  auto entries = split(text, '\0');
  if (!entries.empty() && entries.back().empty()) entries.pop_back();
  return entries;
}

// Nobody's file is named by what a caller has in its environment.
bool a_digest(const std::string& text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// The same name and value in both, and the rest of the first. What has no name is left out: it would be taken for a mark.
struct Parts {
  std::vector<std::string> common, own;
};
Parts parted(const std::vector<std::string>& environment, const std::vector<std::string>& daemons) {
  const std::set<std::string_view> known(daemons.begin(), daemons.end());
  Parts out;
  if (environment == std::vector<std::string>{kDaemonsOwn}) out.own = environment;
  for (const auto& entry : environment)
    if (!entry.starts_with(kDaemonsOwn))
      (known.contains(entry) ? out.common : out.own).push_back(entry);
  std::sort(out.common.begin(), out.common.end());  // whoever has the same shares it
  return out;
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

std::vector<std::string> selected_environment(const model::AgentSpec& spec,
                                              const std::vector<std::string>& environment) {
  if (spec.env != "minimal") return environment;
  std::vector<std::string> out;
  for (const auto& entry : environment)
    if (entry == kDaemonsOwn || wanted(entry.substr(0, entry.find('=')), spec.env_keep))
      out.push_back(entry);
  return out;
}

std::string Environments::file_of(const std::string& agent) const {
  return agents_ + "/" + agent + "/" + kEnvironmentName;
}

Done Environments::save(const std::string& agent,
                        const std::vector<std::string>& environment) const {
  if (auto made = disk_.make_private_dir(agents_ + "/" + agent); !made) return made;
  const std::string before = common_of(agent);
  Parts parts = parted(environment, disk_.own_environment());
  std::string digest;
  if (!parts.common.empty()) {
    const std::string text = joined(parts.common);
    digest = sha256_hex(text);
    if (auto made = disk_.make_private_dir(common_); !made) return made;
    if (!disk_.plain_file(common_ + "/" + digest))
      if (auto kept = disk_.write_atomically(common_ + "/" + digest, text); !kept) return kept;
    parts.own.insert(parts.own.begin(), kDaemonsOwn + digest);
  }
  if (auto kept = disk_.write_atomically(file_of(agent), joined(parts.own)); !kept) return kept;
  if (before != digest) drop_unused(before);
  return {};
}

Result<std::vector<std::string>> Environments::load(const std::string& agent) const {
  const auto text = disk_.read_file(file_of(agent));
  if (!text) return tl::unexpected(text.error());
  auto own = entries_of(*text);
  if (own.empty() || !own.front().starts_with(kDaemonsOwn)) return own;
  const std::string digest = own.front().substr(1);
  own.erase(own.begin());
  if (digest.empty()) return merge_environment(disk_.own_environment(), own);
  // Somebody deleted it: its own part is better than nothing.
  const auto common = a_digest(digest) ? disk_.read_file(common_ + "/" + digest)
                                       : Result<std::string>(fail("no digest"));
  return merge_environment(common ? entries_of(*common) : disk_.own_environment(), own);
}

void Environments::narrow(const model::AgentSpec& spec) const {
  if (spec.env != "minimal") return;
  const std::string nothing = joined({kDaemonsOwn});
  if (disk_.read_slice(file_of(spec.name), 0, nothing.size()) == nothing) return;
  const auto whole = load(spec.name);
  if (!whole) return;
  const auto less = selected_environment(spec, *whole);
  if (less.size() < whole->size()) (void)save(spec.name, less);
}

std::string Environments::common_of(const std::string& agent) const {
  const std::string text = disk_.read_slice(file_of(agent), 0, kMarkBytes);
  return text.starts_with(kDaemonsOwn) ? text.substr(1, text.find('\0') - 1) : std::string();
}

void Environments::drop_unused(const std::string& digest) const {
  if (!a_digest(digest)) return;
  for (const auto& agent : disk_.list_dir(agents_))
    if (common_of(agent) == digest) return;
  disk_.remove_file(common_ + "/" + digest);
}

void Environments::drop_all_unused() const {
  const auto all = disk_.list_dir(common_);
  std::set<std::string> unused(all.begin(), all.end());
  for (const auto& agent : disk_.list_dir(agents_)) {
    if (unused.empty()) return;  // most share one: not all of ten thousands are looked at
    unused.erase(common_of(agent));
  }
  for (const auto& name : unused) disk_.remove_file(common_ + "/" + name);
}

}  // namespace pawl::store
