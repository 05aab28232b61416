#include "store/sqlite_journal.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/test_dir.h"
#include "base/test_full_disk.h"
#include "model/everything.h"
#include "os/file.h"
#include "store/test_database.h"

namespace pawl::store {
namespace {

using model::Event;

std::unique_ptr<SqliteJournal> open(const std::string& path, Retention retention = {}) {
  auto journal = SqliteJournal::open(path, retention);
  EXPECT_TRUE(journal) << text_of(journal.error());
  return journal ? std::move(*journal) : nullptr;
}

TEST(SqliteJournal, StartsEmpty) {
  TestDir dir;
  const auto journal = open(dir / "j");
  EXPECT_EQ(*journal->recover(), model::Fleet{});
  EXPECT_TRUE(journal->read(Seq{}, 10)->empty());
  EXPECT_EQ(journal->seq_at(at(9)), Seq{});
}

TEST(SqliteJournal, RecoversTheFoldAfterReopening) {
  TestDir dir;
  const auto events = some_life("a", 40);
  ASSERT_TRUE(open(dir / "j")->append(events));
  const auto journal = open(dir / "j");
  EXPECT_EQ(*journal->recover(), fold(events));
  EXPECT_EQ(*journal->read(Seq{}, 1000), events);
}

TEST(SqliteJournal, KeepsTheFenceOfATaskOfTheFleet) {
  TestDir dir;
  auto events = some_life("a", 2);
  events[1].unit = "u1";
  events[1].fence = 12;
  ASSERT_TRUE(open(dir / "j")->append(events));
  EXPECT_EQ(*open(dir / "j")->read(Seq{}, 10), events);
}

TEST(SqliteJournal, ReadsAfterANumberAndUpToALimit) {
  TestDir dir;
  const auto journal = open(dir / "j");
  const auto events = some_life("a", 10);
  ASSERT_TRUE(journal->append({events.begin(), events.begin() + 4}));
  ASSERT_TRUE(journal->append({events.begin() + 4, events.end()}));
  EXPECT_EQ(*journal->read(Seq{3}, 2), (std::vector<Event>{events[3], events[4]}));
  EXPECT_EQ(journal->read(Seq{9}, 100)->size(), 1u);
  EXPECT_TRUE(journal->read(Seq{10}, 100)->empty());
  EXPECT_TRUE(journal->append({})) << "nothing is easily written";
}

TEST(SqliteJournal, FindsTheLastEventOfATime) {
  TestDir dir;
  const auto journal = open(dir / "j");
  ASSERT_TRUE(journal->append(some_life("a", 10)));  // one a second, from 1
  EXPECT_EQ(journal->seq_at(at(0)), Seq{0});
  EXPECT_EQ(journal->seq_at(at(4)), Seq{4});
  EXPECT_EQ(journal->seq_at(at(4) + std::chrono::milliseconds{999}), Seq{4});
  EXPECT_EQ(journal->seq_at(at(99)), Seq{10});
}

TEST(SqliteJournal, WritesAllOrNothing) {
  TestDir dir;
  const auto journal = open(dir / "j");
  const auto events = some_life("a", 6);
  ASSERT_TRUE(journal->append({events.begin(), events.begin() + 3}));
  const auto refused =
      journal->append({events[3], events[4], events[2]});  // the last is there already
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what,
            "cannot write the journal " + dir / "j" + ": UNIQUE constraint failed: events.seq");
  EXPECT_EQ(journal->read(Seq{}, 100)->size(), 3u);
  ASSERT_TRUE(journal->append({events.begin() + 3, events.end()})) << "and goes on";
  EXPECT_EQ(*journal->read(Seq{}, 100), events);
}

TEST(SqliteJournal, ItsCopyIsWholeAlsoWhenItsOwnFilesWereRemoved) {
  TestDir dir;
  const auto journal = open(dir / "j");
  const auto events = some_life("a", 6);
  ASSERT_TRUE(journal->append({events.begin(), events.begin() + 3}));
  for (const char* rest : {"", "-wal", "-shm"}) os::remove_file(dir / "j" + rest);
  ASSERT_TRUE(journal->append({events.begin() + 3, events.end()})) << "it does not notice";
  const auto copied = journal->copy_to(dir / "copy");
  ASSERT_TRUE(copied) << text_of(copied.error());
  EXPECT_EQ(*open(dir / "copy")->read(Seq{}, 100), events);
  EXPECT_FALSE(journal->copy_to(dir / "copy")) << "nothing is written over";
  EXPECT_EQ(*open(dir / "copy")->read(Seq{}, 100), events);
}

TEST(SqliteJournal, KeepsSnapshotsAndForgetsByCount) {
  TestDir dir;
  const Retention small{1000, 20, 10};
  const auto events = some_life("a", 95);
  auto journal = open(dir / "j", small);
  model::Fleet fleet;
  for (size_t i = 0; i < events.size(); ++i) {
    ASSERT_TRUE(journal->append({events[i]}));
    apply(fleet, events[i]);
    ASSERT_TRUE(journal->keep_house(fleet, at(95)));
  }
  const auto left = *journal->read(Seq{}, 1000);
  EXPECT_EQ(left.front().seq, Seq{71}) << "20 before the last snapshot (90), and what came after";
  EXPECT_EQ(left.back().seq, Seq{95});
  EXPECT_EQ(*journal->recover(), fold(events));
  journal.reset();
  journal = open(dir / "j", small);
  EXPECT_EQ(*journal->recover(), fold(events)) << "after reopening too";
  EXPECT_EQ(Database(dir / "j").number("SELECT count(*) FROM snapshots"), 2)
      << "the newest and the one before";
}

TEST(SqliteJournal, ForgetsByAgeAndTheFoldStays) {
  TestDir dir;
  const auto events = some_life("a", 30);
  const auto journal = open(dir / "j", {1.0, 1'000'000, 10});
  ASSERT_TRUE(journal->append(events));
  ASSERT_TRUE(journal->keep_house(fold(events), at(86400 + 11)));
  EXPECT_EQ(journal->read(Seq{}, 1000)->front().seq, Seq{11});
  EXPECT_EQ(*journal->recover(), fold(events));
}

TEST(SqliteJournal, KeepsHouseOnlyWhenEnoughHappened) {
  TestDir dir;
  const auto events = some_life("a", 30);
  const auto journal = open(dir / "j", {0.0, 0, 31});
  ASSERT_TRUE(journal->append(events));
  ASSERT_TRUE(journal->keep_house(fold(events), at(9999999)));
  EXPECT_EQ(journal->read(Seq{}, 1000)->size(), 30u);
}

TEST(SqliteJournal, IsPrivateWhateverTheUmask) {
  TestDir dir;
  const mode_t before = ::umask(0);
  {
    const auto journal = open(dir / "j");
    ASSERT_TRUE(journal->append(some_life("a", 3)));
    for (const auto& name : os::list_dir(dir.path())) {
      struct stat info {};
      ASSERT_EQ(::stat((dir / name).c_str(), &info), 0);
      EXPECT_EQ(info.st_mode & 0777, 0600u) << name;
    }
    EXPECT_EQ(os::list_dir(dir.path()).size(), 3u) << "the file, its log and its index";
  }
  EXPECT_EQ(::umask(before), 0u);
}

// Every schema there ever was, made by hand, with rows.
TEST(SqliteJournal, MigratesEverySchema) {
  const auto events = some_life("a", 12);
  for (int version = 0; version <= 3; ++version) {
    TestDir dir;
    if (version > 0) {
      Database db(dir / "j");
      db.run(
          "CREATE TABLE events(seq INTEGER PRIMARY KEY, at_us INTEGER NOT NULL, agent TEXT NOT "
          "NULL,"
          " type TEXT NOT NULL, body TEXT NOT NULL) STRICT;"
          "CREATE TABLE snapshots(seq INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;");
      if (version > 1) db.run("CREATE INDEX events_by_time ON events(at_us)");
      if (version > 2) db.run(kAuditTable);
      for (const auto& event : events) db.insert(event);
      db.run("PRAGMA user_version=" + std::to_string(version));
    } else {
      Database(dir / "j").run("PRAGMA user_version=0");
    }
    const auto journal = open(dir / "j");
    ASSERT_TRUE(journal) << version;
    const auto expected = version > 0 ? events : std::vector<Event>{};
    EXPECT_EQ(*journal->read(Seq{}, 1000), expected) << version;
    EXPECT_EQ(*journal->recover(), fold(expected)) << version;
    Database db(dir / "j");
    EXPECT_EQ(db.number("PRAGMA user_version"), 4) << version;
    for (const char* table : {"audit", "tasks"})
      EXPECT_EQ(
          db.number("SELECT count(*) FROM sqlite_master WHERE name='" + std::string(table) + "'"),
          1)
          << version << table;
    EXPECT_EQ(db.number("SELECT count(*) FROM sqlite_master WHERE name='events_by_time'"), 1)
        << version;
  }
}

TEST(SqliteJournal, ANewerSchemaIsRefusedAndLeftAlone) {
  TestDir dir;
  Database(dir / "j").run("CREATE TABLE events(x); PRAGMA user_version=5");
  const auto refused = SqliteJournal::open(dir / "j");
  ASSERT_FALSE(refused);
  EXPECT_EQ(text_of(refused.error()),
            "the journal " + dir / "j" +
                " was written by a newer pawl (schema 5): upgrade pawl, or use another PAWL_HOME");
  EXPECT_EQ(Database(dir / "j").number("PRAGMA user_version"), 5);
}

TEST(SqliteJournal, AFileThatIsNoDatabaseIsRefusedAndLeftAlone) {
  TestDir dir;
  const std::string text(5000, 'x');
  ASSERT_TRUE(os::write_atomically(dir / "j", text));
  const auto refused = SqliteJournal::open(dir / "j");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what,
            "cannot open the journal " + dir / "j" + ": file is not a database");
  EXPECT_EQ(
      refused.error().fix,
      "restore a copy of it; or move journal.db* away to start with an empty one: pawl ls then "
      "names what still runs, and pawl stop NAME ends it");
  EXPECT_EQ(os::read_file(dir / "j"), text);
  EXPECT_FALSE(SqliteJournal::open(dir / "no/j"));
}

