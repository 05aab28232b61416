#include "mcp/results.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "mcp/protocol.h"

namespace pawl::mcp {
namespace {

constexpr int kNotAllowed = 6, kTimedOut = 124;  // exit codes of the contract
constexpr int kCutTries = 8;
constexpr size_t kFirstText = 16u << 10, kFirstItems = 200;

bool inside_letter(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

// At most `bytes` from the beginning, whole letters.
std::string beginning(const std::string& text, size_t bytes) {
  size_t end = std::min(bytes, text.size());
  while (end > 0 && end < text.size() && inside_letter(text[end])) --end;
  return text.substr(0, end);
}

struct Cut {
  size_t text, items;
  bool some = false;
};

Json cut(const Json& json, Cut& limits) {
  if (json.is_string()) {
    const std::string text = json.as_string();
    if (text.size() <= limits.text) return json;
    limits.some = true;
    return beginning(text, limits.text) + "…";
  }
  if (json.is_array()) {
    Json out = Json::array();
    for (const Json& item : json.items()) {
      if (out.items().size() == limits.items) {
        limits.some = true;
        break;
      }
      out.push(cut(item, limits));
    }
    return out;
  }
  if (!json.is_object()) return json;
  Json out = Json::object();
  for (const auto& [key, value] : json.members()) out.set(key, cut(value, limits));
  return out;
}

std::string agent_line(const Json& agent) {
  const std::string machine = agent["machine"].as_string();
  const std::string name = (machine.empty() ? "" : machine + "/") + agent["name"].as_string();
  const std::string kind = agent["kind"].as_string(), because = agent["because"].as_string();
  return name + ": " + agent["state"].as_string() + (kind.empty() ? "" : " (" + kind + ")") +
         (because.empty() ? "" : ", " + because) + "\n";
}

std::string task_line(const Json& task) {
  std::string why = task["detail"].as_string(task["reason"].as_string());
  const std::string machine = task["machine"].as_string();
  return (machine.empty() ? "" : machine + "/") + task["task_name"].as_string() + ": " +
         task["status"].as_string() + (why.empty() ? "" : ", " + why) + "\n";
}

std::string lines_of(const Json& list, std::string (*line)(const Json&), std::string none) {
  std::string out;
  for (const Json& row : list.items()) out += line(row);
  return out.empty() ? std::move(none) : out;
}

std::string plain_text(std::string_view verb, const Json& reply) {
  if (verb == "ls") return lines_of(reply["agents"], agent_line, "no agents\n");
  if (verb == "task ls") return lines_of(reply["tasks"], task_line, "no tasks\n");
  if (verb == "task wait") return lines_of(reply["tasks"], task_line, "no tasks\n");
  if (verb == "wait")
    return reply["agents"].is_array() ? lines_of(reply["agents"], agent_line, "")
                                      : agent_line(reply);
  if (verb.starts_with("task ") && reply["task_name"].is_string()) return task_line(reply);
  if (verb == "screen") return reply["screen"].as_string();
  return bounded(reply, kMaxText).dump();
}

Json finished(const std::string& text, Json structured) {
  Json content = Json::array();
  content.push(text_content(cut_to_end(text)));
  return Json::object(
      {{"content", std::move(content)}, {"structuredContent", std::move(structured)}});
}

Json with_events(const Json& reply, const Before& before) {
  Json list = Json::array();
  for (const Json& event : before.events) list.push(event);
  Json out = Json::object({{"version", 1}, {"events", std::move(list)}});
  if (reply["machines"].is_array()) out.set("machines", reply["machines"]);
  return out.set("left_out", before.left_out);
}

std::string event_lines(const Before& before) {
  std::string out;
  if (before.left_out > 0)
    out = fmt::format("{} older events are left out: ask with a later 'since'\n", before.left_out);
  for (const Json& event : before.events) out += event.dump() + "\n";
  return out.empty() ? "no events\n" : out;
}

// No failure: whoever asked may ask again.
Json still_running(const Error& error) {
  return finished("still running: " + error.what + "; call again to wait longer",
                  Json::object({{"version", 1}, {"still_running", true}, {"because", error.what}}));
}

}  // namespace

std::string cut_to_end(const std::string& text, size_t limit) {
  if (text.size() <= limit) return text;
  size_t from = text.size() - limit;
  const size_t line = text.find('\n', from);
  if (line != std::string::npos && line + 1 < text.size())
    from = line + 1;
  else
    while (from < text.size() && inside_letter(text[from])) ++from;
  return fmt::format("[{} earlier bytes are left out]\n", from) + text.substr(from);
}

Json bounded(const Json& json, size_t limit) {
  Cut limits{kFirstText, kFirstItems};
  Json out = cut(json, limits);
  for (int i = 0; i < kCutTries && out.dump().size() > limit; ++i) {
    limits.text /= 2;
    limits.items = std::max<size_t>(limits.items / 2, 1);
    out = cut(json, limits);
  }
  if (limits.some && out.is_object())
    out.set("cut", "long texts and lists are shortened: ask for less");
  return out;
}

void Before::add(std::string_view bytes) {
  output += bytes;
  if (output.size() > 4 * kMaxText) output.erase(0, output.size() - 2 * kMaxText);
}

void Before::add(const Json& event) {
  if (events.size() == kMaxEvents) {
    events.erase(events.begin());
    ++left_out;
  }
  events.push_back(event);
}

Json tool_error(const Error& error) {
  std::string text = text_of(error);
  if (error.exit_code == kNotAllowed) text += ". This is a rule, not a fault: tell the person";
  return finished(text, Json::object({{"error", Json::object({{"what", error.what},
                                                              {"fix", error.fix},
                                                              {"exit_code", error.exit_code}})}}))
      .set("isError", true);
}

Json tool_result(std::string_view verb, const Result<Json>& reply, const Before& before) {
  const bool waits = verb == "wait" || verb == "task wait";
  if (!reply && waits && reply.error().exit_code == kTimedOut) return still_running(reply.error());
  if (!reply) return tool_error(reply.error());
  if (verb == "events") return finished(event_lines(before), bounded(with_events(*reply, before)));
  if (verb == "logs" || verb == "task output") {
    Json out = Json::object({{"version", 1}, {"text", cut_to_end(before.output)}});
    if ((*reply)["notice"].is_string()) out.set("notice", (*reply)["notice"]);
    return finished(before.output.empty() ? "nothing was printed" : before.output, std::move(out));
  }
  Json structured = bounded(*reply);
  if (!structured.is_object()) structured = Json::object({{"result", std::move(structured)}});
  return finished(plain_text(verb, *reply), std::move(structured));
}

}  // namespace pawl::mcp
