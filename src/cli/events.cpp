#include "cli/events.h"

#include <fmt/core.h>

#include "base/text.h"
#include "cli/table.h"
#include "model/asker.h"
#include "model/retention.h"

namespace pawl::cli {
namespace {

std::string work_told(const Json& event) {
  const std::string what = event["what"].as_string("seen"), name = safe(event["name"].as_string());
  if (what == "seen") {
    const std::string from = safe(event["from"].as_string());
    return "work " + name + (from.empty() ? "" : " from " + from);
  }
  const std::string because = safe(event["because"].as_string());
  return "work " + name + " is " + what + (because.empty() ? "" : "  " + because);
}

// What was not well before the start, or that all was.
std::string checks_told(const Json& event) {
  std::string out;
  for (const auto& one : event["checks"].items())
    if (!one["ok"].as_bool())
      out += (out.empty() ? "" : "; ") + safe(one["check"].as_string()) + ": " +
             safe(one["text"].as_string());
  return "before the start  " + (out.empty() ? "all is well" : out);
}

std::string account_told(const Json& event) {
  const std::string account = "account " + safe(event["account"].as_string());
  if (event["until"].is_string())
    return fmt::format("{} is limited until {}, as {} says", account,
                       safe(event["until"].as_string()), safe(event["node"].as_string()));
  if (event["turn"].is_string())
    return account + " goes on here at " + safe(event["turn"].as_string());
  return account + " is not limited";
}

// "removed 32 tasks, 12 MB (age): docs, …"
std::string retention_told(const Json& event) {
  constexpr size_t kShown = 5;
  auto names = event["names"].as_strings();
  if (names.empty()) names = event["folders"].as_strings();
  const bool more = names.size() > kShown;
  if (more) names.resize(kShown);
  const std::string what = safe(event["what"].as_string());
  return fmt::format("{} {} {}, {} ({}): {}{}",
                     event.has("upto") ? "will remove unread" : "removed", event["count"].as_int(),
                     what, model::bytes_text(static_cast<uint64_t>(event["bytes"].as_int())),
                     safe(event["because"].as_string()), safe(join(names, ", ")),
                     more ? ", …" : "");
}

// A rule says in its reason what it is.
std::string asked_by(const Json& by) {
  const model::Asker asker = model::asker_from(by);
  if (!asker.known() || asker.kind == model::kRule) return "";
  return " (" + safe(text_of(asker)) + ")";
}

}  // namespace

std::string machine_told(const Json& event) {
  if (event["what"].as_string() == "back") return "is reached again";
  return "is not reached: " + safe(event["because"].as_string());
}

namespace {

std::string told(const Json& event, const Look& look) {
  const auto text = [&](const char* key) { return safe(event[key].as_string()); };
  const std::string type = text("type");
  if (type == "state")
    return fmt::format("{} → {}  {}", text("from"),
                       paint(look, state_colour(text("to")), text("to")), text("because"));
  if (type == "decision")
    return fmt::format("will {}  {}{}", text("action"), text("because"), asked_by(event["by"]));
  if (type == "outcome")
    return fmt::format("{} {}  {} ({} ms)", text("action"), text("result"), text("witness"),
                       event["took_ms"].as_int());
  if (type == "alert") return paint(look, "33", text("severity") + ": " + text("text"));
  if (type == "human") return "a person typed (" + text("where") + ")";
  if (type == "request")
    return fmt::format("{} was {} {}", text("verb"),
                       event["refused"].as_bool() ? "refused to" : "asked for by",
                       safe(text_of(model::asker_from(event["by"]))));
  if (type == "move")
    return text("what") + (text("what") == "came" ? " from " : " ") + text("machine") +
           (text("because").empty() ? "" : ": " + text("because"));
  if (type == "config" && text("what") == "learned") return "learned  " + text("session_id");
  if (type == "config") return text("what");
  if (type == "queue" && text("what") == "queued")
    return fmt::format("{} of {} bytes waits{}", text("action"), event["bytes"].as_int(),
                       event["from"].is_string() ? ", from " + text("from") : "");
  if (type == "queue") return "dropped  " + text("because");
  if (type == "work") return work_told(event);
  if (type == "task" && text("what") == "ended")
    return fmt::format("task {}  {}", text("status"),
                       event["detail"].is_string() ? text("detail") : text("reason"));
  if (type == "task") return "task " + text("what");
  if (type == "preflight") return checks_told(event);
  if (type == "retention") return retention_told(event);
  if (type == "machine") return machine_told(event);
  if (type == "account") return account_told(event);
  if (type == "usage")
    return fmt::format("used {} tokens{}", event["tokens"].as_int(),
                       event["cost_usd"].is_number()
                           ? fmt::format(", ${:.4f}", event["cost_usd"].as_double())
                           : "");
  return type;
}

}  // namespace

std::string event_line(const Json& event, const Look& look) {
  std::string time = event["at"].as_string();
  return paint(look, "2", fmt::format("{:>6} {}", event["seq"].as_int(), time)) + "  " +
         name_cell(event, "agent", 12) + "  " + told(event, look);
}

}  // namespace pawl::cli
