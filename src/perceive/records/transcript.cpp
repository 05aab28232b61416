#include "perceive/records/transcript.h"

#include <algorithm>

#include "base/json.h"
#include "perceive/records/hook.h"
#include "perceive/records/usage.h"

namespace pawl::perceive {
namespace {

constexpr Json::Limits kTranscriptLimits{4, 64, 1024};
constexpr std::string_view kInterrupted = "[Request interrupted by user";

std::optional<WallTime> time_of(const Json& line) {
  WallTime time;
  if (!parse_rfc3339(line["timestamp"].as_string(), time)) return std::nullopt;
  return time;
}

Usage usage_of(const Json& usage) {
  return {tokens(usage["input_tokens"]), tokens(usage["output_tokens"]),
          tokens(usage["cache_read_input_tokens"]), tokens(usage["cache_creation_input_tokens"])};
}

// A text, or a list whose first text counts.
std::string text_of(const Json& content) {
  if (content.is_string()) return content.as_string();
  for (const Json& part : content.items())
    if (part["text"].is_string()) return part["text"].as_string();
  return {};
}

ApiError error_of(const Profile& profile, const Json& line) {
  ApiError error;
  error.error = conversation_id(line["error"].as_string());
  error.status = static_cast<int>(std::clamp<int64_t>(line["apiErrorStatus"].as_int(), 0, 999));
  error.text = text_of(line["message"]["content"]);
  error.notice = notice_of(profile, error.error, error.text);
  return error;
}

void read_line(const Profile& profile, const Json& line, Transcript& out) {
  const std::string type = line["type"].as_string();
  if ((type != "user" && type != "assistant") || line["isSidechain"].as_bool() ||
      line["isMeta"].as_bool())
    return;
  const auto time = time_of(line);
  if (!time) return;
  const Json& message = line["message"];
  out.error.reset();
  out.interrupted = false;
  if (auto id = conversation_id(line["sessionId"].as_string()); !id.empty()) out.session_id = id;
  if (auto version = conversation_id(line["version"].as_string()); !version.empty())
    out.version = version;
  if (type == "user") {
    out.user = time;
    out.interrupted = text_of(message["content"]).starts_with(kInterrupted);
    return;
  }
  out.assistant = time;
  if (line["isApiErrorMessage"].as_bool())
    out.error = error_of(profile, line);
  else if (message["usage"].is_object())
    out.usage = usage_of(message["usage"]);
}

// Most of a transcript is snapshots and attachments: they are not even parsed.
bool somebody_speaks(std::string_view line) {
  return line.find(R"("type":"user")") != std::string_view::npos ||
         line.find(R"("type":"assistant")") != std::string_view::npos;
}

}  // namespace

Transcript read_transcript(const Profile& profile, std::string_view tail) {
  if (tail.size() > kTranscriptTail) tail.remove_prefix(tail.size() - kTranscriptTail);
  Transcript out;
  while (!tail.empty()) {
    const size_t end = tail.find('\n');
    if (end == std::string_view::npos) break;  // still being written
    const std::string_view text = tail.substr(0, end);
    if (somebody_speaks(text))
      if (const auto line = Json::parse_shallow(text, kTranscriptLimits); line && line->is_object())
        read_line(profile, *line, out);
    tail.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace pawl::perceive
