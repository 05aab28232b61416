// Codex, `exec --json`: thread.started, turn.*, item.*, error.

#include "perceive/records/headless.h"

namespace pawl::perceive {
namespace {

// By a reviewer, or by the sandbox, of which only the command itself tells.
bool refused(const Json& item) {
  return item["status"].as_string() == "declined" ||
         (item["status"].as_string() == "failed" &&
          item["aggregated_output"].as_string().find("Read-only file system") != std::string::npos);
}

// A service's own record may be all there is of a message.
std::string words_in(const std::string& message) {
  const auto record = message.starts_with('{') ? Json::parse(message) : Result<Json>(fail(""));
  if (!record || !(*record)["error"]["message"].is_string()) return message;
  return (*record)["error"]["message"].as_string();
}

// A command may take long, or be the last thing it did.
std::string begun_line(const Json& item) {
  if (item["type"].as_string() != "command_execution") return {};
  return "▸ " + item["command"].as_string() + "\n";
}

std::string item_line(const Json& item, Heard& heard) {
  const std::string type = item["type"].as_string();
  if (type == "agent_message") {
    heard.report.answered = true;
    heard.said.whole(item["text"].as_string() + "\n");
    return item["text"].as_string() + "\n";
  }
  if (type == "command_execution") {
    heard.report.answered = true;
    if (refused(item)) {
      heard.report.denials += 1;
      if (heard.report.denied.empty()) heard.report.denied = item["command"].as_string();
    }
    return {};  // it was told when it began
  }
  if (type == "file_change") return "▸ changed files\n";
  if (type == "error") return "■ " + item["message"].as_string() + "\n";
  return {};
}

std::string trouble(const std::string& said, Heard& heard, bool over) {
  const std::string message = words_in(said);
  heard.report.message = message.substr(0, 300);
  heard.report.trouble = trouble_in(message);
  if (over) heard.report.finished = heard.report.failed = true;
  return "■ " + message + "\n";
}

}  // namespace

std::string hear_codex(const Json& record, Heard heard) {
  const std::string type = record["type"].as_string();
  if (type == "thread.started") heard.session_id = record["thread_id"].as_string();
  if (type == "turn.started") heard.report.trouble.clear();
  if (type == "item.started") return begun_line(record["item"]);
  if (type == "item.completed") return item_line(record["item"], heard);
  if (type == "turn.completed") {
    const Json& usage = record["usage"];
    heard.report.finished = true;
    heard.report.failed = false;
    heard.report.trouble.clear();
    heard.report.tokens = usage["input_tokens"].as_int() + usage["output_tokens"].as_int();
  }
  if (type == "error") return trouble(record["message"].as_string(), heard, false);
  if (type == "turn.failed") return trouble(record["error"]["message"].as_string(), heard, true);
  return {};
}

}  // namespace pawl::perceive
