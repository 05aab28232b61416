#include "store/task_table.h"

#include "store/sqlite.h"

namespace pawl::store {
namespace {

int64_t us(WallTime time) {
  return time.time_since_epoch().count();
}

// As a list of SQL: words of ours, with nothing in them to quote.
std::string words(const std::set<model::TaskStatus>& statuses) {
  std::string out;
  for (const auto status : statuses)
    out += (out.empty() ? "'" : ",'") + std::string(word(status)) + "'";
  return out;
}

std::string condition(const TaskQuery& query) {
  std::string out = " WHERE 1";
  if (!query.statuses.empty()) out += " AND status IN (" + words(query.statuses) + ")";
  if (query.since) out += " AND over_us>=" + std::to_string(us(*query.since));
  return out;
}

// The folders alone, not the whole record: there may be tens of thousands.
constexpr const char* kRowColumns =
    "SELECT agent,task,over_us,read,json_extract(record,'$.task.order.dir'),"
    "json_extract(record,'$.task.order.worktree') FROM tasks";

// By its own name, or else its agent's.
constexpr const char* kByName = " WHERE agent=?1 OR task=?1 ORDER BY task=?1 DESC LIMIT 1";

std::string last_part(const std::string& dir) {
  return dir.substr(dir.rfind('/') + 1);
}

model::TaskRow row_in(Statement& rows) {
  const std::string dir = rows.text(4);
  return {rows.text(0),         rows.text(1), last_part(dir), WallTime{Duration{rows.integer(2)}},
          rows.integer(3) != 0, dir,          rows.text(5)};
}

// Those of a page, the newest first.
std::string page_of(const TaskQuery& query) {
  return condition(query) + (query.after ? " AND (over_us,agent)<(?2,?3)" : "") +
         " ORDER BY over_us DESC, agent DESC LIMIT ?1";
}

void bind_page(Statement& rows, const TaskQuery& query) {
  rows.bind(1, static_cast<int64_t>(query.limit));
  if (query.after) rows.bind(2, us(query.after->first)).bind(3, query.after->second);
}

Result<model::Agent> agent_in(const std::string& record) {
  const auto json = Json::parse(record);
  if (!json) return fail("the journal's row of a task is damaged: " + json.error().what);
  auto agent = model::agent_from(*json);
  if (agent && !agent->task) return fail("the journal's row of a task has no task");
  return agent;
}

}  // namespace

TaskPlace place_of(const model::Agent& agent) {
  return {agent.task->finished.value_or(agent.task->started), agent.spec.name};
}

model::TaskRow row_of(const model::Agent& agent) {
  const model::TaskOrder& order = agent.task->order;
  return {agent.spec.name,  order.name, last_part(order.dir), place_of(agent).first,
          agent.task->read, order.dir,  order.worktree};
}

std::vector<std::string> rows_gone(const model::Event& event) {
  if (std::holds_alternative<model::Removed>(event.fact)) return {event.agent};
  const auto* fact = std::get_if<model::Forgotten>(&event.fact);
  if (!fact || fact->upto || fact->what != model::Forget::tasks) return {};
  return fact->names;
}

tl::unexpected<Error> TaskTable::trouble(const std::string& doing) const {
  return fail("cannot " + doing + " the tasks in " + path_ + ": " + sqlite3_errmsg(db_),
              "free some space on its disk, or look at the file with sqlite3");
}

Done TaskTable::keep(const model::Agent& agent) {
  Statement insert(db_, "INSERT OR REPLACE INTO tasks VALUES(?,?,?,?,?,?)");
  insert.bind(1, agent.spec.name).bind(2, agent.task->order.name).bind(3, word(agent.task->status));
  insert.bind(4, us(place_of(agent).first)).bind(5, int64_t{agent.task->read ? 1 : 0});
  insert.bind(6, to_json(agent).dump());
  return insert.step() == SQLITE_DONE ? Done() : trouble("write");
}

Done TaskTable::forget(const std::vector<std::string>& agents) {
  bool fine = sqlite3_exec(db_, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) == SQLITE_OK;
  {
    Statement remove(db_, "DELETE FROM tasks WHERE agent=?");
    for (const auto& agent : agents) {
      fine = fine && remove.bind(1, agent).step() == SQLITE_DONE;
      remove.reset();
    }
  }
  if (fine && sqlite3_exec(db_, "COMMIT", nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  const auto error = trouble("write");
  sqlite3_exec(db_, "ROLLBACK", nullptr, nullptr, nullptr);
  return error;
}

Result<std::optional<model::Agent>> TaskTable::find(const std::string& name) {
  Statement rows(db_, (std::string("SELECT record FROM tasks") + kByName).c_str());
  const int got = rows.bind(1, name).step();
  if (got == SQLITE_DONE) return std::optional<model::Agent>{};
  if (got != SQLITE_ROW) return trouble("read");
  auto agent = agent_in(rows.text(0));
  if (!agent) return tl::unexpected(agent.error());
  return std::optional(std::move(*agent));
}

Result<std::vector<model::Agent>> TaskTable::list(const TaskQuery& query) {
  Statement rows(db_, ("SELECT record FROM tasks" + page_of(query)).c_str());
  bind_page(rows, query);
  std::vector<model::Agent> out;
  int got = SQLITE_DONE;
  while ((got = rows.step()) == SQLITE_ROW) {
    auto agent = agent_in(rows.text(0));
    if (!agent) return tl::unexpected(agent.error());
    out.push_back(std::move(*agent));
  }
  if (got != SQLITE_DONE) return trouble("read");
  return out;
}

Result<std::vector<model::TaskRow>> TaskTable::oldest(const std::optional<TaskPlace>& after,
                                                      size_t limit) {
  const std::string sql = std::string(kRowColumns) +
                          (after ? " WHERE (over_us,agent)>(?2,?3)" : "") +
                          " ORDER BY over_us, agent LIMIT ?1";
  Statement rows(db_, sql.c_str());
  rows.bind(1, static_cast<int64_t>(limit));
  if (after) rows.bind(2, us(after->first)).bind(3, after->second);
  return all_in(rows);
}

Result<std::vector<model::TaskRow>> TaskTable::list_rows(const TaskQuery& query) {
  Statement rows(db_, (kRowColumns + page_of(query)).c_str());
  bind_page(rows, query);
  return all_in(rows);
}

Result<std::vector<model::TaskRow>> TaskTable::all_in(Statement& rows) const {
  std::vector<model::TaskRow> out;
  int got = SQLITE_DONE;
  while ((got = rows.step()) == SQLITE_ROW) out.push_back(row_in(rows));
  if (got != SQLITE_DONE) return trouble("read");
  return out;
}

Result<std::optional<model::TaskRow>> TaskTable::row(const std::string& agent) {
  return one_where(" WHERE agent=?1", agent);
}

Result<std::optional<model::TaskRow>> TaskTable::find_row(const std::string& name) {
  return one_where(kByName, name);
}

Result<std::optional<model::TaskRow>> TaskTable::one_where(const char* condition,
                                                           const std::string& name) {
  Statement rows(db_, (std::string(kRowColumns) + condition).c_str());
  const int got = rows.bind(1, name).step();
  if (got == SQLITE_DONE) return std::optional<model::TaskRow>{};
  if (got != SQLITE_ROW) return trouble("read");
  return std::optional(row_in(rows));
}

Result<size_t> TaskTable::count(const TaskQuery& query) {
  Statement rows(db_, ("SELECT count(*) FROM tasks" + condition(query)).c_str());
  if (rows.step() != SQLITE_ROW) return trouble("read");
  return static_cast<size_t>(rows.integer(0));
}

}  // namespace pawl::store
