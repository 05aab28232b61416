#include "perceive/profile/catalog.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "perceive/profile/wrapper.h"

namespace pawl::perceive {

struct BuiltIn {
  const char* name;
  const char* text;
};
extern const BuiltIn kBuiltIn[];
extern const size_t kBuiltInCount;
extern const char* const kSharedPatterns;

namespace {

bool in(const std::vector<std::string>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// "…/node_modules/@openai/codex/bin/codex.js" contains "@openai/codex".
bool mentions(const std::vector<std::string>& argv, const std::vector<std::string>& words) {
  if (argv.empty() || !interpreter_name(program_name(argv[0]))) return false;
  for (size_t i = 1; i < argv.size() && i < 3; ++i)
    for (const auto& word : words)
      if (argv[i].find(word) != std::string::npos) return true;
  return false;
}

}  // namespace

Catalog Catalog::built_in() {
  Catalog catalog;
  for (size_t i = 0; i < kBuiltInCount; ++i) {
    const auto added = catalog.take(kBuiltIn[i].text, std::string(kBuiltIn[i].name) + ".toml");
    if (!added) check_failed(added.error().what.c_str(), kBuiltIn[i].name, 0);
  }
  catalog.index_rows();
  return catalog;
}

Result<std::string> Catalog::add(const std::string& text, const std::string& path) {
  auto added = take(text, path);
  if (added) index_rows();
  return added;
}

Result<std::string> Catalog::take(const std::string& text, const std::string& path) {
  auto profile = parse_profile(text, path, kSharedPatterns);
  if (!profile) return tl::unexpected(profile.error());
  profiles_.push_back(std::move(*profile));
  names_[profiles_.back().name] = &profiles_.back();
  if (profiles_.back().name == "generic") generic_text_ = text;
  return profiles_.back().name;
}

Result<Profile> Catalog::generic_with(const std::string& head, const std::string& rows) const {
  return parse_profile(head + generic_text_ + rows, "generic.toml", kSharedPatterns);
}

const Profile* Catalog::find(std::string_view name) const {
  const auto it = names_.find(name);
  return it == names_.end() ? nullptr : it->second;
}

std::vector<std::string> Catalog::names() const {
  std::vector<std::string> out;
  for (const auto& [name, profile] : names_) out.push_back(name);
  return out;
}

const Profile* Catalog::by_process(const Facts& facts) const {
  for (const auto& [name, profile] : names_)
    if (in(profile->recognise.processes, facts.front) ||
        in(profile->recognise.processes, facts.busiest) ||
        mentions(facts.argv, profile->recognise.arguments))
      return profile;
  return nullptr;
}

const Profile* Catalog::by_command(const std::vector<std::string>& argv) const {
  const size_t at = program_at(argv);
  if (at >= argv.size()) return nullptr;
  const bool script = argv.size() > at + 1 && interpreter_name(program_name(argv[at]));
  const std::string program(program_name(script ? argv[at + 1] : argv[at]));
  for (const auto& [name, profile] : names_)
    if (in(profile->recognise.processes, program) || mentions(argv, profile->recognise.arguments))
      return profile;
  return nullptr;
}

const Profile* Catalog::by_app(std::string_view app) const {
  for (const auto& [name, profile] : names_)
    if (in(profile->recognise.apps, app)) return profile;
  return nullptr;
}

const Profile* Catalog::by_title(const std::string& title) const {
  if (title.empty()) return nullptr;
  for (const auto& [name, profile] : names_)
    for (const int pattern : profile->recognise.titles)
      if (profile->titles.find(pattern, title)) return profile;
  return nullptr;
}

const Profile* Catalog::by_row(const std::string& row) const {
  if (row.empty()) return nullptr;
  const Matches found = marks_.match(row);
  for (size_t i = 0; found.any() && i < owners_.size(); ++i)
    if (found.test(i)) return owners_[i];
  return nullptr;
}

// All marks in one set: a row is read once, whatever the number of profiles. Those beyond its limit are not searched for.
void Catalog::index_rows() {
  marks_ = Patterns();
  owners_.clear();
  for (const auto& [name, profile] : names_)
    for (const int pattern : profile->recognise.screen)
      if (marks_.add(profile->rows.text(pattern))) owners_.push_back(profile);
  (void)marks_.compile();  // each of them compiled alone
}

}  // namespace pawl::perceive
