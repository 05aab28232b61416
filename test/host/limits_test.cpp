// Memory limits and groups from outside: real holders and programs. Who keeps the limit, the kernel or our looks, is the machine's.

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

#include "host/test_systemd.h"
#include "os/cgroup.h"
#include "os/proc.h"
#include "os/process.h"
#include "world.h"

namespace pawl::host {
namespace {

// tail keeps a line that does not end, and here it never does.
constexpr const char* kGrows =
    "(head -c 200000000 /dev/zero; exec sleep 1000) | tail & echo pid $! grows; wait";
constexpr const char* kDetached =
    "env -i setsid sleep 1000 </dev/null >/dev/null 2>&1 & echo left $! behind; read line";
constexpr Limits kSmall{64u << 20, 0, true};

pid_t number_after(World& world, SessionId session, const std::string& word) {
  if (!world.until_output(session, word)) return 0;
  const std::string& said = world.seen(session).output;
  return std::atoi(said.c_str() + said.find(word) + word.size());
}

TEST(Limits, AllOfATreeThatGrowsIsKilledAndTheCauseTold) {
  World world;
  world.restart();
  const auto other = world.limited("read line", kSmall);
  const auto session = world.limited(kGrows, kSmall);
  const auto child = os::identify(number_after(world, session, "pid "));
  ASSERT_TRUE(world.until_ended(session, 60));
  EXPECT_EQ(world.seen(session).end.signal, SIGKILL);
  const std::string cause = world.seen(session).end.cause;
  EXPECT_TRUE(cause.starts_with("killed for memory (")) << cause;
  EXPECT_NE(cause.find(" of 64 MiB"), std::string::npos) << cause;
  EXPECT_TRUE(world.until([&] { return !child || !os::alive(*child); })) << "not the first alone";
  EXPECT_FALSE(world.seen(other).ended);
}

TEST(Limits, ALimitOutlivesTheDaemonThatWasAskedForIt) {
  World world;
  world.restart();
  const auto session = world.limited("read line; " + std::string(kGrows), kSmall);
  ASSERT_TRUE(world.until([&] { return world.seen(session).opened; }));
  world.restart();
  world.host().attach(session, Offset{});
  world.host().limit(session, kSmall);
  world.host().write(session, "\n");
  ASSERT_TRUE(world.until_ended(session, 60));
  EXPECT_TRUE(world.seen(session).end.cause.starts_with("killed for memory ("));
}

TEST(Limits, ATasksGroupHasAllOfItAndGoesWithIt) {
  World world;
  world.restart();
  const std::string place = world.pty_host().groups().dir;
  if (place.empty()) GTEST_SKIP() << world.pty_host().groups().why;
  const auto session = world.limited(kDetached, {0, 0, true});
  const pid_t left = number_after(world, session, "left ");
  ASSERT_TRUE(world.until([&] {
    const auto stat = os::Proc().stat(left);
    return stat && stat->session == left && stat->name == "sleep";
  })) << "it has gone its own way";
  const std::string group = os::group_of(left);
  EXPECT_TRUE(group.starts_with(place + "/pawl-")) << group;
  world.host().write(session, "\n");
  ASSERT_TRUE(world.until_ended(session));
  world.host().close(session);
  EXPECT_GE(world.host().signal_leftovers({session}, SIGKILL), 1u);
  EXPECT_TRUE(world.until([&] { return !os::identify(left); }));
  EXPECT_TRUE(os::group_members(group).empty());
}

TEST(Limits, ACpuLimitThatCannotBeKeptIsRefused) {
  World world;
  world.restart();
  if (world.pty_host().groups().cpu) GTEST_SKIP() << "it can be kept here";
  const auto session = world.limited("true", {0, 200, false});
  ASSERT_TRUE(world.until([&] { return world.seen(session).failed; }));
  EXPECT_TRUE(world.seen(session).error.what.starts_with("a CPU limit cannot be kept here: "));
}

// systemd is asked when the daemon begins; a task may be there sooner than the answer.
TEST(Limits, WhatIsOpenedWhileSystemdIsAskedWaitsAndMissesNothing) {
  TestSystemd systemd;
  systemd.answers_with("until [ -e " + systemd.dir / "go" + " ]; do sleep 0.02; done");
  World world;
  world.root = systemd.dir.path();
  world.restart();
  EXPECT_TRUE(world.pty_host().limits_asked());
  const auto free = world.limited("echo at once; read line", {});
  const auto task = world.limited("read line; stty size; echo got $line", {0, 0, true});
  const auto other = world.limited("echo never", {0, 0, true});
  world.host().resize(task, {50, 20});
  world.host().write(task, "the line\n");
  world.host().close(other);
  ASSERT_TRUE(world.until_output(free, "at once"));
  EXPECT_FALSE(world.seen(task).opened);
  systemd.write("go", "");
  ASSERT_TRUE(world.until_ended(task));
  EXPECT_NE(world.seen(task).output.find("20 50\r\ngot the line"), std::string::npos)
      << world.seen(task).output;
  const auto& groups = world.pty_host().groups();
  EXPECT_TRUE(groups.memory && groups.cpu) << groups.why;
  EXPECT_FALSE(groups.scope().empty());
  EXPECT_FALSE(world.seen(other).opened || world.seen(other).failed);
}

// The holder was killed: its keepers and agents are in our service, and nobody knows them.
TEST(Limits, WhatIsLeftInOurServiceTakesNothingFromIt) {
  TestSystemd systemd;
  systemd.answers_with("");
  systemd.write("sys/fs/cgroup" + systemd.slice + "/pawl.service/cgroup.procs", "1\n");
  World world;
  world.root = systemd.dir.path();
  world.restart();
  EXPECT_EQ(world.pty_host().groups().why, "other programs run in the same cgroup");
  ::setenv("SYSTEMD_EXEC_PID", std::to_string(::getpid()).c_str(), 1);
  world.restart();
  ::unsetenv("SYSTEMD_EXEC_PID");
  EXPECT_TRUE(world.pty_host().limits_asked()) << world.pty_host().groups().why;
}

TEST(Limits, WithoutAScopeAServiceSaysWhy) {
  TestSystemd systemd;
  systemd.answers_with("echo 'Failed to connect to bus' >&2; exit 1");
  World world;
  world.root = systemd.dir.path();
  world.restart();
  const auto task = world.limited("true", {0, 0, true});
  const auto half = world.limited("true", {0, 50, true});
  ASSERT_TRUE(world.until_ended(task) && world.until_ended(half));
  EXPECT_TRUE(world.seen(task).opened);
  EXPECT_EQ(world.seen(half).error.what,
            "a CPU limit cannot be kept here: systemd could not restart a service whose cgroup has "
            "limits in it, and there is no scope beside it: Failed to connect to bus");
}

}  // namespace
}  // namespace pawl::host
