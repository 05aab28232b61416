#include "store/agent_files.h"

#include <fmt/core.h>

#include <charconv>

#include "base/text.h"
#include "os/file.h"
#include "store/environment.h"
#include "store/inbox.h"
#include "store/recording_reader.h"

namespace pawl::store {
namespace {

constexpr std::string_view kClaim = ".wake";
constexpr std::string_view kDraft = "draft-";
constexpr const char* kGiven = ".given";
constexpr size_t kModeBytes = 4096;
constexpr size_t kTimeBytes = 64;     // a time is not longer
constexpr double kLastSecond = 1e11;  // what is larger are milliseconds

// What is a number, with this ending.
std::vector<uint64_t> numbers_in(Disk& disk, const std::string& folder, std::string_view ending) {
  std::vector<uint64_t> numbers;
  for (const auto& name : disk.list_dir(folder)) {
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc{} &&
        std::string_view(end, static_cast<size_t>(name.data() + name.size() - end)) == ending)
      numbers.push_back(number);
  }
  return numbers;
}

// Seconds or milliseconds since the epoch, or RFC 3339.
std::optional<WallTime> time_in(const std::string& text) {
  WallTime time;
  if (parse_rfc3339(text, time)) return time;
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc{} || end != text.data() + text.size() || seconds <= 0 ||
      seconds > kLastSecond * 1000)
    return std::nullopt;
  if (seconds > kLastSecond) seconds /= 1000;
  return WallTime{std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds))};
}

}  // namespace

Done AgentFiles::save_environment(const std::string& agent,
                                  const std::vector<std::string>& environment) const {
  return Environments(*disk_, home_).save(agent, environment);
}

std::vector<std::string> AgentFiles::environment(const model::AgentSpec& spec) const {
  return selected_environment(
      spec, Environments(*disk_, home_).load(spec.name).value_or(disk_->own_environment()));
}

void AgentFiles::narrow_environment(const model::AgentSpec& spec) const {
  Environments(*disk_, home_).narrow(spec);
}

void AgentFiles::drop_unused_environments() const {
  Environments(*disk_, home_).drop_all_unused();
}

Result<std::vector<std::string>> AgentFiles::env_file(const model::AgentSpec& spec) const {
  if (spec.env_file.empty()) return std::vector<std::string>{};
  const std::string path = os::absolute(spec.env_file, spec.dir);
  const auto text = disk_->read(path, kEnvBytes);
  if (!text)
    return fail("the env file of '" + spec.name + "': " + text.error().what,
                text.error().fix.empty() ? "create it, or drop env_file" : text.error().fix);
  return parse_env_file(*text, path);
}

std::optional<std::string> AgentFiles::env_value(const model::AgentSpec& spec,
                                                 const std::string& name) const {
  model::AgentSpec with = spec;
  if (with.env_file.empty()) with.env_file = kDefaultEnvName;
  const auto entries = env_file(with);
  if (!entries) return std::nullopt;
  std::optional<std::string> found;
  for (const auto& entry : *entries)
    if (entry.starts_with(name + "=")) found = entry.substr(name.size() + 1);
  return found;
}

