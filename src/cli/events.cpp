#include "cli/events.h"

#include <fmt/format.h>

namespace pawl::cli {
namespace {

std::string told(const Json& event, const Look& look) {
  const std::string type = event["type"].as_string();
  if (type == "state")
    return fmt::format("{} → {}  {}", event["from"].as_string(),
                       paint(look, state_colour(event["to"].as_string()), event["to"].as_string()),
                       event["because"].as_string());
  if (type == "decision") return fmt::format("will {}  {}", event["action"].as_string(), event["because"].as_string());
  if (type == "outcome")
    return fmt::format("{} {}  {} ({} ms)", event["action"].as_string(), event["result"].as_string(),
                       event["witness"].as_string(), event["took_ms"].as_int());
  if (type == "alert") return paint(look, "33", event["severity"].as_string() + ": " + event["text"].as_string());
  if (type == "human") return "a person typed (" + event["where"].as_string() + ")";
  if (type == "config") return event["what"].as_string();
  return type;
}

}  // namespace

std::string event_line(const Json& event, const Look& look) {
  std::string time = event["at"].as_string();
  return paint(look, "2", fmt::format("{:>6} {}", event["seq"].as_int(), time)) + "  " +
         fit(event["agent"].as_string("-"), 12) + "  " + told(event, look);
}

}  // namespace pawl::cli
