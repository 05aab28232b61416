#include "host/scope.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <algorithm>
#include <csignal>

#include "host/test_systemd.h"
#include "os/process.h"

namespace pawl::host {
namespace {

struct ScopeTest : testing::Test {
  void make(Duration answers = kScopeAnswers) {
    scope = std::make_unique<Scope>(
        loop, "pawl-12345678-", [this] { loop.stop(); }, systemd.dir.path(), answers);
  }
  // What systemd-run said first.
  void ask(Duration answers = kScopeAnswers) {
    make(answers);
    scope->want(systemd.service());
    while (scope->asking()) loop.run();
  }
  pid_t cat() const {
    return std::atoi(os::read_file(scope->dir() + "/cgroup.procs").value_or("0").c_str());
  }
  TestSystemd systemd;
  os::Loop loop;
  std::unique_ptr<Scope> scope;
};

TEST_F(ScopeTest, SystemdMakesItBesideTheService) {
  systemd.answers_with("");
  ask();
  EXPECT_TRUE(scope->dir().starts_with(systemd.group("pawl-12345678-"))) << scope->why();
  EXPECT_TRUE(scope->dir().ends_with("-1.scope"));
}

TEST_F(ScopeTest, WhatKeepsItEndsWithUs) {
  systemd.answers_with("");
  ask();
  const auto keeps = os::identify(cat());
  ASSERT_TRUE(keeps);
  const int ended = static_cast<int>(::syscall(SYS_pidfd_open, keeps->pid, 0));
  bool over = false;
  os::FdWatch watch(loop, ended, [&](os::FdWatch::Ready) {
    over = true;
    loop.stop();
  });
  scope.reset();
  while (!over) loop.run();
  ::close(ended);
}

TEST_F(ScopeTest, AnOlderSystemdIsAskedAgainWithoutWhatItDoesNotKnow) {
  systemd.answers_with(
      "case $line in *OOMPolicy*) echo 'Unknown assignment: OOMPolicy=continue' >&2; exit 1;; "
      "esac");
  ask();
  EXPECT_TRUE(scope->dir().ends_with("-2.scope")) << scope->why();
}

TEST_F(ScopeTest, WhyThereIsNoneIsSaid) {
  systemd.answers_with("echo 'Failed to connect to bus: No such file or directory' >&2; exit 1");
  ask();
  EXPECT_EQ(scope->dir(), "");
  EXPECT_EQ(scope->why(), "Failed to connect to bus: No such file or directory");
  ::setenv("PATH", systemd.dir.path().c_str(), 1);
  ask();
  EXPECT_EQ(scope->why(), "cannot run systemd-run: No such file or directory");
}

TEST_F(ScopeTest, ASystemdThatDoesNotAnswerIsNotWaitedFor) {
  systemd.answers_with("exec sleep 1000");
  ask(std::chrono::milliseconds(50));
  EXPECT_EQ(scope->dir(), "");
  EXPECT_EQ(scope->why(), "systemd did not answer within 0 s");
}

TEST_F(ScopeTest, OneThatWasEndedIsNoPlaceAnyMore) {
  systemd.answers_with("");
  ask();
  ASSERT_GT(cat(), 0);
  ::kill(cat(), SIGKILL);
  while (!scope->dir().empty()) loop.run();
  EXPECT_EQ(scope->why(), "its scope was ended");
  EXPECT_FALSE(scope->asking()) << "it was there for less than a minute";
}

// What the service may have together would not hold for what is beside it.
TEST_F(ScopeTest, AServiceWithLimitsKeepsItsTasks) {
  systemd.answers_with("");
  systemd.write("sys/fs/cgroup" + systemd.slice + "/pawl.service/memory.max", "1000000\n");
  ask();
  EXPECT_EQ(scope->dir(), "");
  EXPECT_EQ(scope->why(), "the service has limits of its own (memory.max)");
}

TEST_F(ScopeTest, OnlyOnesOwnSystemdIsAsked) {
  EXPECT_TRUE(scope_line("/sys/fs/cgroup/system.slice/pawl.service", "x.scope", true).empty());
  const auto line = scope_line(systemd.service(), "x.scope", false);
  const auto has = [&](const std::string& word) {
    return std::find(line.begin(), line.end(), word) != line.end();
  };
  EXPECT_TRUE(has("--unit=x.scope") && has("--slice=app.slice") && has("--property=Delegate=yes") &&
              has("--property=Before=pawl.service") && has("--property=TasksMax=infinity"));
  EXPECT_FALSE(has("--property=OOMPolicy=continue"));
}

}  // namespace
}  // namespace pawl::host
