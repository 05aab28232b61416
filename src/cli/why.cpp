#include "cli/why.h"

#include <fmt/core.h>

#include "base/clock.h"
#include "base/text.h"
#include "model/asker.h"

namespace pawl::cli {
namespace {

std::string age(const Json& seconds) {
  if (!seconds.is_number()) return "";
  const double s = seconds.as_double();
  if (s < 10) return fmt::format("{:.1f}s", s);
  return short_duration(Duration{static_cast<int64_t>(s * 1e6)});
}

std::string evidence_row(const Json& one, const Look& look) {
  const std::string means = one["means"].as_string();
  const int room = std::max(20, look.width - 42);
  std::string says = safe(one["says"].as_string());
  if (columns_of(says) > room) says = fit(says, room);
  return "  " + fit(one["tier"].as_string(), 9) + fit(one["channel"].as_string(), 15) +
         paint(look, state_colour(means), fit(means.empty() ? "-" : means, 9)) + " " +
         fit(age(one["age_s"]), 6) + says + "\n";
}

std::string policy_row(const Json& why) {
  const Json& policy = why["policy"];
  const std::string rule = policy["rule"].as_string(), until = policy["until"].as_string();
  std::string out =
      "  watchdog: " + (rule.empty() ? "" : rule + ": ") + safe(policy["because"].as_string());
  if (!until.empty()) out += ", until " + until;
  out += "\n";
  const Json& last = why["decision"];
  if (!last.is_object()) return out;
  const std::string result = last["result"].as_string();
  const model::Asker by = model::asker_from(last["by"]);
  return out + fmt::format("  last decision: {} ({}{}), {}: {}\n", last["action"].as_string(),
                           safe(last["because"].as_string()),
                           by.known() && by.kind != model::kRule ? ", by " + safe(text_of(by)) : "",
                           result.empty() ? "under way" : result,
                           safe(last["witness"].as_string()));
}

}  // namespace

std::string dialog_text(const std::string& name, const Json& dialog, const Look& look) {
  if (!dialog.is_object()) return "";
  const std::string question = safe(dialog["question"].as_string());
  std::string out =
      "  asks: " + paint(look, "1", question.empty() ? "(no question is seen)" : question) + "\n";
  const std::string subject = dialog["subject"].as_string();
  for (const auto& line : split(subject, '\n'))
    if (!line.empty()) out += "    │ " + safe(line) + "\n";
  int number = 0;
  for (const auto& row : dialog["rows"].items())
    out += fmt::format("    {}. {} ({})\n", ++number, safe(row["text"].as_string()),
                       row["meaning"].as_string());
  if (number == 0) return out + "  answer: pawl attach " + name + "\n";
  return out +
         fmt::format("  answer: pawl answer {} ROW --dialog {}\n", name, dialog["id"].as_string());
}

std::string why_text(const Json& why, const Look& look) {
  if (why.has("event")) return why["event"].dump(2) + "\n";
  const std::string state = why["state"].as_string(), kind = why["kind"].as_string();
  std::string out = paint(look, state_colour(state), kind.empty() ? state : state + ":" + kind) +
                    "  " + safe(why["because"].as_string()) + "\n";
  out += dialog_text(why["name"].as_string(), why["dialog"], look);
  out += policy_row(why);
  if (!why["terminal"].is_null()) out += "  terminal: " + safe(why["terminal"].as_string()) + "\n";
  if (why["left_on"].is_string())
    out += "  it ran on " + safe(why["left_on"].as_string()) +
           " before: what it did there and did not push stayed there\n";
  if (!why.has("evidence")) return out + "  (nothing more is known: it is not running)\n";
  if (why.has("rule")) {
    out += fmt::format("  rule {}: {}; said by {}, confidence {:.2f}, profile {}\n",
                       why["rule"].as_string(), why["rule_is"].as_string(), why["tier"].as_string(),
                       why["confidence"].as_double(), why["profile"].as_string());
    out += "  it would change with: " + why["changes_when"].as_string() + "\n";
  } else {
    out += "  it is being looked at: ask again in a moment\n";
  }
  for (const auto& notice : why["notices"].items())
    out += "  notice " + notice["kind"].as_string() + ": " + safe(notice["text"].as_string()) +
           (notice["until"].is_null() ? "" : " (until " + notice["until"].as_string() + ")") + "\n";
  for (const auto& drift : why["drift"].items())
    out += "  drift: " + safe(drift.as_string()) + "\n";
  out += paint(look, "1",
               "  " + fit("TIER", 9) + fit("CHANNEL", 15) + fit("MEANS", 10) + fit("AGE", 6) +
                   "SAYS") +
         "\n";
  for (const auto& one : why["evidence"].items()) out += evidence_row(one, look);
  return out;
}

}  // namespace pawl::cli
