#pragma once
// The journal on disk: one SQLite file in WAL mode, readable by anybody with sqlite3 (doc/journal.md has the tables).

#include <memory>

#include "store/audit.h"
#include "store/journal.h"
#include "store/task_table.h"

struct sqlite3;

namespace pawl::store {

struct Retention {
  double max_age_days = 90;
  int64_t max_events = 2'000'000;
  int64_t snapshot_every = 2000;  // events between two snapshots
};

class SqliteJournal : public Journal {
 public:
  // Opens or creates the file, 0600; brings an older schema up to date, refuses a newer one.
  static Result<std::unique_ptr<SqliteJournal>> open(const std::string& path,
                                                     Retention retention = {});
  ~SqliteJournal() override;
  // Reads a file that is there, and all of it when it is not large; changes nothing. Gives its last event.
  static Result<Seq> check(const std::string& path);

  Done append(const std::vector<model::Event>& events) override;
  Result<model::Fleet> recover() override;
  Result<std::vector<model::Event>> read(Seq after, size_t limit) override;
  Result<Seq> seq_at(WallTime time) override;
  FiledTasks& tasks() override { return tasks_; }
  void note(WallTime at, const model::Requested& what) override;

  // All of it into a file that is not there yet, also when our own was removed.
  Done copy_to(const std::string& path) const;
  // Writes a snapshot when enough events came since the last one, and then drops what retention allows.
  // Called by the daemon between turns; a failure costs nothing but a longer start.
  Done keep_house(const model::Fleet& fleet, WallTime now);

 private:
  struct Close {
    void operator()(sqlite3* db) const;
  };
  using Db = std::unique_ptr<sqlite3, Close>;
  SqliteJournal(Db db, std::string path, Retention retention);
  Done migrate();

  Db db_;
  std::string path_;
  Retention retention_;
  Seq last_snapshot_;
  AuditChain audit_;
  TaskTable tasks_;
};

}  // namespace pawl::store
