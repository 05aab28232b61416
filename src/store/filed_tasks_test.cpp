// Both kinds of filed tasks keep the same promises.

#include <gtest/gtest.h>

#include <functional>

#include "base/test_dir.h"
#include "base/test_full_disk.h"
#include "model/everything.h"
#include "store/memory_tasks.h"
#include "store/sqlite_journal.h"

namespace pawl::store {
namespace {

using model::TaskStatus;

model::Agent task(const std::string& name, int64_t over,
                  TaskStatus status = TaskStatus::completed) {
  model::Agent agent = model::full_agent("claude-" + name);
  agent.task->order.name = name;
  agent.task->status = status;
  agent.task->finished = model::wall(over);
  return agent;
}

std::vector<std::string> names(const Result<std::vector<model::Agent>>& agents) {
  std::vector<std::string> out;
  for (const auto& one : agents.value_or(std::vector<model::Agent>{}))
    out.push_back(one.task->order.name);
  return out;
}

using Names = std::vector<std::string>;

struct FiledTasksTest : testing::TestWithParam<bool> {
  TestDir dir;
  std::unique_ptr<SqliteJournal> journal =
      GetParam() ? std::move(*SqliteJournal::open(dir / "j")) : nullptr;
  MemoryTasks memory;
  FiledTasks& tasks = journal ? journal->tasks() : memory;
};

TEST_P(FiledTasksTest, GiveBackWhatWasKept) {
  EXPECT_EQ(*tasks.find("a"), std::nullopt);
  ASSERT_TRUE(tasks.keep(task("a", 1)));
  EXPECT_EQ(*tasks.find("a"), task("a", 1));
  EXPECT_EQ(*tasks.find("claude-a"), task("a", 1)) << "by its agent's name";
  EXPECT_EQ(*tasks.find("b"), std::nullopt);
  model::Agent read = task("a", 1);
  read.task->read = !read.task->read;
  ASSERT_TRUE(tasks.keep(read));
  EXPECT_EQ(*tasks.find("a"), read);
  EXPECT_EQ(*tasks.count({}), 1u);
}

TEST_P(FiledTasksTest, TheirRowsAreWhatTheirRecordsSay) {
  model::Agent apart = task("apart", 2);
  apart.task->order.worktree = "/home/x/trees/apart";
  ASSERT_TRUE(tasks.keep(task("a", 1)));
  ASSERT_TRUE(tasks.keep(apart));
  ASSERT_TRUE(tasks.keep(task("c", 3, TaskStatus::failed)));
  EXPECT_EQ(*tasks.find_row("apart"), row_of(apart));
  EXPECT_EQ(*tasks.find_row("claude-apart"), row_of(apart)) << "by its agent's name";
  EXPECT_EQ(*tasks.find_row("d"), std::nullopt);
  const auto two = tasks.list_rows({.limit = 2});
  ASSERT_TRUE(two);
  EXPECT_EQ(*two, (std::vector{row_of(task("c", 3, TaskStatus::failed)), row_of(apart)}));
  const auto rest = tasks.list_rows({.after = place_of(apart), .limit = 2});
  EXPECT_EQ(*rest, std::vector{row_of(task("a", 1))});
  EXPECT_EQ(tasks.list_rows({.statuses = {TaskStatus::failed}})->size(), 1u);
}

TEST_P(FiledTasksTest, ATasksOwnNameComesFirst) {
  ASSERT_TRUE(tasks.keep(task("a", 1)));
  ASSERT_TRUE(tasks.keep(task("claude-a", 2)));
  EXPECT_EQ((*tasks.find("claude-a"))->spec.name, "claude-claude-a");
}

TEST_P(FiledTasksTest, AreListedFromTheNewestInPages) {
  for (const auto& [name, over] : {std::pair("b", 2), {"a", 3}, {"d", 1}, {"c", 2}})
    ASSERT_TRUE(tasks.keep(task(name, over)));
  EXPECT_EQ(names(tasks.list({})), (Names{"a", "c", "b", "d"}));
  TaskQuery page;
  page.limit = 3;
  const auto first = tasks.list(page);
  EXPECT_EQ(names(first), (Names{"a", "c", "b"}));
  page.after = place_of(first->back());
  EXPECT_EQ(names(tasks.list(page)), Names{"d"});
  page.after = place_of((*first)[1]);
  EXPECT_EQ(names(tasks.list(page)), (Names{"b", "d"})) << "also within one instant";
}

TEST_P(FiledTasksTest, AreChosenByStatusAndTime) {
  ASSERT_TRUE(tasks.keep(task("a", 1)));
  ASSERT_TRUE(tasks.keep(task("b", 2, TaskStatus::failed)));
  ASSERT_TRUE(tasks.keep(task("c", 3, TaskStatus::abandoned)));
  TaskQuery query;
  query.statuses = {TaskStatus::failed, TaskStatus::abandoned};
  EXPECT_EQ(names(tasks.list(query)), (Names{"c", "b"}));
  query.since = model::wall(3);
  EXPECT_EQ(names(tasks.list(query)), Names{"c"});
  query.limit = 0;
  EXPECT_EQ(*tasks.count(query), 1u) << "whatever the limit";
}

TEST_P(FiledTasksTest, AreForgottenTogether) {
  for (const char* name : {"a", "b", "c"}) ASSERT_TRUE(tasks.keep(task(name, 1)));
  ASSERT_TRUE(tasks.forget({"claude-a", "claude-c", "claude-none"}));
  EXPECT_EQ(names(tasks.list({})), Names{"b"});
  ASSERT_TRUE(tasks.forget({}));
}

TEST_P(FiledTasksTest, AreReadOldestFirstForRetention) {
  for (const auto& [name, over] :
       std::vector<std::pair<std::string, int64_t>>{{"b", 2}, {"a", 1}, {"c", 2}, {"d", 3}}) {
    model::Agent one = task(name, over);
    one.task->order.dir = "/home/x/tasks/" + name + ".X1";
    one.task->read = name == "a";
    ASSERT_TRUE(tasks.keep(one));
  }
  const auto first = *tasks.oldest({}, 2);
  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(first[0], (model::TaskRow{"claude-a", "a", "a.X1", model::wall(1), true,
                                      "/home/x/tasks/a.X1", first[0].worktree}));
  EXPECT_EQ(first[1], (model::TaskRow{"claude-b", "b", "b.X1", model::wall(2), false,
                                      "/home/x/tasks/b.X1", first[1].worktree}));
  const auto rest = *tasks.oldest(TaskPlace{first[1].over, first[1].agent}, 9);
  ASSERT_EQ(rest.size(), 2u);
  EXPECT_EQ(rest[0].task, "c") << "within one instant";
  EXPECT_EQ(rest[1].task, "d");
  EXPECT_EQ(*tasks.row("claude-b"), first[1]);
  EXPECT_EQ(*tasks.row("b"), std::nullopt) << "by its agent alone";
}

INSTANTIATE_TEST_SUITE_P(Both, FiledTasksTest, testing::Bool());

// A row goes in the transaction of the event that says so, or not at all.
TEST(TaskTable, ForgottenRowsGoWithTheirEvent) {
  TestDir dir;
  const auto journal = std::move(*SqliteJournal::open(dir / "j"));
  for (const char* name : {"a", "b", "c"}) ASSERT_TRUE(journal->tasks().keep(task(name, 1)));
  model::Forgotten gone;
  gone.names = {"claude-a", "claude-none", "claude-c"};
  model::Forgotten word = gone, parts = gone;
  word.upto = model::wall(1);
  parts.what = model::Forget::recordings;
  ASSERT_TRUE(
      journal->append({{Seq{1}, model::wall(1), "", word}, {Seq{2}, model::wall(1), "", parts}}));
  EXPECT_EQ(*journal->tasks().count({}), 3u);
  {
    const FullDisk full(0);
    EXPECT_FALSE(journal->append({{Seq{3}, model::wall(1), "", gone}}));
  }
  EXPECT_EQ(*journal->tasks().count({}), 3u);
  ASSERT_TRUE(journal->append({{Seq{3}, model::wall(1), "", gone}}));
  EXPECT_EQ(names(journal->tasks().list({})), Names{"b"});
  EXPECT_EQ(journal->recover()->last_word, (model::LastWord{model::wall(1), model::wall(1)}));
}

TEST(TaskTable, OutlivesTheDaemonAndRefusesOnAFullDisk) {
  TestDir dir;
  ASSERT_TRUE((*SqliteJournal::open(dir / "j"))->tasks().keep(task("a", 1)));
  const auto journal = std::move(*SqliteJournal::open(dir / "j"));
  EXPECT_EQ(*journal->tasks().find("a"), task("a", 1));
  const FullDisk full(0);
  const auto refused = journal->tasks().keep(task("b", 2));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what.rfind("cannot write the tasks in " + dir / "j", 0), 0u);
  EXPECT_FALSE(journal->tasks().forget({"claude-a"}));
  EXPECT_EQ(names(journal->tasks().list({})), Names{"a"});
}

}  // namespace
}  // namespace pawl::store
