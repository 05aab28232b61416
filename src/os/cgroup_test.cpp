#include "os/cgroup.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "base/test_dir.h"
#include "os/file.h"

namespace pawl::os {
namespace {

// A made-up hierarchy: plain files, which take what is written and do nothing.
class GroupTest : public testing::Test {
 protected:
  void put(const std::string& path, const std::string& text) {
    const std::string whole = dir / path;
    ASSERT_TRUE(make_private_dir(whole.substr(0, whole.rfind('/'))));
    ASSERT_TRUE(write_atomically(whole, text));
  }
  std::string get(const std::string& path) { return read_file(dir / path).value_or("-"); }
  void group(const std::string& path, const std::string& members) {
    put("sys/fs/cgroup" + path + "/cgroup.procs", members);
    put("sys/fs/cgroup" + path + "/cgroup.events", "populated 1\n");
    put("sys/fs/cgroup" + path + "/cgroup.controllers", "cpuset cpu io memory pids\n");
    put("sys/fs/cgroup" + path + "/cgroup.subtree_control", "");
  }
  void in(const std::string& path) {
    put("sys/fs/cgroup/cgroup.controllers", "cpu memory\n");
    put("proc/self/cgroup", "0::" + path + "\n");
  }
  GroupPlace place() {
    return group_place([](pid_t pid) { return pid < 100; }, dir.path());
  }
  TestDir dir;
};

TEST_F(GroupTest, WhereOnlyPawlRunsItMakesGroups) {
  in("/pod");
  group("/pod", "7\n8\n");
  const auto found = place();
  EXPECT_EQ(found.dir, dir / "sys/fs/cgroup/pod");
  EXPECT_TRUE(found.memory && found.cpu && !found.root && !found.leaf && !found.inside);
  EXPECT_EQ(found.why, "");
}

TEST_F(GroupTest, OtherProgramsAreNotMoved) {
  in("/user/terminal.scope");
  group("/user/terminal.scope", "7\n1234\n");
  EXPECT_EQ(place().dir, "");
  EXPECT_EQ(place().why, "other programs run in the same cgroup");
}

TEST_F(GroupTest, AServiceStaysOneThatSystemdCanStartAgain) {
  in("/user/pawl.service");
  group("/user/pawl.service", "7\n");
  auto found = place();
  EXPECT_EQ(found.dir, dir / "sys/fs/cgroup/user/pawl.service");
  EXPECT_FALSE(found.memory || found.cpu);
  EXPECT_TRUE(found.service);
  EXPECT_TRUE(prepare_groups(found, 7));
  EXPECT_EQ(get("sys/fs/cgroup/user/pawl.service/cgroup.subtree_control"), "");
}

TEST_F(GroupTest, WhereTheOldHierarchiesHaveTheControllersAScopeIsNoUse) {
  in("/user/pawl.service");
  group("/user/pawl.service", "7\n");
  put("sys/fs/cgroup/cgroup.controllers", "\n");
  EXPECT_FALSE(place().service);
}

TEST_F(GroupTest, AGroupThatWasMadeForUsIsAPlaceWithoutUsInIt) {
  in("/user/pawl.service");
  group("/user/x.scope", "9\n");
  group("/user/x.scope/pawl-daemon", "");
  auto found = place_in(dir / "sys/fs/cgroup/user/x.scope");
  EXPECT_TRUE(found.memory && found.cpu && !found.service);
  EXPECT_EQ(found.scope(), "x.scope");
  ASSERT_TRUE(prepare_groups(found, 7));
  EXPECT_EQ(get("sys/fs/cgroup/user/x.scope/pawl-daemon/cgroup.procs"), "9") << "not we";
}

TEST_F(GroupTest, WhatSomebodyLimitedIsNamed) {
  group("/one", "7\n");
  const std::string one = dir / "sys/fs/cgroup/one";
  put("sys/fs/cgroup/one/memory.max", "max\n");
  put("sys/fs/cgroup/one/cpu.max", "max 100000\n");
  put("sys/fs/cgroup/one/cpuset.cpus", "\n");
  put("sys/fs/cgroup/one/pids.max", "max\n");
  EXPECT_EQ(group_limited_by(one), "");
  EXPECT_EQ(group_tasks_max(one), "infinity");
  put("sys/fs/cgroup/one/cpu.max", "50000 100000\n");
  put("sys/fs/cgroup/one/pids.max", "77\n");
  EXPECT_EQ(group_limited_by(one), "cpu.max");
  EXPECT_EQ(group_tasks_max(one), "77");
}

TEST_F(GroupTest, ItsOwnGroupsAreNotTheParentsOfOthers) {
  group("/pod", "");
  group("/pod/pawl-daemon", "7\n");
  in("/pod/pawl-daemon");
  EXPECT_EQ(place().dir, dir / "sys/fs/cgroup/pod");
  EXPECT_TRUE(place().leaf);
  in("/pod/pawl-12345678-t5");
  EXPECT_EQ(place().dir, dir / "sys/fs/cgroup/pod");
  EXPECT_TRUE(place().inside);
  ASSERT_TRUE(leave_group(place(), 7));
  EXPECT_EQ(get("sys/fs/cgroup/pod/pawl-daemon/cgroup.procs"), "7");
}

TEST_F(GroupTest, NoneIsSaid) {
  EXPECT_EQ(place().why, "there is no cgroup v2 here");
  in("/pod");
  put("proc/self/cgroup", "4:memory:/pod\n");
  EXPECT_EQ(place().why, "our own cgroup cannot be seen");
  put("proc/self/cgroup", "0::/../outside\n");
  EXPECT_EQ(place().why, "our own cgroup cannot be seen");
  in("/gone");
  EXPECT_EQ(place().why, "the cgroup is not delegated to this user");
}

TEST_F(GroupTest, TheDaemonMovesIntoALeafFirst) {
  in("/pod");
  group("/pod", "7\n8\n");
  group("/pod/pawl-daemon", "");
  auto found = place();
  ASSERT_TRUE(prepare_groups(found, 7));
  EXPECT_EQ(get("sys/fs/cgroup/pod/pawl-daemon/cgroup.procs"), "8") << "the last that was moved";
  EXPECT_EQ(get("sys/fs/cgroup/pod/cgroup.subtree_control"), "+cpu") << "the last that was asked";
  EXPECT_TRUE(found.memory && found.cpu);
}

TEST_F(GroupTest, LimitsAreWrittenAndStoriesRead) {
  const std::string pod = dir / "sys/fs/cgroup/pod";
  for (const char* name : {"memory.max", "memory.swap.max", "memory.oom.group", "cpu.max"})
    put(std::string("sys/fs/cgroup/pod/") + name, "max\n");
  EXPECT_FALSE(group_limits_memory(pod));
  ASSERT_TRUE(make_group(pod, {100u << 20, 250}));
  EXPECT_EQ(get("sys/fs/cgroup/pod/memory.max"), "104857600");
  EXPECT_EQ(get("sys/fs/cgroup/pod/memory.oom.group"), "1");
  EXPECT_EQ(get("sys/fs/cgroup/pod/cpu.max"), "250000 100000");
  EXPECT_TRUE(group_limits_memory(pod));
  EXPECT_EQ(group_story(pod).oom_kills, 0u);
  EXPECT_FALSE(group_story(pod).peak);
  put("sys/fs/cgroup/pod/memory.events", "low 0\nmax 9\noom 1\noom_kill 3\noom_group_kill 1\n");
  put("sys/fs/cgroup/pod/memory.peak", "104857600\n");
  EXPECT_EQ(group_story(pod).oom_kills, 3u);
  EXPECT_EQ(group_story(pod).peak, 104857600u);
}

TEST_F(GroupTest, ALimitThatCannotBeWrittenIsAnError) {
  const auto made = make_group(dir / "sys", {100u << 20, 0});
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().what.find("memory.max"), std::string::npos);
}

// The kernel's own, where this machine lets us.
struct RealGroup : testing::Test {
  RealGroup() : place(group_place([](pid_t) { return true; })) {
    dir = place.dir + "/pawl-test-" + std::to_string(::getpid());
  }
  // Eight processes in it, each a leader of its own; each says so with a byte, and has the pipe as long as it lives.
  pid_t family() {
    EXPECT_EQ(::pipe(pipe), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      (void)enter_group(dir, ::getpid());
      for (int i = 0; i < 3; ++i)
        if (::fork() == 0) ::setsid();
      (void)!::write(pipe[1], "x", 1);
      for (;;) ::pause();
    }
    ::close(pipe[1]);
    char byte = 0;
    for (int i = 0; i < 8; ++i) EXPECT_EQ(::read(pipe[0], &byte, 1), 1);
    return child;
  }
  GroupPlace place;
  std::string dir;
  int pipe[2] = {-1, -1};
};

TEST_F(RealGroup, AllOfItIsKilledAtOnce) {
  if (place.dir.empty() || !make_group(dir, {}))
    GTEST_SKIP() << "no groups can be made here: " << place.why;
  const pid_t child = family();
  EXPECT_EQ(group_members(dir).size(), 8u);
  EXPECT_EQ(group_of(child), dir);
  EXPECT_FALSE(remove_group(dir)) << "somebody is in it";
  EXPECT_TRUE(kill_group(dir));
  char byte = 0;
  EXPECT_EQ(::read(pipe[0], &byte, 1), 0) << "nobody has the pipe any more";
  ::close(pipe[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  for (int i = 0; i < 1'000'000 && !remove_group(dir); ++i) ::sched_yield();
  EXPECT_FALSE(is_dir(dir));
}

}  // namespace
}  // namespace pawl::os
