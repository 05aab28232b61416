#include "store/audit.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/test_dir.h"
#include "store/sqlite.h"
#include "store/sqlite_journal.h"

namespace pawl::store {
namespace {

using model::Requested;

struct AuditTest : testing::Test {
  void SetUp() override { open(); }
  void open() {
    journal.reset();
    auto opened = SqliteJournal::open(path);
    ASSERT_TRUE(opened) << opened.error().what;
    journal = std::move(*opened);
  }
  Done asks(const std::string& verb, const std::string& args = {}) {
    return journal->append({{Seq{++seq}, {}, "docs", model::Alerted{model::Severity::info, "x"}},
                            {Seq{++seq}, WallTime{std::chrono::seconds{seq}}, "docs",
                             Requested{verb, {model::kPerson, "", 7}, false, args}}});
  }
  void ask_three() {
    for (const char* verb : {"send", "answer", "stop"}) ASSERT_TRUE(asks(verb, R"({"row":1})"));
  }
  std::vector<std::string> lines() {
    std::vector<std::string> all;
    const auto report = read_audit(path, [&](const auto& entry) { all.push_back(entry); });
    EXPECT_TRUE(report);
    return all;
  }
  std::string broken() { return read_audit(path)->broken; }
  void change(const char* sql) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
    sqlite3_close(db);
  }

  TestDir dir;
  std::string path = dir / "journal.db";
  std::unique_ptr<SqliteJournal> journal;
  uint64_t seq = 0;
};

TEST_F(AuditTest, EveryRequestIsAnEntryThatNamesTheOneBefore) {
  ask_three();
  const auto all = lines();
  ASSERT_EQ(all.size(), 3u);
  const auto first = *Json::parse(all[0]), second = *Json::parse(all[1]);
  EXPECT_EQ(first["n"].as_int(), 1);
  EXPECT_EQ(first["verb"].as_string(), "send");
  EXPECT_EQ(first["agent"].as_string(), "docs");
  EXPECT_EQ(first["args"]["row"].as_int(), 1);
  EXPECT_EQ(first["before"].as_string(), "");
  EXPECT_EQ(second["before"].as_string(), audit_hash(all[0]));
  EXPECT_EQ(read_audit(path)->end, audit_hash(all[2]));
  EXPECT_EQ(broken(), "");
}

TEST_F(AuditTest, ItGoesOnInTheNextLifeAndAfterAFailure) {
  ask_three();
  open();
  EXPECT_FALSE(
      journal->append({{Seq{++seq}, {}, "docs", Requested{"lost", {model::kPerson, "", 7}}},
                       {Seq{1}, {}, "docs", Requested{"twice", {model::kPerson, "", 7}}}}));
  ASSERT_TRUE(asks("rm"));
  const auto all = lines();
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ((*Json::parse(all[3]))["verb"].as_string(), "rm");
  EXPECT_EQ(broken(), "");
}

// At the door of the web server: no event, and an entry all the same.
TEST_F(AuditTest, ANoteIsAnEntryInTheSameChain) {
  ask_three();
  journal->note(WallTime{std::chrono::seconds{9}}, {"link used", {model::kWeb, "operator", 0}});
  ASSERT_TRUE(asks("rm"));
  const auto all = lines();
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ((*Json::parse(all[3]))["verb"].as_string(), "link used");
  EXPECT_TRUE((*Json::parse(all[3]))["seq"].is_null());
  EXPECT_EQ(broken(), "");
  EXPECT_EQ(journal->read(Seq{}, 100)->size(), 8u);
}

TEST_F(AuditTest, WhatIsChangedOrTakenOutIsFound) {
  const std::vector<std::pair<const char*, const char*>> acts{
      {"UPDATE audit SET entry=replace(entry,'answer','report') WHERE n=2", "entry 2 was changed"},
      {"DELETE FROM audit WHERE n=2", "entry 3 comes after 1: something is missing between"},
      {"DELETE FROM audit WHERE n=3", "its end is cut off: the last entry is 2 of 3"},
      {"DELETE FROM audit", "its end is cut off: the last entry is 0 of 3"},
      {"UPDATE audit SET entry='x' WHERE n=1", "entry 1 is no entry"},
  };
  for (const auto& [sql, found] : acts) {
    journal.reset();
    ::unlink(path.c_str());
    ::unlink((path + "-wal").c_str());
    ::unlink((path + "-shm").c_str());
    seq = 0;
    open();
    ask_three();
    change(sql);
    EXPECT_EQ(broken(), found) << sql;
  }
}

// Whoever makes the hash fit, too, is found at the next one.
TEST_F(AuditTest, AChangeWithItsHashIsFoundAtTheNext) {
  ask_three();
  std::string entry = lines()[1];
  entry.replace(entry.find("answer"), 6, "report");
  change(("UPDATE audit SET entry='" + entry + "', hash='" + audit_hash(entry) + "' WHERE n=2")
             .c_str());
  EXPECT_EQ(broken(), "entry 3 does not go on from the one before: one of the two was changed");
}

TEST_F(AuditTest, OldOnesGoAndTheRestIsWhole) {
  ask_three();
  change("DELETE FROM audit WHERE n<=2");  // as trim() does, after a million
  EXPECT_EQ(broken(), "");
  EXPECT_EQ(read_audit(path)->first, 3);
}

TEST_F(AuditTest, AnExportIsFollowedAndItsTornEndIsNamed) {
  ask_three();
  std::string text;
  for (const auto& line : lines()) text += line + "\n";
  EXPECT_EQ(follow_audit(text).broken + follow_audit(text).torn, "");
  const auto torn = follow_audit(text.substr(0, text.size() - 9));
  EXPECT_EQ(torn.broken, "");
  EXPECT_EQ(torn.last, 2);
  EXPECT_NE(torn.torn, "");
  text.replace(text.find("answer"), 6, "report");
  EXPECT_NE(follow_audit(text).broken, "");
  EXPECT_EQ(follow_audit("garbage\n").broken, "entry 1 is no entry");
  EXPECT_EQ(follow_audit("").last, 0);
}

TEST(Audit, WhereNoJournalIsThatIsSaid) {
  TestDir dir;
  EXPECT_FALSE(read_audit(dir / "none.db"));
  EXPECT_EQ(access((dir / "none.db").c_str(), F_OK), -1) << "nothing is made by looking";
}

}  // namespace
}  // namespace pawl::store