TEST(SqliteJournal, ADamagedRowIsNamed) {
  TestDir dir;
  ASSERT_TRUE(open(dir / "j")->append(some_life("a", 3)));
  Database(dir / "j").run("UPDATE events SET body='{' WHERE seq=2");
  const auto journal = open(dir / "j");
  const auto refused = journal->recover();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what.substr(0, 18), "event 2 is damaged");
}

// A disk that is full at every place of the log in turn, and has room again.
TEST(SqliteJournal, AFullDiskRefusesAndThenEverythingGoesOn) {
  TestDir dir;
  const auto events = some_life("a", 300);
  const auto journal = open(dir / "j");
  size_t next = 0, refused = 0;
  while (next < events.size()) {
    const size_t end = std::min(next + 10, events.size());
    const std::vector<Event> batch(&events[next], &events[next] + (end - next));
    {
      FullDisk full(os::file_size(dir / "j-wal") + next * 37 % 9000);
      const auto written = journal->append(batch);
      next = written ? end : next;
      refused += written ? 0 : 1;
      if (!written) {
        EXPECT_EQ(written.error().fix, "make its disk writable; pawl goes on by itself");
      }
    }
    EXPECT_EQ(journal->read(Seq{}, 1000)->size(), next);
    if (next == end) continue;
    const auto retried = journal->append(batch);
    ASSERT_TRUE(retried) << text_of(retried.error());
    next = end;
  }
  EXPECT_GT(refused, 3u);
  EXPECT_EQ(*journal->read(Seq{}, 1000), events);
  EXPECT_EQ(*open(dir / "j")->recover(), fold(events));
}

}  // namespace
}  // namespace pawl::store
