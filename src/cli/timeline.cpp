#include "cli/timeline.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include "base/clock.h"
#include "cli/events.h"

namespace pawl::cli {
namespace {

constexpr int kNarrowest = 10, kLongestName = 24;
constexpr int kWidest = 1000;  // of a terminal; what is wider is none …
constexpr int kInAFile = 100;  // … and gets so many columns

struct Sign {
  std::string_view state, block, letter;
};
// States of one colour have blocks of their own.
constexpr std::array<Sign, 11> kSigns{{{"busy", "█", "b"},
                                       {"typing", "▓", "t"},
                                       {"starting", "░", "s"},
                                       {"ready", "█", "r"},
                                       {"exited", "░", "e"},
                                       {"waiting", "█", "w"},
                                       {"limited", "▒", "l"},
                                       {"crashed", "█", "C"},
                                       {"stuck", "▒", "S"},
                                       {"shell", "▒", "h"},
                                       {"unknown", "░", "?"}}};

std::string cell(const std::string& state, const Look& look) {
  for (const auto& sign : kSigns)
    if (sign.state == state)
      return look.colour ? paint(look, state_colour(state), sign.block) : std::string(sign.letter);
  return " ";
}

struct Change {
  WallTime at;
  std::string state;  // empty: it was not there
};

std::vector<Change> changes_of(const Json& list) {
  std::vector<Change> changes;
  for (const auto& one : list.items()) {
    WallTime at;
    const auto& pair = one.items();
    if (pair.size() == 2 && parse_rfc3339(pair[0].as_string(), at))
      changes.push_back({at, pair[1].as_string()});
  }
  return changes;
}

// The state that filled most of each cell.
std::vector<std::string> cells_of(const std::vector<Change>& changes, WallTime since,
                                  WallTime until, int width) {
  std::vector<std::string> cells;
  const double length = static_cast<double>((until - since).count());
  const auto edge = [&](int column) {
    return since + Duration{static_cast<int64_t>(length * column / width)};
  };
  size_t at = 0;
  for (int column = 0; column < width; ++column) {
    const WallTime from = edge(column), to = edge(column + 1);
    while (at + 1 < changes.size() && changes[at + 1].at <= from) ++at;
    std::map<std::string, Duration> spent;
    for (size_t i = at; i < changes.size() && changes[i].at < to; ++i) {
      const WallTime next = i + 1 < changes.size() ? changes[i + 1].at : until;
      spent[changes[i].state] += std::min(next, to) - std::max(changes[i].at, from);
    }
    const auto most =
        std::max_element(spent.begin(), spent.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    cells.push_back(most == spent.end() ? "" : most->first);
  }
  return cells;
}

std::string length_of(Duration time) {
  const double s = std::chrono::duration<double>(time).count();
  return s < 10 ? fmt::format("{:.1f}s", s) : short_duration(time);
}

std::string legend(const std::set<std::string>& seen, const Look& look) {
  std::string out;
  for (const auto& sign : kSigns)
    if (seen.contains(std::string(sign.state)))
      out += (out.empty() ? "" : "  ") + cell(std::string(sign.state), look) + " " +
             std::string(sign.state);
  return out.empty() ? out : out + "\n";
}

std::string strips(const Json& timeline, const Look& look) {
  WallTime since, until;
  if (!parse_rfc3339(timeline["since"].as_string(), since) ||
      !parse_rfc3339(timeline["until"].as_string(), until))
    return "the daemon's answer has no times\n";
  const auto& agents = timeline["agents"].members();
  if (agents.empty()) return "no agents were there\n";
  int name_width = 4;
  for (const auto& [name, changes] : agents) name_width = std::max(name_width, columns_of(name));
  name_width = std::min(name_width, kLongestName);
  const int columns = look.width > kWidest ? kInAFile : look.width;
  const int width = std::max(columns - name_width - 3, kNarrowest);
  std::string out =
      fmt::format("{}  {} to {}, {} a sign\n", fit("", name_width), timeline["since"].as_string(),
                  timeline["until"].as_string(), length_of((until - since) / width));
  std::set<std::string> seen;
  for (const auto& [name, changes] : agents) {
    out += fit(safe(name), name_width) + "  ";
    for (const auto& state : cells_of(changes_of(changes), since, until, width)) {
      out += cell(state, look);
      seen.insert(state);
    }
    out.erase(out.find_last_not_of(' ') + 1);
    out += "\n";
  }
  out += legend(seen, look);
  for (const auto& name : timeline["thinned"].as_strings())
    out += safe(name) + " changed so often that its shortest older states are left out\n";
  return out;
}

std::string history(const Json& timeline, const Look& look) {
  std::string out;
  if (timeline["cut"].as_bool())
    out += fmt::format("(the newest {} events; ask for less with --since)\n",
                       timeline["events"].items().size());
  for (const auto& event : timeline["events"].items()) out += event_line(event, look) + "\n";
  if (!out.empty()) return out;
  return "nothing happened to " + safe(timeline["name"].as_string()) + " since " +
         timeline["since"].as_string() + "\n";
}

}  // namespace

std::string timeline_text(const Json& timeline, const Look& look) {
  return timeline.has("events") ? history(timeline, look) : strips(timeline, look);
}

}  // namespace pawl::cli
