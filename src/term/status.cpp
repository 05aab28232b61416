#include "term/status.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "term/utf8.h"

namespace pawl::term {
namespace {

using Pairs = std::map<std::string, std::string, std::less<>>;

bool is_key(std::string_view key) {
  return !key.empty() &&
         std::all_of(key.begin(), key.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

bool is_alnum(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool only(std::string_view text, std::string_view punctuation) {
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return is_alnum(c) || punctuation.find(c) != std::string_view::npos;
  });
}

// Malformed pairs are skipped, the last duplicate wins.
Pairs pairs_of(std::string_view text) {
  Pairs pairs;
  for (const std::string& pair : split(text, ':')) {
    const size_t equals = pair.find('=');
    if (equals == std::string::npos) continue;
    const std::string_view key = std::string_view(pair).substr(0, equals);
    const std::string_view value = std::string_view(pair).substr(equals + 1);
    if (is_key(key) && only(value, "_.,+/=-")) pairs[std::string(key)] = std::string(value);
  }
  return pairs;
}

std::string_view get(const Pairs& pairs, std::string_view key) {
  auto it = pairs.find(key);
  return it == pairs.end() ? std::string_view{} : std::string_view(it->second);
}

bool valid_id(std::string_view id) {
  if (id.empty()) return true;
  if (id.size() > kMaxStatusIdBytes || !only(id, "_.,+/=-")) return false;
  const std::vector<std::string> levels = split(id, '/');
  return levels.size() <= kMaxStatusIdLevels &&
         std::none_of(levels.begin(), levels.end(), [](const std::string& l) { return l.empty(); });
}

bool valid_app(std::string_view app) {
  return app.size() <= kMaxStatusAppBytes && only(app, "_.+-");
}

// Valid UTF-8 without control characters: cleaning it changes nothing.
bool is_clean(std::string_view text) {
  return clean_text(text, text.size()) == text;
}

// False discards the report.
bool decode(std::string_view encoded, size_t limit, std::string& out) {
  if (encoded.empty()) return true;
  auto text = from_base64(encoded);
  if (!text || text->size() > limit || !is_clean(*text)) return false;
  out = *std::move(text);
  return true;
}

constexpr const char* kStates[] = {"idle", "working", "done", "blocked", "error"};
constexpr const char* kKinds[] = {"none", "permission", "question", "auth"};

std::optional<ProgramState> state_named(std::string_view name) {
  for (size_t i = 0; i < std::size(kStates); ++i)
    if (name == kStates[i]) return static_cast<ProgramState>(i);
  return std::nullopt;
}

BlockedKind kind_named(std::string_view name) {
  for (size_t i = 1; i < std::size(kKinds); ++i)
    if (name == kKinds[i]) return static_cast<BlockedKind>(i);
  return BlockedKind::none;
}

// No number is a malformed pair (skipped); a number above 100 breaks a limit (false).
bool read_progress(std::string_view text, std::optional<uint8_t>& out) {
  if (text.empty() ||
      !std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }))
    return true;
  while (text.size() > 1 && text[0] == '0') text.remove_prefix(1);
  if (text.size() > 3) return false;
  unsigned value = 0;
  for (char c : text) value = value * 10 + static_cast<unsigned>(c - '0');
  if (value > 100) return false;
  out = static_cast<uint8_t>(value);
  return true;
}

bool fill(const Pairs& pairs, StatusRecord& record) {
  const bool active =
      record.state == ProgramState::working || record.state == ProgramState::blocked;
  if (record.state == ProgramState::blocked) record.kind = kind_named(get(pairs, "kind"));
  if (active && !read_progress(get(pairs, "progress"), record.progress)) return false;
  record.app = get(pairs, "app");
  return valid_app(record.app) && decode(get(pairs, "title"), kMaxStatusTitleBytes, record.title) &&
         decode(get(pairs, "msg"), kMaxStatusMessageBytes, record.message);
}

bool is_active(const StatusRecord& r) {
  return r.state == ProgramState::working || r.state == ProgramState::blocked;
}

std::string pair_of(std::string_view key, std::string_view value) {
  return value.empty() ? std::string() : ":" + std::string(key) + "=" + std::string(value);
}

std::string app_only(std::string_view app) {
  std::string out;
  for (char c : app)
    if (valid_app({&c, 1}) && out.size() < kMaxStatusAppBytes) out += c;
  return out;
}

std::string sequence(const std::string& pairs) {
  return "\x1b]7501;" + pairs + "\x1b\\";
}

}  // namespace

std::string status_report(const StatusRecord& record) {
  if (!valid_id(record.id)) return "";
  std::string pairs = std::string("state=") + name_of(record.state);
  if (record.state == ProgramState::blocked && record.kind != BlockedKind::none)
    pairs += pair_of("kind", name_of(record.kind));
  if (is_active(record) && record.progress)
    pairs += pair_of("progress", std::to_string(std::min<int>(*record.progress, 100)));
  pairs += pair_of("id", record.id) + pair_of("app", app_only(record.app));
  pairs += pair_of("title", base64(plain_text(record.title, kMaxStatusTitleBytes)));
  return sequence(pairs +
                  pair_of("msg", base64(plain_text(record.message, kMaxStatusMessageBytes))));
}

std::string status_clear(std::string_view id) {
  return valid_id(id) ? sequence("state=clear" + pair_of("id", id)) : "";
}

const char* name_of(ProgramState state) {
  return kStates[static_cast<size_t>(state)];
}
const char* name_of(BlockedKind kind) {
  return kKinds[static_cast<size_t>(kind)];
}

bool StatusRecords::report(std::string_view text) {
  if (text.size() > kMaxStatusReportBytes) return false;
  const Pairs pairs = pairs_of(text);
  const std::string_view id = get(pairs, "id");
  if (!valid_id(id)) return false;
  if (get(pairs, "state") == "clear") {
    remove(id);
    return true;
  }
  const auto state = state_named(get(pairs, "state"));
  if (!state) return false;
  StatusRecord record;
  record.id = id;
  record.state = *state;
  if (!fill(pairs, record)) return false;
  store(std::move(record));
  return true;
}

void StatusRecords::store(StatusRecord record) {
  record.updated = ++reports_;
  std::erase_if(records_, [&](const StatusRecord& r) { return r.id == record.id; });
  if (records_.size() >= kMaxStatusRecords) records_.erase(records_.begin());
  records_.push_back(std::move(record));
}

void StatusRecords::remove(std::string_view id) {
  std::erase_if(records_, [&](const StatusRecord& r) {
    return id.empty() || r.id == id ||
           (r.id.size() > id.size() && r.id.starts_with(id) && r.id[id.size()] == '/');
  });
}

void StatusRecords::drop_active() {
  std::erase_if(records_, is_active);
}

const StatusRecord* StatusRecords::find(std::string_view id) const {
  auto it =
      std::find_if(records_.begin(), records_.end(), [&](const auto& r) { return r.id == id; });
  return it == records_.end() ? nullptr : &*it;
}

bool StatusRecords::set(std::vector<StatusRecord> records, uint64_t reports) {
  if (records.size() > kMaxStatusRecords) return false;
  uint64_t last = 0;
  for (const StatusRecord& r : records) {
    if (r.updated <= last || r.updated > reports || !valid_id(r.id) || !valid_app(r.app))
      return false;
    if (r.title.size() > kMaxStatusTitleBytes || r.message.size() > kMaxStatusMessageBytes)
      return false;
    if (!is_clean(r.title) || !is_clean(r.message)) return false;
    last = r.updated;
  }
  records_ = std::move(records);
  reports_ = reports;
  return true;
}

}  // namespace pawl::term
