#pragma once
// Tasks that are over, when the fleet knows them no more (model::TaskFiled): rows of the journal's file, read when somebody asks.
// Nothing of them is kept in memory. The daemon's are in SQLite (store/task_table.h), those of tests in a map
// (store/memory_tasks.h).
//
// The fleet comes first: a row of a task that is in the fleet is what a kill left behind, and says nothing.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/fleet.h"

namespace pawl::store {

// Where a page ends: the time at which its last task was over, and that one's agent.
using TaskPlace = std::pair<WallTime, std::string>;

struct TaskQuery {
  std::set<model::TaskStatus> statuses = {};  // empty: all of them
  std::optional<WallTime> since = {};         // over then, or later
  std::optional<TaskPlace> after = {};        // the page after this one
  size_t limit = 100;
};

TaskPlace place_of(const model::Agent& agent);
model::TaskRow row_of(const model::Agent& agent);
// The agents whose rows go in the transaction that writes this event.
std::vector<std::string> rows_gone(const model::Event& event);

class FiledTasks {
 public:
  virtual ~FiledTasks() = default;

  // Anew, or in place of what was kept of it.
  virtual Done keep(const model::Agent& agent) = 0;
  virtual Done forget(const std::vector<std::string>& agents) = 0;
  // By its own name, or else its agent's.
  virtual Result<std::optional<model::Agent>> find(const std::string& name) = 0;
  // The newest first.
  virtual Result<std::vector<model::Agent>> list(const TaskQuery& query) = 0;
  // The same, without their records: a tenth of the time.
  virtual Result<std::vector<model::TaskRow>> list_rows(const TaskQuery& query) = 0;
  // All that fit, whatever the limit.
  virtual Result<size_t> count(const TaskQuery& query) = 0;
  // What retention wants to know of them, the oldest first, those after this place.
  virtual Result<std::vector<model::TaskRow>> oldest(const std::optional<TaskPlace>& after,
                                                     size_t limit) = 0;
  // As find(), without the record.
  virtual Result<std::optional<model::TaskRow>> find_row(const std::string& name) = 0;
  // Of this agent.
  virtual Result<std::optional<model::TaskRow>> row(const std::string& agent) = 0;
};

}  // namespace pawl::store
