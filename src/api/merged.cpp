#include "api/merged.h"

#include <algorithm>
#include <map>

namespace pawl::api {
namespace {

// How rows of several machines follow each other.
enum class RowOrder {
  machines,  // each machine's by themselves
  newest,    // by "at", the newest first
  oldest,    // by "since"
};

struct RowList {
  const char* key;
  RowOrder order;
};

// Which members of an answer are rows. Those of every verb that acts on several agents are "results".
const std::vector<RowList>& lists_of(const std::string& verb) {
  static const std::map<std::string, std::vector<RowList>> kLists{
      {"alerts", {{"alerts", RowOrder::newest}}},
      {"report",
       {{"agents", RowOrder::machines},
        {"interventions", RowOrder::newest},
        {"questions", RowOrder::oldest},
        {"alerts", RowOrder::newest}}},
      {"task ls", {{"tasks", RowOrder::machines}}},
      {"task wait", {{"tasks", RowOrder::machines}}},
      {"wait", {{"agents", RowOrder::machines}}}};
  static const std::vector<RowList> kResults{{"results", RowOrder::machines}};
  const auto it = kLists.find(verb);
  return it == kLists.end() ? kResults : it->second;
}

void sort_rows(std::vector<Json>& rows, RowOrder order) {
  if (order == RowOrder::machines) return;
  const char* key = order == RowOrder::newest ? "at" : "since";
  std::stable_sort(rows.begin(), rows.end(), [&](const Json& a, const Json& b) {
    const std::string one = a[key].as_string(), other = b[key].as_string();
    return order == RowOrder::newest ? one > other : one < other;
  });
}

// Numbers are added, also those inside; what nobody told stays null.
Json added(const Json& a, const Json& b) {
  if (a.is_null() || b.is_null()) return a.is_null() ? b : a;
  if (a.is_integer() && b.is_integer()) return a.as_int() + b.as_int();
  if (a.is_number() && b.is_number()) return a.as_double() + b.as_double();
  if (!a.is_object() || !b.is_object()) return a;
  Json out = a;
  for (const auto& [key, value] : b.members()) out.set(key, added(out[key], value));
  return out;
}

Json marked(Json row, const std::string& machine) {
  row.set("machine", machine.empty() ? Json() : Json(machine));
  return row;
}

// The first that is not 0: a task that went wrong counts, wherever it was.
Json worst(const std::vector<Part>& parts) {
  for (const auto& part : parts)
    if (part.answer["code"].as_int() != 0) return part.answer["code"];
  return 0;
}

}  // namespace

Json merged(const std::string& verb, const std::vector<Part>& parts) {
  Json out = parts.empty() ? Json::object({{"version", 1}}) : parts.front().answer;
  for (const auto& [key, order] : lists_of(verb)) {
    std::vector<Json> rows;
    for (const auto& part : parts)
      for (const auto& row : part.answer[key].items()) rows.push_back(marked(row, part.machine));
    sort_rows(rows, order);
    out.set(key, std::move(rows));
  }
  for (const char* key : {"totals", "more"}) {
    Json all;
    for (const auto& part : parts) all = added(all, part.answer[key]);
    if (!all.is_null()) out.set(key, std::move(all));
  }
  std::vector<std::string> complaints;
  for (const auto& part : parts) {
    if (part.answer["cut"].as_bool()) out.set("cut", true);
    for (const auto& text : part.answer["complaints"].as_strings()) complaints.push_back(text);
  }
  if (!complaints.empty()) out.set("complaints", complaints);
  if (verb == "task wait") out.set("code", worst(parts));
  return out;
}

}  // namespace pawl::api
