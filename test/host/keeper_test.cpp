// What a session of our own terminals leaves behind, and whose it is, from outside: real holders, keepers and programs.

#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>

#include "host/leftovers.h"
#include "host/lineage.h"
#include "os/process.h"
#include "world.h"

namespace pawl::host {
namespace {

// Leaves a process without its cookie, its terminal and its parent. A line ends the script.
constexpr const char* kDetached =
    "env -i setsid sleep 1000 </dev/null >/dev/null 2>&1 & echo left $! behind; read line";

os::ProcessId detached_by(World& world, SessionId session) {
  if (!world.until_output(session, "behind")) return {};
  const std::string& said = world.seen(session).output;
  const pid_t pid = std::atoi(said.c_str() + said.find("left ") + 5);
  const auto detached = [&] {
    const auto stat = os::Proc().stat(pid);
    return stat && stat->session == pid && stat->name == "sleep";
  };
  if (!world.until(detached)) return {};
  return os::identify(pid).value_or(os::ProcessId{});
}

bool ends(World& world, SessionId session) {
  world.host().write(session, "\n");
  return world.until_ended(session);
}

TEST(Keeper, EndsWhatThrewItsEnvironmentAwayAndNobodyElses) {
  World world;
  const auto other = world.shell(kDetached);
  const auto session = world.shell(kDetached);
  const auto others = detached_by(world, other), own = detached_by(world, session);
  ASSERT_TRUE(ends(world, session));
  ASSERT_TRUE(os::alive(own) && os::alive(others));
  EXPECT_EQ(session_of(own.pid, world.pty_host().roots()), session);
  EXPECT_EQ(session_of(others.pid, world.pty_host().roots()), other);
  EXPECT_EQ(world.host().signal_leftovers({session}, SIGKILL), 1u);
  EXPECT_TRUE(world.until([&] { return !os::identify(own.pid); }));
  EXPECT_TRUE(os::alive(others));
  EXPECT_EQ(world.host().signal_leftovers({session}, SIGKILL), 0u);
  EXPECT_EQ(world.host().signal_leftovers({other}, SIGKILL), 2u) << "its shell, too";
}

TEST(Keeper, WhatAClosedSessionLeftIsStillItsOwn) {
  World world;
  const auto session = world.shell(kDetached);
  const auto own = detached_by(world, session);
  ASSERT_TRUE(ends(world, session));
  world.host().close(session);
  EXPECT_EQ(world.host().signal_leftovers({session}, SIGTERM), 1u);
  EXPECT_TRUE(world.until([&] { return !os::alive(own); }));
}

TEST(Keeper, TheNextDaemonKnowsWhatASessionLeft) {
  World world;
  const auto session = world.shell(kDetached);
  const auto own = detached_by(world, session);
  ASSERT_TRUE(ends(world, session));
  world.restart();
  ASSERT_TRUE(world.until([&] { return world.seen(session).found; }));
  EXPECT_EQ(world.host().signal_leftovers({session}, SIGKILL), 1u);
  EXPECT_TRUE(world.until([&] { return !os::alive(own); }));
}

// It then falls to the holder: its program goes on and is seen to its end, and nobody else notices.
TEST(Keeper, AnAgentThatKillsItsKeeperHurtsNobody) {
  World world;
  const auto other = world.shell("cat");
  const auto session = world.shell("kill -9 $PPID; echo still here; read line; exit 7");
  ASSERT_TRUE(world.until_output(session, "still here"));
  world.host().write(session, "go\n");
  ASSERT_TRUE(world.until_ended(session));
  EXPECT_EQ(world.seen(session).end.exit_code, 7);
  world.host().write(other, "alive\n");
  EXPECT_TRUE(world.until_output(other, "alive\r\nalive"));
}

// Two sessions share the holder that it falls to: it may be either's.
TEST(Keeper, WhatCannotBeSaidToBeItsOwnIsNotEndedAndToldOfOnce) {
  World world;
  const auto other = world.shell("cat");
  const auto session = world.shell(std::string("kill -9 $PPID; ") + kDetached);
  const auto own = detached_by(world, session);
  ASSERT_TRUE(ends(world, session));
  world.close(session);
  EXPECT_EQ(world.host().signal_leftovers({session}, SIGTERM), 0u);
  EXPECT_TRUE(os::alive(own));
  EXPECT_EQ(world.host().signal_leftovers({session}, SIGKILL), 0u);
  const std::string who =
      "process " + std::to_string(own.pid) + " (sleep) may have been left by it";
  EXPECT_TRUE(world.until([&] { return world.seen(session).noted.find(who) == 0; }));
  EXPECT_EQ(world.seen(session).noted.find(who, 1), std::string::npos);
  EXPECT_TRUE(world.seen(other).noted.empty());
  os::send_signal(own, SIGKILL);
}

// A daemon that was begun inside an agent carries that agent's cookie, and so do its holders.
TEST(Keeper, NeitherTheDaemonNorItsHoldersAreLeftovers) {
  World world;
  const auto session = world.open({"sleep", "1000"});
  ASSERT_TRUE(world.until([&] { return world.seen(session).opened; }));
  const auto process = world.seen(session).process;
  EXPECT_EQ(signal_leftovers(world.home(), {session}, SIGKILL, {{process, SessionId{}}}), 0u);
  EXPECT_EQ(signal_leftovers(world.home(), {session}, SIGKILL, {{process, SessionId{99}}}), 0u);
  EXPECT_TRUE(os::alive(process));
  EXPECT_EQ(signal_leftovers(world.home(), {session}, SIGKILL, {{process, session}}), 1u);
}

}  // namespace
}  // namespace pawl::host
