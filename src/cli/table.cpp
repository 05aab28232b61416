#include "cli/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"

namespace pawl::cli {
namespace {

std::string since(const Json& agent, WallTime now) {
  WallTime time;
  if (!parse_rfc3339(agent["since"].as_string(), time)) return "-";
  return short_duration(now - time);
}

int widest(const Json& list, const char* key, int least, int most) {
  int width = least;
  for (const auto& agent : list["agents"].items()) width = std::max(width, columns_of(agent[key].as_string()));
  return std::min(width, most);
}

std::string state_word(const Json& agent) {
  const std::string kind = agent["kind"].as_string();
  return kind.empty() ? agent["state"].as_string() : agent["state"].as_string() + ":" + kind;
}

}  // namespace

std::string agent_table(const Json& list, WallTime now, const Look& look) {
  const auto& agents = list["agents"].items();
  if (agents.empty()) return "no agents yet: start one with  pawl run -d NAME -- COMMAND\n";
  const int names = widest(list, "name", 4, 32), runtimes = widest(list, "runtime", 7, 12);
  const int fixed = names + 2 + 9 + 2 + 7 + 2 + runtimes + 2 + 8 + 2;
  const int why = std::clamp(look.width - fixed - 1, 8, 100);
  std::string out = paint(look, "1", fit("NAME", names) + "  " + fit("STATE", 9) + "  " + fit("FOR", 7) + "  " +
                                         fit("RUNTIME", runtimes) + "  " + fit("RESTARTS", 8) + "  WHY") + "\n";
  for (const auto& agent : agents) {
    const std::string state = agent["state"].as_string();
    std::string line = fit(safe(agent["name"].as_string()), names) + "  ";
    line += paint(look, state_colour(state), fit(state_word(agent), 9)) + "  " + fit(since(agent, now), 7) + "  ";
    line += fit(safe(agent["runtime"].as_string()), runtimes) + "  " + fit(std::to_string(agent["restarts"].as_int()), 8) + "  ";
    const std::string because = fit(safe(agent["because"].as_string()), why);
    line += std::string(because.substr(0, because.find_last_not_of(' ') + 1));
    out += line + "\n";
  }
  return out;
}

std::string summary(const Json& list) {
  std::map<std::string, int> counts;
  for (const auto& agent : list["agents"].items()) counts[agent["state"].as_string()] += 1;
  std::vector<std::string> parts;
  for (const auto& [state, count] : counts) parts.push_back(fmt::format("{} {}", count, state));
  const size_t total = list["agents"].items().size();
  return fmt::format("{} agent{}{}{}", total, total == 1 ? "" : "s", parts.empty() ? "" : ": ", join(parts, ", "));
}

}  // namespace pawl::cli
