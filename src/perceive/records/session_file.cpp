#include "perceive/records/session_file.h"

#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include "base/json.h"
#include "perceive/records/hook.h"

namespace pawl::perceive {
namespace {

constexpr Json::Limits kSessionLimits{1, 64, 4096};

struct StatusRow {
  std::string_view word;
  Told told;
  std::string_view detail;
  int behind = 0;
};
constexpr std::array kStatuses{
    StatusRow{"idle", Told::idle, "its session file says idle"},
    StatusRow{"busy", Told::busy, "its session file says busy"},
    StatusRow{"waiting", Told::waiting, "its session file says waiting"},
    StatusRow{"shell", Told::idle, "its session file says idle, with a shell behind the prompt",
              1}};

struct Waiting {
  std::string_view text;
  std::string_view kind;
};
constexpr std::array kWaitings{
    Waiting{"permission prompt", "permission"}, Waiting{"sandbox request", "permission"},
    Waiting{"worker request", "permission"}, Waiting{"input needed", "question"},
    Waiting{"dialog open", "other"}};

// A number, or the same in digits.
std::optional<uint64_t> number_of(const Json& json) {
  if (json.is_integer()) {
    if (json.as_int() < 0) return std::nullopt;
    return static_cast<uint64_t>(json.as_int());
  }
  const std::string text = json.as_string();
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string kind_of(const std::string& waiting_for) {
  for (const Waiting& row : kWaitings)
    if (waiting_for == row.text) return std::string(row.kind);
  return "other";
}

std::optional<WallTime> updated_at(const Json& json) {
  constexpr int64_t kLatest = 4'102'444'800'000;  // the year 2100, in milliseconds
  if (!json.is_integer() || json.as_int() <= 0 || json.as_int() > kLatest) return std::nullopt;
  return WallTime{std::chrono::milliseconds{json.as_int()}};
}

}  // namespace

std::optional<SessionFile> read_session_file(std::string_view text, const model::Process& process) {
  if (text.size() > kMaxSessionFileBytes) return std::nullopt;
  const auto json = Json::parse_shallow(text, kSessionLimits);
  if (!json || !json->is_object()) return std::nullopt;
  const auto pid = number_of((*json)["pid"]), started = number_of((*json)["procStart"]);
  if (!pid || *pid != static_cast<uint64_t>(process.pid)) return std::nullopt;
  if (!started || *started != process.start_ticks) return std::nullopt;
  const std::string status = (*json)["status"].as_string();
  for (const StatusRow& row : kStatuses) {
    if (status != row.word) continue;
    SessionFile file;
    file.word = {row.told, "", std::string(row.detail)};
    file.word.behind = row.behind;
    if (row.told == Told::waiting) file.word.kind = kind_of((*json)["waitingFor"].as_string());
    file.session_id = conversation_id((*json)["sessionId"].as_string());
    file.cwd = absolute_path((*json)["cwd"].as_string());
    file.version = conversation_id((*json)["version"].as_string());
    file.updated = updated_at((*json)["statusUpdatedAt"]);
    return file;
  }
  return std::nullopt;
}

std::string transcript_path(std::string pattern, const SessionFile& file) {
  if (file.session_id.empty() || file.cwd.empty()) return {};
  std::string folder = file.cwd;
  for (char& c : folder)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '-';
  for (const auto& [name, value] :
       {std::pair{std::string_view("{cwd}"), folder}, {"{conversation}", file.session_id}})
    if (const size_t at = pattern.find(name); at != std::string::npos)
      pattern.replace(at, name.size(), value);
  return pattern;
}

}  // namespace pawl::perceive
