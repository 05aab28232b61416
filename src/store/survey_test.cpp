#include "store/survey.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/test_dir.h"
#include "os/file.h"
#include "store/real_disk.h"

namespace pawl::store {
namespace {

using model::Forget;
using model::Going;

struct SurveyTest : testing::Test {
  TestDir home;
  RealDisk disk;
  AgentFiles files{disk, home.path()};

  void put(const std::string& path, const std::string& text) {
    const std::string whole = home / path;
    ASSERT_TRUE(os::make_private_dir(whole.substr(0, whole.rfind('/'))));
    ASSERT_TRUE(os::write_atomically(whole, text));
  }
  bool there(const std::string& path) { return disk.look(home / path, false).has_value(); }
  Done forgets(Forget what, const std::string& agent, const std::string& name) {
    Going going;
    going.what = what;
    going.held.agent = agent;
    going.held.name = name;
    return forget(files, going);
  }
  std::vector<std::string> names(const std::vector<model::Held>& all) {
    std::vector<std::string> out;
    for (const auto& one : all) out.push_back(one.agent + "/" + one.name);
    return out;
  }
};

using Names = std::vector<std::string>;

TEST_F(SurveyTest, SeesWhatMayBeForgotten) {
  put("tasks/t.X/output.log", "12345");
  put("tasks/t.X/more/deep", "123");
  put("tasks/.prompt.t", "not a task");
  put("agents/docs/rec/0000000001-0001.cast", "1234");
  put("agents/docs/rec/0000000001-0002.cast.zst", "12");
  put("agents/docs/rec/0000000001-0003.cast.zst.damaged", "1");
  put("agents/docs/rec/notes.txt", "not a part");
  put("agents/docs/environment", "A=1");
  put("archive/docs/2026-x.jsonl/origin", "/x\n");
  put("archive/docs/2026-x.jsonl/x.jsonl", "1234567");
  put("archive/docs.inbox/work.md", "work that waits");
  const auto held = survey(disk, home.path());
  EXPECT_EQ(names(held.tasks), Names{"/t.X"});
  EXPECT_EQ(names(held.recordings),
            (Names{"docs/0000000001-0001.cast", "docs/0000000001-0002.cast.zst",
                   "docs/0000000001-0003.cast.zst.damaged"}));
  EXPECT_EQ(names(held.archive), Names{"docs/2026-x.jsonl"});
  const auto bytes = bytes_of(held);
  EXPECT_EQ(bytes.tasks, 8u);
  EXPECT_EQ(bytes.recordings, 7u);
  EXPECT_EQ(bytes.archive, 10u);
}

TEST_F(SurveyTest, FollowsNoLink) {
  const TestDir other;
  ASSERT_TRUE(os::write_atomically(other / "file", "1234567"));
  ASSERT_TRUE(os::make_private_dir(other / "docs/rec/1.cast"));
  put("tasks/t.X/output.log", "1");
  for (const char* link : {"tasks/away", "tasks/t.X/away", "agents", "archive"})
    ASSERT_EQ(::symlink(other.path().c_str(), (home / link).c_str()), 0);
  const auto held = survey(disk, home.path());
  EXPECT_EQ(names(held.tasks), Names{"/t.X"});
  EXPECT_EQ(bytes_of(held).total(), 1u);
  EXPECT_FALSE(held.elsewhere);
  EXPECT_FALSE(forgets(Forget::archive, "docs", "rec"));
  EXPECT_FALSE(forgets(Forget::recordings, "docs", "1.cast"));
  ASSERT_TRUE(forgets(Forget::folders, "", "t.X"));
  empty_bin(disk, home.path());
  EXPECT_FALSE(there("tasks/t.X"));
  EXPECT_TRUE(os::is_dir(other / "docs/rec/1.cast"));
  EXPECT_EQ(os::read_file(other / "file").value_or(""), "1234567");
}

TEST_F(SurveyTest, TasksThatAreElsewhereAreSaidToBe) {
  const TestDir other;
  ASSERT_EQ(::symlink(other.path().c_str(), (home / "tasks").c_str()), 0);
  ASSERT_TRUE(os::make_private_dir(other / "t.X"));
  EXPECT_TRUE(survey(disk, home.path()).elsewhere);
  EXPECT_FALSE(forget_task(files, "task-t", "t.X"));
  EXPECT_TRUE(os::is_dir(other / "t.X"));
}

TEST_F(SurveyTest, WhatGoesIsGoneAtOnceAndOffTheDiskLater) {
  put("tasks/t.X/output.log", "12345");
  put("tasks/u.X/output.log", "12345");
  put("agents/task-t/rec/0000000001-0001.cast", "1234");
  put("agents/task-t/inbox/later.md", "work that waits");
  put("agents/docs/rec/0000000001-0001.cast", "1234");
  put("archive/docs/a/origin", "/x\n");
  ASSERT_TRUE(forgets(Forget::tasks, "task-t", "t.X"));
  ASSERT_TRUE(forgets(Forget::recordings, "docs", "0000000001-0001.cast"));
  ASSERT_TRUE(forgets(Forget::archive, "docs", "a"));
  ASSERT_TRUE(forgets(Forget::tasks, "task-t", "t.X")) << "again, after a kill";
  EXPECT_FALSE(there("tasks/t.X"));
  EXPECT_FALSE(there("agents/task-t"));
  EXPECT_FALSE(there("archive/docs/a"));
  EXPECT_TRUE(there("archive/task-t.inbox/later.md"));
  EXPECT_TRUE(there("tasks/u.X"));
  EXPECT_EQ(os::list_dir(home / ".forgotten").size(), 4u);
  empty_bin(disk, home.path());
  EXPECT_EQ(os::list_dir(home / ".forgotten").size(), 0u);
}

TEST_F(SurveyTest, RefusesOtherPlaces) {
  put("tasks/t.X/output.log", "12345");
  put("journal.db", "all");
  EXPECT_FALSE(forgets(Forget::folders, "", ".."));
  EXPECT_FALSE(forgets(Forget::folders, "", ""));
  EXPECT_FALSE(forgets(Forget::folders, "", "../journal.db"));
  EXPECT_FALSE(forgets(Forget::recordings, "..", "journal.db"));
  EXPECT_FALSE(forgets(Forget::recordings, "../..", "x.cast"));
  EXPECT_FALSE(forgets(Forget::tasks, "", "t.X"));
  EXPECT_FALSE(forgets(Forget::archive, "../tasks", "t.X"));
  EXPECT_TRUE(there("journal.db"));
  EXPECT_TRUE(there("tasks/t.X/output.log"));
}

}  // namespace
}  // namespace pawl::store