std::string AgentFiles::standing_prompt(const model::AgentSpec& spec, size_t limit) const {
  std::string text = spec.prompt;
  if (!spec.prompt_file.empty())
    text = disk_->read_file(os::absolute(spec.prompt_file, spec.dir)).value_or(spec.prompt);
  if (text.size() > limit) text.resize(limit);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

Done AgentFiles::put_text(const std::string& agent, uint64_t item, const std::string& text) const {
  if (auto made = disk_->make_private_dir(outbox(agent)); !made) return made;
  return disk_->write_atomically(outbox(agent) + "/" + std::to_string(item), text);
}

Result<std::string> AgentFiles::text(const std::string& agent, uint64_t item) const {
  return disk_->read_file(outbox(agent) + "/" + std::to_string(item));
}

void AgentFiles::forget_text(const std::string& agent, uint64_t item) const {
  disk_->remove_file(outbox(agent) + "/" + std::to_string(item));
}

std::vector<uint64_t> AgentFiles::texts(const std::string& agent) const {
  return numbers_in(*disk_, outbox(agent), "");
}

void AgentFiles::tidy(const std::string& agent, const std::set<uint64_t>& waiting) const {
  for (const auto& name : disk_->list_dir(dir(agent)))
    if (name.starts_with(kDraft) && name.ends_with(".new"))
      disk_->remove_file(dir(agent) + "/" + name);
  std::set<std::string> kept;
  for (const uint64_t item : waiting) kept.insert(std::to_string(item));
  for (const auto& name : disk_->list_dir(outbox(agent)))
    if (!kept.count(name) && !name.ends_with(kClaim))
      disk_->remove_file(outbox(agent) + "/" + name);
}

Result<std::string> AgentFiles::keep_draft(const std::string& agent, uint64_t number,
                                           const std::string& draft) const {
  if (auto made = disk_->make_private_dir(dir(agent)); !made) return tl::unexpected(made.error());
  const std::string path = draft_file(agent, number);
  if (auto kept = disk_->write_atomically(path, draft); !kept) return tl::unexpected(kept.error());
  return path;
}

std::string AgentFiles::kept_draft(const std::string& agent, uint64_t number) const {
  return disk_->read_file(draft_file(agent, number)).value_or("");
}

std::string AgentFiles::draft_file(const std::string& agent, uint64_t number) const {
  return dir(agent) + "/" + std::string(kDraft) + std::to_string(number) + ".txt";
}

void AgentFiles::forget_draft(const std::string& path) const {
  disk_->remove_file(path);
}

bool AgentFiles::claim_wakeup(const std::string& agent, uint64_t item) const {
  const std::string path = dir(agent) + "/" + kWakeupName;
  if (!disk_->plain_file(path) || !disk_->make_private_dir(outbox(agent))) return false;
  return disk_->move_file(path, claim(agent, item));
}

void AgentFiles::wakeup_to_inbox(const std::string& agent, uint64_t item) const {
  const std::string path = dir(agent) + "/" + kWakeupName;
  if (!disk_->plain_file(path) || !disk_->make_private_dir(inbox(agent))) return;
  (void)disk_->move_file(path, inbox(agent) + "/wakeup-" + std::to_string(item) + ".md");
}

std::vector<uint64_t> AgentFiles::claims(const std::string& agent) const {
  return numbers_in(*disk_, outbox(agent), kClaim);
}

std::string AgentFiles::claim(const std::string& agent, uint64_t item) const {
  return outbox(agent) + "/" + std::to_string(item) + std::string(kClaim);
}

std::string AgentFiles::aside(const std::string& agent, uint64_t item) const {
  return dir(agent) + "/wakeup-" + std::to_string(item) + ".txt";
}

AgentFiles::Claimed AgentFiles::claimed(const std::string& agent, uint64_t item,
                                        uint64_t limit) const {
  const std::string path = claim(agent, item);
  if (const auto file = disk_->plain_file(path); file && file->size > limit)
    return {{}, aside(agent, item)};
  return {disk_->read(path, limit).value_or(""), {}};
}

void AgentFiles::forget_claim(const std::string& agent, uint64_t item, uint64_t limit) const {
  const std::string path = claim(agent, item);
  if (const auto file = disk_->plain_file(path); file && file->size > limit)
    disk_->move_file(path, aside(agent, item));
  else
    disk_->remove_file(path);
}

std::optional<WallTime> AgentFiles::last_human(const std::string& agent) const {
  std::optional<WallTime> last;
  if (const auto key = disk_->plain_file(dir(agent) + "/" + kKeyName)) last = key->modified;
  const std::string path = dir(agent) + "/" + kHumanName;
  const auto file = disk_->plain_file(path);
  if (!file) return last;
  if (file->size == 0) return std::max(last, std::optional(file->modified));
  const auto told = time_in(std::string(trim(disk_->read_slice(path, 0, kTimeBytes))));
  return std::max(last, std::optional(told.value_or(file->modified)));
}

std::string AgentFiles::shown() const {
  return disk_->read_file(home_ + "/" + kShownName).value_or("");
}

Done AgentFiles::keep_shown(const std::string& text) const {
  return disk_->write_atomically(home_ + "/" + kShownName, text);
}

void AgentFiles::mark_key(const std::string& agent) const {
  disk_->touch(dir(agent) + "/" + kKeyName);
}

std::optional<std::string> AgentFiles::owner_of(SessionId session) const {
  for (const auto& name : disk_->list_dir(agents_))
    for (const auto& part : parts_in(*disk_, recordings(name)))
      if (part.session == session) return name;
  return std::nullopt;
}

Done AgentFiles::keep_inbox(const std::string& agent) const {
  const Inbox work(*disk_, inbox(agent));
  if (work.waiting().empty() && work.claimed().empty()) return {};
  std::string kept = archive(agent) + ".inbox";
  for (int n = 2; disk_->exists(kept); ++n) kept = archive(agent) + fmt::format(".inbox-{}", n);
  if (auto made = disk_->make_private_dir(archives_); !made) return made;
  if (disk_->move_file(inbox(agent), kept)) return {};
  return fail("the inbox of '" + agent + "' cannot be kept as " + kept, "move it away yourself");
}

Done AgentFiles::remove(const std::string& agent) const {
  if (auto kept = keep_inbox(agent); !kept) return kept;
  const Environments kept(*disk_, home_);
  const std::string common = kept.common_of(agent);
  if (auto removed = disk_->remove_tree(dir(agent)); !removed) return removed;
  kept.drop_unused(common);
  return {};
}

std::optional<std::set<std::string>> AgentFiles::seen_work(const std::string& agent) const {
  const auto text = disk_->read_file(dir(agent) + "/" + kSeenName);
  if (!text) return std::nullopt;
  std::set<std::string> lines;
  for (auto& line : split(*text, '\n')) lines.insert(std::move(line));
  return lines;
}

Done AgentFiles::keep_seen_work(const std::string& agent,
                                const std::map<std::string, std::string>& ledger) const {
  std::string text;
  for (const auto& [name, fingerprint] : ledger) text += name + ":" + fingerprint + "\n";
  return disk_->write_atomically(dir(agent) + "/" + kSeenName, text);
}

void AgentFiles::keep_given_text(const std::string& agent, const std::string& text) const {
  (void)disk_->write_atomically(dir(agent) + "/" + kGiven, text);
}

std::string AgentFiles::given_text(const std::string& agent) const {
  return disk_->read_file(dir(agent) + "/" + kGiven).value_or("");
}

std::optional<std::string> AgentFiles::permission(const std::string& agent) const {
  const std::string path = dir(agent) + "/" + kModeName;
  if (!disk_->plain_file(path)) return std::nullopt;
  return disk_->read_slice(path, 0, kModeBytes);
}

Done AgentFiles::keep_permission(const std::string& agent, const std::string& mode) const {
  const std::string path = dir(agent) + "/" + kModeName;
  if (!disk_->exists(path)) return {};
  return disk_->write_atomically(path, "{\"mode\": \"" + mode + "\"}\n");
}

bool AgentFiles::paused(const std::string& agent) const {
  return disk_->exists(dir(agent) + "/" + kPauseName);
}

}  // namespace pawl::store
