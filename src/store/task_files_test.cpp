#include "store/task_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/test_dir.h"
#include "os/digest.h"
#include "os/file.h"
#include "store/real_disk.h"

namespace pawl::store {
namespace {

RealDisk disk;

const WallTime kNow{std::chrono::seconds{1'700'000'000}};

model::Agent agent_in(const std::string& dir) {
  model::Agent agent;
  agent.spec.name = "claude-fix";
  agent.spec.runtime = "claude";
  agent.spec.model = "opus-9";
  agent.spec.dir = "/srv/a\nb";
  agent.starts = 1;
  agent.state = model::State::busy;
  agent.process = model::Process{4242, 1};
  agent.session_id = "id-1";
  agent.task = model::Task{};
  agent.task->order.name = "fix";
  agent.task->order.dir = dir;
  agent.task->started = kNow;
  return agent;
}

mode_t mode_of(const std::string& path) {
  struct stat is {};
  return ::stat(path.c_str(), &is) == 0 ? is.st_mode & 0777 : 0;
}

struct TaskFilesTest : testing::Test {
  TestDir home;
  std::string dir;
  void SetUp() override {
    const auto made = make_task_dir(disk, home.path(), "fix", {"do it\n", {}});
    ASSERT_TRUE(made) << text_of(made.error());
    dir = made->path;
  }
  std::string read(const std::string& name) {
    return os::read_file(dir + "/" + name).value_or("-");
  }
};

TEST_F(TaskFilesTest, OneOfTheFleetNamesItsUnitAndItsFence) {
  model::Agent agent = agent_in(dir);
  EXPECT_EQ(manifest_of(agent, kNow).find("fence="), std::string::npos);
  agent.task->order.lease = {"u\n1", "here", 12};
  EXPECT_NE(manifest_of(agent, kNow).find("fleet_unit=u 1\nfleet_node=here\nfence=12\n"),
            std::string::npos);
}

TEST_F(TaskFilesTest, TheFolderIsPrivateAndHasThePrompt) {
  EXPECT_EQ(mode_of(dir), 0700u);
  for (const char* name : {"prompt", "resume_prompt", "output.log"})
    EXPECT_EQ(mode_of(dir + "/" + name), 0600u) << name;
  EXPECT_EQ(read("prompt"), "do it\n");
  const auto second = make_task_dir(disk, home.path(), "fix", {"x", {}});
  ASSERT_TRUE(second);
  EXPECT_NE(second->path, dir);
}

TEST_F(TaskFilesTest, APromptThatWasLeftIsTakenAsItIs) {
  std::string bytes = "not \xff text\r\n";
  bytes += std::string(3, '\0');
  const std::string left = model::prompt_place(home.path(), "x1");
  ASSERT_TRUE(os::write_atomically(left, bytes));
  const auto made = make_task_dir(disk, home.path(), "fix", {"", left});
  ASSERT_TRUE(made) << text_of(made.error());
  EXPECT_EQ(os::read_file(made->path + "/prompt").value_or(""), bytes);
  EXPECT_EQ(made->prompt_sha256, os::hex(os::sha256(bytes)));
  EXPECT_FALSE(os::exists(left));
}

TEST_F(TaskFilesTest, OnlyWhatWasLeftForItIsAPrompt) {
  ASSERT_TRUE(os::write_atomically(home.path() + "/secret", "s"));
  ASSERT_TRUE(os::write_atomically(model::prompt_place(home.path(), "empty"), ""));
  for (const std::string& left :
       {home.path() + "/secret", dir + "/prompt", model::prompt_place(home.path(), "none"),
        model::prompt_place(home.path(), "a/../../secret"),
        model::prompt_place(home.path(), "empty")})
    EXPECT_FALSE(make_task_dir(disk, home.path(), "fix", {"", left})) << left;
  EXPECT_FALSE(make_task_dir(disk, home.path(), "fix", {}));
  EXPECT_EQ(text_of(make_task_dir(disk, home.path(), "fix",
                                  {std::string(model::kPromptBytes + 1, 'x'), {}})
                        .error()),
            "the prompt is larger than 64 MiB: put it into files and name them");
  EXPECT_TRUE(os::exists(home.path() + "/secret"));
}

TEST_F(TaskFilesTest, PromptsThatNobodyCameForGo) {
  const std::string left = model::prompt_place(home.path(), "x");
  ASSERT_TRUE(os::write_atomically(left, "x"));
  const WallTime written = disk.plain_file(left)->modified;
  drop_left_prompts(disk, home.path(), written + std::chrono::minutes{59});
  EXPECT_TRUE(os::exists(left));
  drop_left_prompts(disk, home.path(), written + std::chrono::minutes{61});
  EXPECT_FALSE(os::exists(left));
  EXPECT_TRUE(os::is_dir(dir));
}

TEST_F(TaskFilesTest, ARunningOneHasAManifestAndAPid) {
  ASSERT_TRUE(save_task(disk, agent_in(dir), kNow));
  EXPECT_EQ(read("manifest"),
            "task_name=fix\nruntime=claude\nmodel=opus-9\nproject_dir=/srv/a b\n"
            "session_name=claude-fix\npid=4242\ntmpdir=" +
                dir +
                "\nstarted_at=2023-11-14T22:13:20.000Z\nstatus=running\nsession_id=id-1\n"
                "retry_count=0\nlast_checked_at=2023-11-14T22:13:20.000Z\npane_state=running\n");
  EXPECT_EQ(read("pid"), "4242\n");
  EXPECT_FALSE(os::exists(dir + "/done"));
  EXPECT_EQ(mode_of(dir + "/manifest"), 0600u);
}

TEST_F(TaskFilesTest, DoneComesWithTheResultAndNothingChangesAfterIt) {
  model::Agent agent = agent_in(dir);
  agent.state = model::State::exited;
  agent.task->status = model::TaskStatus::completed;
  agent.task->finished = kNow;
  agent.task->exit_code = 0;
  ASSERT_TRUE(save_task(disk, agent, kNow));
  EXPECT_NE(read("manifest").find("status=completed\n"), std::string::npos);
  EXPECT_NE(read("manifest").find("finished_at=2023"), std::string::npos);
  EXPECT_EQ(read("exit_code"), "0\n");
  EXPECT_EQ(read("pid"), "-");
  EXPECT_TRUE(os::exists(dir + "/done"));
  agent.task->status = model::TaskStatus::failed;
  ASSERT_TRUE(save_task(disk, agent, kNow));
  EXPECT_NE(read("manifest").find("status=completed\n"), std::string::npos);
}

TEST_F(TaskFilesTest, OneThatWasGivenUpHasAReasonAndIsNotDone) {
  model::Agent agent = agent_in(dir);
  agent.state = model::State::crashed;
  agent.task->status = model::TaskStatus::abandoned;
  agent.task->finished = kNow;
  agent.task->reason = "deadline";
  ASSERT_TRUE(save_task(disk, agent, kNow));
  EXPECT_NE(read("manifest").find("status=abandoned\n"), std::string::npos);
  EXPECT_NE(read("manifest").find("abandon_reason=deadline\n"), std::string::npos);
  EXPECT_FALSE(os::exists(dir + "/done"));
}

TEST_F(TaskFilesTest, AFolderThatIsGoneIsNoTrouble) {
  ASSERT_TRUE(os::remove_tree(dir));
  EXPECT_TRUE(save_task(disk, agent_in(dir), kNow));
  EXPECT_FALSE(os::exists(dir));
}

TEST_F(TaskFilesTest, OnlyATasksFolderIsRemoved) {
  for (const auto& wrong :
       std::vector<std::string>{home.path(), home.path() + "/tasks", home.path() + "/tasks/",
                                home.path() + "/tasks/..", dir + "/x"})
    EXPECT_FALSE(remove_task_dir(disk, home.path(), wrong)) << wrong;
  EXPECT_TRUE(remove_task_dir(disk, home.path(), dir));
  EXPECT_FALSE(os::exists(dir));
}

TEST_F(TaskFilesTest, TheLogHasEveryByteOnce) {
  {
    TaskLog log(disk, dir);
    log.follow(SessionId{7});
    ASSERT_TRUE(log.append("one\n", Offset{10}));
  }
  // A kill after the text and before its place was written.
  const auto fd = os::open_append(dir + "/output.log");
  ASSERT_TRUE(os::write_all(fd->get(), "two\nthr", "x"));
  TaskLog log(disk, dir);
  EXPECT_EQ(log.session(), SessionId{7});
  EXPECT_EQ(log.offset(), Offset{10});
  log.follow(SessionId{7});
  ASSERT_TRUE(log.append("two\nthree\n", Offset{30}));
  EXPECT_EQ(read("output.log"), "one\ntwo\nthree\n");
  log.follow(SessionId{9});
  EXPECT_EQ(log.offset(), Offset{0});
  ASSERT_TRUE(log.append("four\n", Offset{5}));
  EXPECT_EQ(read("output.log"), "one\ntwo\nthree\nfour\n");
}

TEST_F(TaskFilesTest, TheResumeFileIsTakenOnce) {
  EXPECT_FALSE(take_resume_file(disk, dir));
  ASSERT_TRUE(os::touch(dir + "/resume"));
  EXPECT_TRUE(take_resume_file(disk, dir));
  EXPECT_FALSE(take_resume_file(disk, dir));
}

}  // namespace
}  // namespace pawl::store
