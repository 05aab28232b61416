#include "perceive/records/begun.h"

#include "base/json.h"

namespace pawl::perceive {
namespace {

constexpr Json::Limits kBegunLimits{2, 64, 4096};
constexpr const char* kWindow = "codex-tui";

}  // namespace

std::optional<Begun> read_begun(std::string_view head) {
  const size_t end = head.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const auto line = Json::parse_shallow(head.substr(0, end), kBegunLimits);
  if (!line || (*line)["type"].as_string() != "session_meta") return std::nullopt;
  const Json& its = (*line)["payload"];
  Begun out{its["id"].as_string(), its["cwd"].as_string(), {}};
  const std::string source = its["thread_source"].as_string();
  if (its["originator"].as_string() != kWindow || (!source.empty() && source != "user"))
    return std::nullopt;
  if (out.id.empty() || out.dir.empty() || !parse_rfc3339(its["timestamp"].as_string(), out.at))
    return std::nullopt;
  return out;
}

}  // namespace pawl::perceive
