// Gemini CLI, `-o stream-json`: init, message (in pieces), tool_use, tool_result, error, result.

#include "perceive/records/headless.h"

namespace pawl::perceive {
namespace {

std::string result(const Json& record, Heard& heard) {
  model::TaskReport& report = heard.report;
  report.finished = true;
  heard.said.close();
  report.failed = record["status"].as_string() != "success";
  report.tokens = record["stats"]["total_tokens"].as_int(report.tokens);
  if (!report.failed) {
    report.trouble.clear();
    return "\n";
  }
  const Json& error = record["error"];
  report.message = error["message"].as_string(error.dump()).substr(0, 300);
  report.trouble = trouble_in(report.message);
  return "■ " + report.message + "\n";
}

// Without an interface a tool that would have to ask is not there at all.
bool refused(const Json& record) {
  const std::string type = record["error"]["type"].as_string();
  return record["status"].as_string() == "error" &&
         (type == "tool_not_registered" || type.find("denied") != std::string::npos ||
          type.find("policy") != std::string::npos);
}

}  // namespace

std::string hear_gemini(const Json& record, Heard heard) {
  const std::string type = record["type"].as_string();
  if (type == "init") heard.session_id = record["session_id"].as_string();
  if (type == "message" && record["role"].as_string() == "assistant") {
    heard.report.answered = true;
    if (record["delta"].as_bool())
      heard.said.piece(record["content"].as_string());
    else
      heard.said.whole(record["content"].as_string() + "\n");
    return record["content"].as_string() + (record["delta"].as_bool() ? "" : "\n");
  }
  if (type == "tool_use") {
    heard.said.close();  // the next piece is another message's
    heard.report.answered = true;
    return "\n▸ " + record["tool_name"].as_string() + " " +
           record["parameters"].dump().substr(0, 200) + "\n";
  }
  if (type == "tool_result" && refused(record)) {
    heard.report.denials += 1;
    if (heard.report.denied.empty())
      heard.report.denied =
          record["tool_id"].as_string().substr(0, record["tool_id"].as_string().find("__"));
  }
  if (type == "error") return "■ " + record["message"].as_string() + "\n";
  if (type == "result") return result(record, heard);
  return {};
}

}  // namespace pawl::perceive
