// Claude Code, `--output-format stream-json --verbose`: system, assistant, user, rate_limit_event and, at the end, one result.

#include <fmt/core.h>

#include "base/text.h"
#include "perceive/records/headless.h"

namespace pawl::perceive {
namespace {

constexpr size_t kShown = 200;  // bytes of a tool's input or output

int64_t tokens_of(const Json& usage) {
  return usage["input_tokens"].as_int() + usage["output_tokens"].as_int() +
         usage["cache_creation_input_tokens"].as_int() + usage["cache_read_input_tokens"].as_int();
}

std::string tool_line(const Json& part) {
  return "▸ " + part["name"].as_string() + " " + part["input"].dump().substr(0, kShown) + "\n";
}

std::string assistant(const Json& record, Heard& heard) {
  std::string out;
  const Json& message = record["message"];
  if (record["error"].is_string()) {
    heard.report.trouble = trouble_in(record["error"].as_string());
  } else {
    heard.report.answered = true;
    heard.report.trouble.clear();
    heard.report.tokens += tokens_of(message["usage"]);
  }
  if (record["parent_tool_use_id"].is_null()) {
    if (record["error"].is_string()) out += heard.streamed.take();
    heard.streamed.text.clear();  // here it is whole
  }
  std::string words;
  for (const Json& part : message["content"].items()) {
    if (part["type"].as_string() == "text") words += part["text"].as_string() + "\n";
    if (part["type"].as_string() == "text") out += part["text"].as_string() + "\n";
    if (part["type"].as_string() == "tool_use") out += tool_line(part);
  }
  if (!words.empty() && !record["error"].is_string()) heard.said.whole(words);
  return out;
}

void limit(const Json& info, Heard& heard) {
  if (info["status"].as_string() != "rejected") return;
  heard.report.trouble = "limit";
  if (info["resetsAt"].is_integer())
    heard.report.until = WallTime{std::chrono::seconds{info["resetsAt"].as_int()}};
}

// If it is ended before it gives up, this was why.
void retried(const Json& record, Heard& heard) {
  const int64_t status = record["error_status"].as_int();
  heard.report.trouble = status == 401 || status == 403 ? "auth" : "overload";
  heard.report.message = record["error"].as_string();
}

std::string words_of(const Json& record) {
  if (record["result"].is_string()) return record["result"].as_string();
  const auto errors = record["errors"].as_strings();
  return errors.empty() ? record["subtype"].as_string() : errors[0];
}

std::string result(const Json& record, Heard& heard) {
  model::TaskReport& report = heard.report;
  report.finished = true;
  report.failed = record["is_error"].as_bool() ||
                  (record["subtype"].is_string() && record["subtype"].as_string() != "success");
  report.message = words_of(record).substr(0, 300);
  report.cost_usd = record["total_cost_usd"].as_double();
  if (const int64_t tokens = tokens_of(record["usage"]); tokens > 0) report.tokens = tokens;
  const auto& denials = record["permission_denials"].items();
  report.denials = static_cast<int>(denials.size());
  if (!denials.empty()) report.denied = denials[0]["tool_name"].as_string();
  if (!report.failed) {
    if (record["result"].is_string()) heard.said.whole(record["result"].as_string() + "\n");
    report.trouble.clear();
    return {};
  }
  if (report.trouble != "limit") {
    const std::string words = trouble_in(report.message);
    const int64_t status = record["api_error_status"].as_int();
    report.trouble = record["terminal_reason"].as_string() == "prompt_too_long" ? "context"
                     : status == 401 || status == 403                           ? "auth"
                     : !words.empty()                                           ? words
                     : status == 429 || status >= 500                           ? "overload"
                                                                                : "";
  }
  return "■ " + report.message + "\n";
}

// A message in pieces, of the agent itself. One that was broken off is followed by another.
std::string streamed(const Json& record, Heard& heard) {
  if (!record["parent_tool_use_id"].is_null()) return {};
  const Json& event = record["event"];
  const std::string type = event["type"].as_string();
  if (type == "message_start") return heard.streamed.take();
  if (type == "content_block_delta" && event["delta"]["type"].as_string() == "text_delta")
    heard.streamed.text += event["delta"]["text"].as_string();
  return {};
}

}  // namespace

std::string hear_claude(const Json& record, Heard heard) {
  if (const std::string id = record["session_id"].as_string(); !id.empty()) heard.session_id = id;
  const std::string type = record["type"].as_string();
  if (type == "assistant") return assistant(record, heard);
  if (type == "stream_event") return streamed(record, heard);
  if (type == "result") return heard.streamed.take() + result(record, heard);
  if (type == "rate_limit_event") limit(record["rate_limit_info"], heard);
  if (type != "system") return {};
  const std::string subtype = record["subtype"].as_string();
  if (subtype == "init") heard.report.finished = false;  // a job in the background came back to it
  if (subtype == "background_tasks_changed")
    heard.report.background = static_cast<int>(record["tasks"].items().size());
  if (subtype == "api_retry") retried(record, heard);
  if (subtype == "api_retry")
    return fmt::format("… tried again ({}): {}\n", record["attempt"].as_int(),
                       record["error"].as_string(record["error_status"].dump()));
  return {};
}

}  // namespace pawl::perceive
