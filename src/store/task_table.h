#pragma once
// The table of tasks that are over, in the journal's file.

#include <string>

#include "store/filed_tasks.h"

struct sqlite3;

namespace pawl::store {

class Statement;

inline constexpr const char* kTaskTable =
    "CREATE TABLE tasks(agent TEXT PRIMARY KEY, task TEXT NOT NULL, status TEXT NOT NULL,"
    " over_us INTEGER NOT NULL, read INTEGER NOT NULL, record TEXT NOT NULL) STRICT;"
    "CREATE INDEX tasks_by_time ON tasks(over_us, agent);"
    "CREATE INDEX tasks_by_name ON tasks(task);";

class TaskTable : public FiledTasks {
 public:
  // Both belong to the journal.
  TaskTable(sqlite3* db, const std::string& path) : db_(db), path_(path) {}

  Done keep(const model::Agent& agent) override;
  Done forget(const std::vector<std::string>& agents) override;
  Result<std::optional<model::Agent>> find(const std::string& name) override;
  Result<std::vector<model::Agent>> list(const TaskQuery& query) override;
  Result<std::vector<model::TaskRow>> list_rows(const TaskQuery& query) override;
  Result<size_t> count(const TaskQuery& query) override;
  Result<std::vector<model::TaskRow>> oldest(const std::optional<TaskPlace>& after,
                                             size_t limit) override;
  Result<std::optional<model::TaskRow>> row(const std::string& agent) override;
  Result<std::optional<model::TaskRow>> find_row(const std::string& name) override;

 private:
  tl::unexpected<Error> trouble(const std::string& doing) const;
  Result<std::vector<model::TaskRow>> all_in(Statement& rows) const;
  Result<std::optional<model::TaskRow>> one_where(const char* condition, const std::string& name);

  sqlite3* db_;
  const std::string& path_;
};

}  // namespace pawl::store
