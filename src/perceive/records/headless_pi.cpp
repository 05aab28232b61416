// pi, `--mode json`: session, agent_start, message_update, message_end, tool_execution_start, agent_end, and auto_retry_* around turns that failed.
// Its exit code is 0 even then.

#include "perceive/records/headless.h"

namespace pawl::perceive {
namespace {

std::string message_end(const Json& message, Heard& heard) {
  if (message["role"].as_string() != "assistant") return {};
  model::TaskReport& report = heard.report;
  report.tokens += message["usage"]["totalTokens"].as_int();
  report.cost_usd += message["usage"]["cost"]["total"].as_double();
  const std::string stop = message["stopReason"].as_string();
  report.failed = stop == "error" || stop == "aborted";
  if (report.failed) {
    report.message = message["errorMessage"].as_string(stop).substr(0, 300);
    report.trouble = trouble_in(report.message);
    return heard.streamed.take() + "■ " + report.message + "\n";
  }
  heard.streamed.text.clear();  // here it is whole
  report.answered = true;
  report.trouble.clear();
  report.message.clear();
  std::string out;
  for (const Json& part : message["content"].items())
    if (part["type"].as_string() == "text") out += part["text"].as_string() + "\n";
  if (!out.empty()) heard.said.whole(out);
  return out;
}

// A tool that it was not given.
bool refused(const Json& record) {
  if (!record["isError"].as_bool()) return false;
  const auto& parts = record["result"]["content"].items();
  return !parts.empty() &&
         parts[0]["text"].as_string() == "Tool " + record["toolName"].as_string() + " not found";
}

}  // namespace

std::string hear_pi(const Json& record, Heard heard) {
  const std::string type = record["type"].as_string();
  if (type == "session") heard.session_id = record["id"].as_string();
  if (const Json& piece = record["assistantMessageEvent"];
      type == "message_update" && piece["type"].as_string() == "text_delta")
    heard.streamed.text += piece["delta"].as_string();
  if (type == "message_end") return message_end(record["message"], heard);
  if (type == "tool_execution_start")
    return "▸ " + record["toolName"].as_string() + " " + record["args"].dump().substr(0, 200) +
           "\n";
  if (type == "tool_execution_end" && refused(record)) {
    heard.report.denials += 1;
    if (heard.report.denied.empty()) heard.report.denied = record["toolName"].as_string();
  }
  if (type == "agent_end") heard.report.finished = true;
  // It is not over after all.
  if (type == "agent_start" || type == "auto_retry_start" || type == "compaction_start")
    heard.report.finished = false;
  if (type == "auto_retry_end") heard.report.finished = true;
  return {};
}

}  // namespace pawl::perceive
