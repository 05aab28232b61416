#include "store/sqlite_journal.h"

#include <sys/stat.h>

#include <array>

#include "store/sqlite.h"

namespace pawl::store {
namespace {

// Step N brings schema N to N + 1. Steps are only ever added.
constexpr std::array<const char*, 4> kMigrations{
    "CREATE TABLE events(seq INTEGER PRIMARY KEY, at_us INTEGER NOT NULL, agent TEXT NOT NULL,"
    " type TEXT NOT NULL, body TEXT NOT NULL) STRICT;"
    "CREATE TABLE snapshots(seq INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;",
    "CREATE INDEX events_by_time ON events(at_us);",
    kAuditTable,
    kTaskTable,
};
constexpr int kBusyTimeoutMs = 2000;
constexpr int64_t kPagesChecked = 16384;  // 64 MiB: a second
constexpr const char* kBrokenFix =
    "restore a copy of it; or move journal.db* away to start with an empty one: pawl ls then names "
    "what still runs, and pawl stop NAME ends it";

tl::unexpected<Error> trouble(sqlite3* db, const std::string& path, const std::string& doing) {
  const int code = sqlite3_errcode(db);
  std::string fix = "look at the file with sqlite3";
  if (code == SQLITE_FULL) fix = "free some space on its disk; pawl goes on by itself";
  if (code == SQLITE_READONLY || code == SQLITE_IOERR || code == SQLITE_CANTOPEN)
    fix = "make its disk writable; pawl goes on by itself";
  if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT) fix = kBrokenFix;
  return fail("cannot " + doing + " the journal " + path + ": " + sqlite3_errmsg(db), fix);
}

bool run(sqlite3* db, const char* sql) {
  return sqlite3_exec(db, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
}

bool without_rows(sqlite3* db, const std::vector<std::string>& agents) {
  if (agents.empty()) return true;
  Statement remove(db, "DELETE FROM tasks WHERE agent=?");
  for (const auto& agent : agents) {
    if (remove.bind(1, agent).step() != SQLITE_DONE) return false;
    remove.reset();
  }
  return true;
}

Result<model::Event> row(Statement& statement) {
  const auto body = Json::parse(statement.text(4));
  if (!body)
    return fail("event " + std::to_string(statement.integer(0)) +
                " is damaged: " + body.error().what);
  auto fact = model::fact_from(statement.text(3), *body);
  if (!fact) return tl::unexpected(fact.error());
  model::Event event{Seq{static_cast<uint64_t>(statement.integer(0))},
                     WallTime{Duration{statement.integer(1)}}, statement.text(2), std::move(*fact)};
  model::read_fence(*body, event);
  return event;
}

}  // namespace

void SqliteJournal::Close::operator()(sqlite3* db) const {
  sqlite3_close(db);
}

SqliteJournal::SqliteJournal(Db db, std::string path, Retention retention)
    : db_(std::move(db)), path_(std::move(path)), retention_(retention), tasks_(db_.get(), path_) {}

SqliteJournal::~SqliteJournal() = default;

Result<std::unique_ptr<SqliteJournal>> SqliteJournal::open(const std::string& path,
                                                           Retention retention) {
  sqlite3* raw = nullptr;
  const mode_t before = ::umask(0077);
  const int opened =
      sqlite3_open_v2(path.c_str(), &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  ::umask(before);
  Db db(raw);
  if (opened != SQLITE_OK) return trouble(raw, path, "open");
  sqlite3_busy_timeout(raw, kBusyTimeoutMs);
  // NORMAL survives any kill of ours; a power cut may take the last moments, and it takes the agents with it.
  if (!run(raw, "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"))
    return trouble(raw, path, "open");
  std::unique_ptr<SqliteJournal> journal(new SqliteJournal(std::move(db), path, retention));
  if (auto migrated = journal->migrate(); !migrated) return tl::unexpected(migrated.error());
  return journal;
}

Result<Seq> SqliteJournal::check(const std::string& path) {
  sqlite3* raw = nullptr;
  const int opened = sqlite3_open_v2(path.c_str(), &raw, SQLITE_OPEN_READONLY, nullptr);
  const Db db(raw);
  if (opened != SQLITE_OK) return trouble(raw, path, "open");
  sqlite3_busy_timeout(raw, kBusyTimeoutMs);
  Statement last(raw, "SELECT max(seq) FROM events");
  if (last.step() != SQLITE_ROW) return trouble(raw, path, "read");
  const Seq seq{static_cast<uint64_t>(last.integer(0))};
  if (query_integer(raw, "PRAGMA page_count", 0) > kPagesChecked) return seq;
  Statement whole(raw, "PRAGMA quick_check(1)");
  if (whole.step() != SQLITE_ROW) return trouble(raw, path, "read");
  if (const std::string found = whole.text(0); found != "ok")
    return fail("the journal " + path + " is damaged: " + found, kBrokenFix);
  return seq;
}

Done SqliteJournal::migrate() {
  int64_t version = query_integer(db_.get(), "PRAGMA user_version", -1);
  if (version < 0) return trouble(db_.get(), path_, "read");
  const auto newest = static_cast<int64_t>(kMigrations.size());
  if (version > newest)
    return fail("the journal " + path_ + " was written by a newer pawl (schema " +
                    std::to_string(version) + ")",
                "upgrade pawl, or use another PAWL_HOME");
  for (; version < newest; ++version) {
    const std::string step = std::string("BEGIN IMMEDIATE;") +
                             kMigrations[static_cast<size_t>(version)] +
                             "PRAGMA user_version=" + std::to_string(version + 1) + ";COMMIT;";
    if (run(db_.get(), step.c_str())) continue;
    const auto error = trouble(db_.get(), path_, "upgrade");
    run(db_.get(), "ROLLBACK");
    return error;
  }
  audit_.open(db_.get());
  last_snapshot_ =
      Seq{static_cast<uint64_t>(query_integer(db_.get(), "SELECT max(seq) FROM snapshots", 0))};
  return {};
}

Done SqliteJournal::append(const std::vector<model::Event>& events) {
  if (events.empty()) return {};
  bool fine = run(db_.get(), "BEGIN IMMEDIATE");
  {
    Statement insert(db_.get(), "INSERT INTO events VALUES(?,?,?,?,?)");
    for (const auto& event : events) {
      if (!fine) break;
      insert.bind(1, static_cast<int64_t>(event.seq.value))
          .bind(2, event.at.time_since_epoch().count());
      insert.bind(3, event.agent)
          .bind(4, model::type_of(event.fact))
          .bind(5, model::body_of(event).dump());
      fine = insert.step() == SQLITE_DONE && audit_.add(db_.get(), event) &&
             without_rows(db_.get(), rows_gone(event));
      if (fine) insert.reset();
    }
    if (fine) fine = run(db_.get(), "COMMIT");
    if (fine) return {};
  }
  const auto error = trouble(db_.get(), path_, "write");
  run(db_.get(), "ROLLBACK");
  audit_.rolled_back(db_.get());
  return error;
}

void SqliteJournal::note(WallTime at, const model::Requested& what) {
  if (run(db_.get(), "BEGIN IMMEDIATE") && audit_.add(db_.get(), {{}, at, "", what}) &&
      run(db_.get(), "COMMIT"))
    return;
  run(db_.get(), "ROLLBACK");
  audit_.rolled_back(db_.get());
}

Result<model::Fleet> SqliteJournal::recover() {
  model::Fleet fleet;
  {
    Statement snapshot(db_.get(), "SELECT body FROM snapshots ORDER BY seq DESC LIMIT 1");
    if (snapshot.step() == SQLITE_ROW) {
      const auto json = Json::parse(snapshot.text(0));
      auto folded =
          json ? model::fleet_from(*json) : Result<model::Fleet>(fail("the snapshot is damaged"));
      if (!folded) return tl::unexpected(folded.error());
      fleet = std::move(*folded);
    }
  }
  Statement rows(db_.get(),
                 "SELECT seq,at_us,agent,type,body FROM events WHERE seq>? ORDER BY seq");
  rows.bind(1, static_cast<int64_t>(fleet.last.value));
  int got = SQLITE_DONE;
  while ((got = rows.step()) == SQLITE_ROW) {
    const auto event = row(rows);
    if (!event) return tl::unexpected(event.error());
    model::apply(fleet, *event);
  }
  if (got != SQLITE_DONE) return trouble(db_.get(), path_, "read");
  return fleet;
}

Result<std::vector<model::Event>> SqliteJournal::read(Seq after, size_t limit) {
  Statement rows(db_.get(),
                 "SELECT seq,at_us,agent,type,body FROM events WHERE seq>? ORDER BY seq LIMIT ?");
  rows.bind(1, static_cast<int64_t>(after.value)).bind(2, static_cast<int64_t>(limit));
  std::vector<model::Event> events;
  int got = SQLITE_DONE;
  while ((got = rows.step()) == SQLITE_ROW) {
    auto event = row(rows);
    if (!event) return tl::unexpected(event.error());
    events.push_back(std::move(*event));
  }
  if (got != SQLITE_DONE) return trouble(db_.get(), path_, "read");
  return events;
}

Result<Seq> SqliteJournal::seq_at(WallTime time) {
  Statement rows(db_.get(), "SELECT max(seq) FROM events WHERE at_us<=?");
  rows.bind(1, time.time_since_epoch().count());
  if (rows.step() != SQLITE_ROW) return trouble(db_.get(), path_, "read");
  return Seq{static_cast<uint64_t>(rows.integer(0))};
}

Done SqliteJournal::copy_to(const std::string& path) const {
  const mode_t before = ::umask(0077);
  Statement copy(db_.get(), "VACUUM INTO ?");
  const bool fine = copy.bind(1, path).step() == SQLITE_DONE;
  ::umask(before);
  return fine ? Done() : trouble(db_.get(), path, "write");
}

Done SqliteJournal::keep_house(const model::Fleet& fleet, WallTime now) {
  if (static_cast<int64_t>(fleet.last.value - last_snapshot_.value) < retention_.snapshot_every)
    return {};
  const auto oldest =
      now - std::chrono::duration_cast<Duration>(
                std::chrono::duration<double, std::ratio<86400>>(retention_.max_age_days));
  bool fine = run(db_.get(), "BEGIN IMMEDIATE");
  if (fine) {
    Statement snapshot(db_.get(), "INSERT OR REPLACE INTO snapshots VALUES(?,?)");
    snapshot.bind(1, static_cast<int64_t>(fleet.last.value)).bind(2, model::to_json(fleet).dump());
    Statement trim(db_.get(), "DELETE FROM events WHERE seq<=? AND (at_us<? OR seq<=?)");
    trim.bind(1, static_cast<int64_t>(fleet.last.value)).bind(2, oldest.time_since_epoch().count());
    trim.bind(3, static_cast<int64_t>(fleet.last.value) - retention_.max_events);
    Statement old(db_.get(), "DELETE FROM snapshots WHERE seq<?");
    old.bind(1, static_cast<int64_t>(last_snapshot_.value));  // keeps the one before, too
    fine = snapshot.step() == SQLITE_DONE && trim.step() == SQLITE_DONE &&
           old.step() == SQLITE_DONE && audit_.trim(db_.get());
  }
  if (fine && run(db_.get(), "COMMIT")) {
    last_snapshot_ = fleet.last;
    return {};
  }
  const auto error = trouble(db_.get(), path_, "tidy");
  run(db_.get(), "ROLLBACK");
  return error;
}

}  // namespace pawl::store
