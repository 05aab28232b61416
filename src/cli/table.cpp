#include "cli/table.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>

#include "base/text.h"

namespace pawl::cli {

std::string short_count(double count) {
  const char* units[] = {"", "k", "M", "G", "T", "P"};
  size_t unit = 0;
  while (count >= 999.5 && unit + 1 < std::size(units)) {
    count /= 1000;
    ++unit;
  }
  const bool fraction = unit > 0 && count < 99.95;
  return fmt::format("{:.{}f}{}", count, fraction ? 1 : 0, units[unit]);
}

namespace {

std::string since(const Json& agent, WallTime now) {
  WallTime time;
  if (!parse_rfc3339(agent["since"].as_string(), time)) return "-";
  return short_duration(now - time);
}

int widest(const Json& list, const char* key, int least, int most) {
  int width = least;
  for (const auto& agent : list["agents"].items())
    width = std::max(width, columns_of(agent[key].as_string()));
  return std::min(width, most);
}

constexpr int kLeastState = 9, kMostState = 18;  // "waiting:permission"

std::string state_word(const Json& agent) {
  const std::string kind = agent["kind"].as_string();
  const int64_t jobs = agent["background"].as_int();
  if (jobs > 0 && agent["state"].as_string() == "ready")
    return fmt::format("ready ({} job{})", jobs, jobs == 1 ? "" : "s");
  return kind.empty() ? agent["state"].as_string() : agent["state"].as_string() + ":" + kind;
}

int widest_state(const Json& list) {
  int width = kLeastState;
  for (const auto& agent : list["agents"].items())
    width = std::max(width, columns_of(state_word(agent)));
  return std::min(width, kMostState);
}

constexpr int kLeastWhy = 8, kMostWhy = 100, kGap = 2;

struct Column {
  std::string heading;
  int width;
  std::function<std::string(const Json& agent)> cell;
};

int width_of(const std::vector<Column>& columns) {
  int sum = -kGap;
  for (const auto& column : columns) sum += column.width + kGap;
  return sum;
}

// What its file said wrong and what it is instead; the rest is with `pawl doctor`.
std::string mended(const Json& agent) {
  const auto& repairs = agent["repairs"].items();
  if (repairs.empty()) return {};
  const std::string text = safe(repairs[0].as_string());
  constexpr std::string_view kUntil = "; until then ";
  const size_t until = text.find(kUntil);
  std::string instead = until == std::string::npos ? "" : ", " + text.substr(until + kUntil.size());
  return "(config: " + text.substr(0, text.find(": ")) + instead + ") ";
}

std::string why_and_queue(const Json& agent) {
  const size_t waiting = agent["outbox"].items().size();
  const int64_t work = agent["inbox"]["waiting"].as_int();
  if (agent["quarantined"].as_bool())
    return "quarantined: " + safe(agent["quarantined_because"].as_string());
  if (agent["parked"].as_bool()) return "parked: " + safe(agent["parked_because"].as_string());
  const std::string paused = agent["paused"].as_bool() ? "(paused) " : "";
  const std::string spent = agent["spent"]["used_up"].as_bool() ? "(budget used up) " : "";
  return mended(agent) + paused + spent +
         (waiting > 0 ? fmt::format("({} queued) ", waiting) : "") +
         (work > 0 ? fmt::format("({} in its inbox) ", work) : "") +
         safe(agent["because"].as_string());
}

std::string tokens_today(const Json& agent) {
  const Json& tokens = agent["spent"]["tokens"];
  return tokens.is_null() ? "-" : short_count(tokens.as_double());
}

std::string cost_today(const Json& agent) {
  const Json& cost = agent["spent"]["cost_usd"];
  return cost.is_null() ? "-" : fmt::format("${:.2f}", cost.as_double());
}

bool any_told(const Json& list, const char* key) {
  const auto& agents = list["agents"].items();
  return std::any_of(agents.begin(), agents.end(),
                     [&](const Json& agent) { return !agent["spent"][key].is_null(); });
}

// What was used today, when any of them has told it.
void add_spent(const Json& list, std::vector<Column>& columns) {
  constexpr int kTokens = 6, kCost = 7;
  if (any_told(list, "tokens")) columns.push_back({"TOKENS", kTokens, tokens_today});
  if (any_told(list, "cost_usd")) columns.push_back({"COST", kCost, cost_today});
}

// On a narrow terminal the columns that tell least go first; then names are cut.
std::vector<Column> layout(const Json& list, WallTime now, int width) {
  const auto text = [](const char* key) {
    return [key](const Json& agent) { return safe(agent[key].as_string()); };
  };
  const bool elsewhere =
      std::any_of(list["agents"].items().begin(), list["agents"].items().end(),
                  [](const Json& agent) { return agent["machine"].is_string(); });
  std::vector<Column> columns{{"NAME", widest(list, "name", 4, 32), text("name")},
                              {"STATE", widest_state(list), state_word},
                              {"FOR", 7, [now](const Json& agent) { return since(agent, now); }},
                              {"RUNTIME", widest(list, "runtime", 7, 12), text("runtime")},
                              {"RESTARTS", 8, [](const Json& agent) {
                                 return std::to_string(agent["restarts"].as_int());
                               }}};
  if (elsewhere)
    columns.insert(columns.begin(),
                   {"MACHINE", widest(list, "machine", 7, 16),
                    [](const Json& agent) { return safe(agent["machine"].as_string("-")); }});
  add_spent(list, columns);
  columns.push_back({"WHY", kLeastWhy, why_and_queue});
  for (const char* least : {"RESTARTS", "RUNTIME", "TOKENS", "COST", "WHY", "FOR"})
    if (width_of(columns) >= width)
      std::erase_if(columns, [&](const Column& column) { return column.heading == least; });
  const int spare = width - 1 - width_of(columns);
  if (spare < 0)
    columns[0].width = std::max(1, columns[0].width + spare);
  else if (columns.back().heading == "WHY")
    columns.back().width = std::min(kLeastWhy + spare, kMostWhy);
  return columns;
}

std::string without_blank_end(const std::string& text) {
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

// Programs that run and that the journal does not know; empty: none.
std::string strangers_text(const Json& list) {
  std::string out;
  for (const auto& one : list["strangers"].items()) {
    const std::string name = safe(one["name"].as_string());
    out += fmt::format("{} runs (pid {}), but is not in the journal: end it with  pawl stop {}\n",
                       name, one["pid"].as_int(), name);
  }
  return out;
}

}  // namespace

Json table_request() {
  return Json::object({{"fields", Json::Array{"name", "state", "kind", "background", "since",
                                              "runtime", "restarts", "spent", "quarantined",
                                              "quarantined_because", "parked", "parked_because",
                                              "paused", "outbox", "inbox", "because", "repairs"}}});
}

std::string agent_table(const Json& list, WallTime now, const Look& look) {
  const auto& agents = list["agents"].items();
  if (agents.empty() && !list["strangers"].items().empty()) return strangers_text(list);
  if (agents.empty()) return "no agents yet: start one with  pawl run -d NAME -- COMMAND\n";
  const auto columns = layout(list, now, look.width);
  std::string head;
  for (const auto& column : columns)
    head += fit(column.heading, column.width) + std::string(kGap, ' ');
  std::string out = paint(look, "1", without_blank_end(head)) + "\n";
  for (const auto& agent : agents) {
    std::string line;
    for (const auto& column : columns) {
      const std::string cell = fit(column.cell(agent), column.width);
      line += column.heading == "STATE"
                  ? paint(look, state_colour(agent["state"].as_string()), cell)
                  : cell;
      line += std::string(kGap, ' ');
    }
    out += without_blank_end(line) + "\n";
  }
  return out + strangers_text(list);
}

std::string name_in(const Json& row, const char* key) {
  const std::string machine = safe(row["machine"].as_string()), name = safe(row[key].as_string());
  if (machine.empty()) return name.empty() ? "-" : name;
  return name.empty() ? machine : machine + "/" + name;
}

std::string name_cell(const Json& row, const char* key, int width) {
  const std::string name = name_in(row, key);
  return fit(name, row["machine"].is_string() ? std::max(width, columns_of(name)) : width);
}

std::string summary(const Json& list) {
  std::map<std::string, int> counts;
  for (const auto& agent : list["agents"].items()) counts[agent["state"].as_string()] += 1;
  std::vector<std::string> parts;
  for (const auto& [state, count] : counts) parts.push_back(fmt::format("{} {}", count, state));
  const size_t total = list["agents"].items().size();
  return fmt::format("{} agent{}{}{}", total, total == 1 ? "" : "s", parts.empty() ? "" : ": ",
                     join(parts, ", "));
}

}  // namespace pawl::cli
