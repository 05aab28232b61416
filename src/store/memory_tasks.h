#pragma once
// Filed tasks in a map. For tests and the simulator.

#include <algorithm>
#include <map>
#include <tuple>

#include "store/filed_tasks.h"

namespace pawl::store {

class MemoryTasks : public FiledTasks {
 public:
  std::map<std::string, model::Agent> rows;
  bool broken = false;  // as its journal is
  bool stuck = false;   // … and it alone

  Done keep(const model::Agent& agent) override {
    if (broken || stuck)
      return fail("cannot write the journal: No space left on device", "free some space");
    rows.insert_or_assign(agent.spec.name, agent);
    return {};
  }
  Done forget(const std::vector<std::string>& agents) override {
    if (broken || stuck)
      return fail("cannot write the journal: No space left on device", "free some space");
    for (const auto& agent : agents) rows.erase(agent);
    return {};
  }
  Result<std::optional<model::Agent>> find(const std::string& name) override {
    for (const auto& [agent, row] : rows)
      if (row.task->order.name == name) return std::optional(row);
    const auto it = rows.find(name);
    return it == rows.end() ? std::optional<model::Agent>{} : std::optional(it->second);
  }
  Result<std::vector<model::Agent>> list(const TaskQuery& query) override {
    std::vector<model::Agent> out;
    for (const auto& [agent, row] : rows)
      if (fits(query, row) && (!query.after || place_of(row) < *query.after)) out.push_back(row);
    std::sort(out.begin(), out.end(),
              [](const auto& a, const auto& b) { return place_of(b) < place_of(a); });
    if (out.size() > query.limit)
      out.erase(out.begin() + static_cast<ptrdiff_t>(query.limit), out.end());
    return out;
  }
  Result<std::vector<model::TaskRow>> list_rows(const TaskQuery& query) override {
    std::vector<model::TaskRow> out;
    const auto agents = list(query);
    for (const auto& agent : *agents) out.push_back(row_of(agent));
    return out;
  }
  Result<size_t> count(const TaskQuery& query) override {
    return static_cast<size_t>(std::count_if(
        rows.begin(), rows.end(), [&](const auto& one) { return fits(query, one.second); }));
  }

  Result<std::vector<model::TaskRow>> oldest(const std::optional<TaskPlace>& after,
                                             size_t limit) override {
    std::vector<model::TaskRow> out;
    for (const auto& [agent, one] : rows)
      if (!after || *after < place_of(one)) out.push_back(row_of(one));
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
      return std::tie(a.over, a.agent) < std::tie(b.over, b.agent);
    });
    if (out.size() > limit) out.resize(limit);
    return out;
  }
  Result<std::optional<model::TaskRow>> row(const std::string& agent) override {
    const auto it = rows.find(agent);
    return it == rows.end() ? std::optional<model::TaskRow>{} : std::optional(row_of(it->second));
  }
  Result<std::optional<model::TaskRow>> find_row(const std::string& name) override {
    const auto agent = *find(name);
    return agent ? std::optional(row_of(*agent)) : std::nullopt;
  }

 private:
  static bool fits(const TaskQuery& query, const model::Agent& row) {
    return (query.statuses.empty() || query.statuses.contains(row.task->status)) &&
           (!query.since || place_of(row).first >= *query.since);
  }
};

}  // namespace pawl::store
