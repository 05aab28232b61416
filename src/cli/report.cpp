#include "cli/report.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "cli/table.h"
#include "model/words.h"

namespace pawl::cli {
namespace {

constexpr size_t kShown = 20;  // interventions, and alerts of a report
constexpr int kUsefulWidth = 160;

std::string span(const Json& seconds) {
  const double s = seconds.as_double();
  return s < 1 ? "-" : short_duration(Duration{static_cast<int64_t>(s * 1e6)});
}

std::string heading(const Look& look, const std::string& text) {
  return "\n" + paint(look, "1", text) + "\n";
}

std::string clipped(const std::string& line, const Look& look) {
  const int width = std::min(look.width - 1, kUsefulWidth);
  return (columns_of(line) > width ? fit(line, width) : line) + "\n";
}

// "busy 3h02m, ready 1h10m": the longest first.
std::string times(const Json& time) {
  std::vector<std::pair<double, std::string>> parts;
  for (const auto& [what, seconds] : time.members())
    if (seconds.as_double() >= 1) parts.emplace_back(-seconds.as_double(), what);
  std::sort(parts.begin(), parts.end());
  std::vector<std::string> words;
  for (const auto& [seconds, what] : parts) words.push_back(what + " " + span(Json(-seconds)));
  return words.empty() ? "none" : join(words, ", ");
}

std::string used(const Json& sum) {
  std::string out;
  if (!sum["tokens"].is_null()) out += ", " + short_count(sum["tokens"].as_double()) + " tokens";
  if (!sum["cost_usd"].is_null()) out += fmt::format(", ${:.2f}", sum["cost_usd"].as_double());
  return out;
}

std::string counted(const Json& number, const std::string& what) {
  return fmt::format("{} {}{}", number.as_int(), what, number.as_int() == 1 ? "" : "s");
}

std::string totals(const Json& report, const Look& look) {
  const Json& sum = report["totals"];
  const Json& done = sum["interventions"];
  std::string out = paint(look, "1",
                          fmt::format("From {} to {}", report["since"].as_string(),
                                      report["until"].as_string())) +
                    "\n";
  out += "  time    " + times(sum["time"]) + "\n";
  out += "  lost    " + times(sum["lost"]) + "\n";
  out += "  done    " + counted(sum["turns"], "turn") + ", " + counted(sum["work_done"], "piece") +
         " of work" + used(sum) + "\n";
  out +=
      fmt::format("  by Pawl {}, {}; decisions of rules: {} confirmed, {} failed, {} unverified\n",
                  counted(sum["restarts"], "restart"), counted(sum["nudges"], "nudge"),
                  done["confirmed"].as_int(), done["failed"].as_int(), done["unverified"].as_int());
  return out;
}

struct Column {
  const char* heading;
  int width;
  std::function<std::string(const Json&)> cell;
};

std::vector<Column> columns(const Json& report) {
  int names = 4;
  for (const auto& agent : report["agents"].items())
    names = std::max(names, columns_of(name_in(agent, "name")));
  const auto lost = [](const char* why) {
    return [why](const Json& agent) { return span(agent["lost"][why]); };
  };
  const auto count = [](const char* what) {
    return [what](const Json& agent) { return std::to_string(agent[what].as_int()); };
  };
  return {{"NAME", std::min(names, 24), [](const Json& a) { return name_in(a, "name"); }},
          {"STATE", 9, [](const Json& a) { return a["state"].as_string("gone"); }},
          {"BUSY", 7, [](const Json& a) { return span(a["time"]["busy"]); }},
          {"LIMITED", 7, lost("limited")},
          {"CRASHED", 7, lost("crashed")},
          {"WAITING", 7, lost("waiting")},
          {"STUCK", 7, lost("stuck")},
          {"IDLE", 7, lost("idle")},
          {"TURNS", 5, count("turns")},
          {"WORK", 4, count("work_done")},
          {"RESTARTS", 8, count("restarts")},
          {"NUDGES", 6, count("nudges")},
          {"USED", 20, [](const Json& a) {
             const std::string text = used(a);
             return text.empty() ? "-" : text.substr(2);
           }}};
}

std::string agents_table(const Json& report, const Look& look) {
  const auto all = columns(report);
  std::string head, out;
  for (const auto& column : all) head += fit(column.heading, column.width) + "  ";
  out += heading(look, head.substr(0, head.find_last_not_of(' ') + 1)).substr(1);
  for (const auto& agent : report["agents"].items()) {
    std::string line;
    for (const auto& column : all) {
      const std::string cell = fit(column.cell(agent), column.width);
      line += std::string(column.heading) == "STATE"
                  ? paint(look, state_colour(agent["state"].as_string()), cell)
                  : cell;
      line += "  ";
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

std::string interventions(const Json& report, const Look& look) {
  const auto& list = report["interventions"].items();
  if (list.empty()) return {};
  std::string out = heading(look, "What Pawl did");
  for (size_t i = 0; i < list.size() && i < kShown; ++i) {
    const Json& one = list[i];
    const auto text = [&](const char* key) { return safe(one[key].as_string()); };
    const std::string result = one["dry_run"].as_bool()  ? "dry run"
                               : one["result"].is_null() ? "under way"
                                                         : text("result");
    const std::string witness = text("witness");
    out += clipped(fmt::format("  {}  {}  {} ({}: {}), {}{}", text("at"),
                               name_cell(one, "agent", 12), text("action"), text("rule"),
                               text("because"), result, witness.empty() ? "" : ": " + witness),
                   look);
  }
  if (list.size() > kShown)
    out += fmt::format("  … and {} before them: pawl report --json\n", list.size() - kShown);
  return out;
}

std::string questions(const Json& report, WallTime now, const Look& look) {
  const auto& list = report["questions"].items();
  if (list.empty()) return heading(look, "Nobody waits for you");
  std::string out = heading(look, "Waiting for you");
  for (const auto& one : list) {
    WallTime since;
    const bool known = parse_rfc3339(one["since"].as_string(), since);
    const std::string kind = one["kind"].as_string(), name = name_in(one, "agent");
    out += clipped(
        fmt::format("  {}{}, for {}: {}", name, kind.empty() ? "" : " (" + safe(kind) + ")",
                    known ? short_duration(now - since) : "?", safe(one["text"].as_string())),
        look);
    const std::string subject = one["subject"].as_string();
    for (const auto& line : split(subject, '\n'))
      if (!line.empty()) out += clipped("    │ " + safe(line), look);
    int number = 0;
    for (const auto& row : one["rows"].items())
      out += clipped(fmt::format("    {}. {}", ++number, safe(row["text"].as_string())), look);
    out += number > 0 ? "    pawl answer " + name + " 1\n" : "    pawl attach " + name + "\n";
  }
  return out;
}

std::string_view colour_of(std::optional<model::Severity> severity) {
  if (severity == model::Severity::error) return "31";
  return severity == model::Severity::warning ? "33" : "";
}

std::string alert_lines(const Json& list, size_t limit, const Look& look) {
  std::string out;
  for (size_t i = 0; i < list.items().size() && i < limit; ++i) {
    const Json& one = list.items()[i];
    const auto text = [&](const char* key) { return safe(one[key].as_string()); };
    const std::string severity = text("severity");
    const std::string_view colour = colour_of(model::severity_from(severity));
    out += "  " + text("at") + "  " + paint(look, colour, fit(severity, 7)) + "  " +
           name_cell(one, "agent", 12) + "  " + text("text") + "\n";
    if (!text("todo").empty()) out += "      → " + text("todo") + "\n";
  }
  if (list.items().size() > limit)
    out += fmt::format("  … and {} before them: pawl alerts\n", list.items().size() - limit);
  return out;
}

}  // namespace

std::string report_page(const Json& report, WallTime now, const Look& look) {
  std::string out = totals(report, look);
  if (report["agents"].items().empty()) return out + "\nno agents were there\n";
  out += "\n" + agents_table(report, look) + interventions(report, look);
  if (!report["alerts"].items().empty())
    out += heading(look, "What people were told") + alert_lines(report["alerts"], kShown, look);
  return out + questions(report, now, look);
}

std::string alerts_page(const Json& alerts, const Look& look) {
  const auto& list = alerts["alerts"].items();
  if (list.empty()) return "no alerts since " + alerts["since"].as_string() + "\n";
  std::string out = alert_lines(alerts["alerts"], list.size(), look);
  if (alerts["cut"].as_bool())
    out += fmt::format("  (the newest {}; ask for less with --since)\n", list.size());
  return out;
}

}  // namespace pawl::cli
