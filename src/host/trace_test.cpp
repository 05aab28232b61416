#include "host/trace.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/test_dir.h"
#include "os/file.h"

namespace pawl::host {
namespace {

using Where = Traced::Where;

// Init, a daemon (5), a holder (8), agents 20 (session 7) and 30 (session 9), and a person's shell (50).
struct World {
  World() {
    add(1, 0, 1, 1);
    add(5, 1, 5, 10);
    add(8, 1, 8, 20);
    add(20, 8, 20, 100);
    add(30, 8, 30, 110);
    add(50, 1, 50, 5);
  }
  void add(pid_t pid, pid_t parent, pid_t session, uint64_t start, const char* name = "x") {
    CHECK(os::make_private_dir(dir / std::to_string(pid)));
    std::ofstream(dir / (std::to_string(pid) + "/stat"))
        << pid << " (" << name << ") S " << parent << " " << pid << " " << session
        << " 0 0 0 0 0 0 0 0 0 0 0 20 0 1 0 " << start << " 0 0";
  }
  Traced trace(pid_t pid) const {
    return host::trace(
        pid, {{{5, 10}, {}}, {{8, 20}, {}}, {{20, 100}, SessionId{7}}, {{30, 110}, SessionId{9}}},
        5, {"codex"}, os::Proc(dir.path()));
  }
  void expect(pid_t pid, Where where, uint64_t session = 0) const {
    const Traced traced = trace(pid);
    EXPECT_EQ(traced.where, where) << pid;
    EXPECT_EQ(traced.session.value, session) << pid;
  }
  TestDir dir;
};

TEST(Trace, ADescendantIsItsAgent) {
  World world;
  world.add(21, 20, 20, 120);
  world.add(22, 21, 22, 130);  // in a session of its own
  world.expect(20, Where::inside, 7);
  world.expect(21, Where::inside, 7);
  world.expect(22, Where::inside, 7);
  world.expect(30, Where::inside, 9);
}

// Two agents' commands run in one server: whoever started it, nobody can say which of them asks.
TEST(Trace, InASharedServerItIsAnAgentsAndNotKnownWhose) {
  World world;
  world.add(21, 20, 21, 120, "codex");
  world.add(22, 21, 22, 130);
  world.add(51, 50, 51, 140, "codex");  // a person's window began it
  world.add(52, 51, 52, 150);
  world.expect(22, Where::inside, kShared.value);
  world.expect(52, Where::inside, kShared.value);
  world.add(53, 50, 50, 160, "codex");  // a person's own, in a terminal
  world.add(54, 53, 54, 170);
  world.expect(54, Where::outside);
}

TEST(Trace, WhatItsKeeperWasGivenIsAnOrphan) {
  World world;
  world.add(30, 8, 30, 110, "pawl-keeper");
  world.add(31, 30, 31, 120);
  EXPECT_TRUE(world.trace(31).orphan);
  world.add(21, 20, 21, 120);
  EXPECT_FALSE(world.trace(21).orphan);
}

// The kernel says 0 of a process that the daemon's own container does not see.
TEST(Trace, SomebodyFromOutsideTheContainerIsNoAgent) {
  World().expect(0, Where::outside);
}

TEST(Trace, WhoHasItsTerminalIsItsAgentAlsoAsAnOrphan) {
  World world;
  world.add(23, 8, 20, 120);   // under the holder
  world.add(24, 1, 20, 120);   // of a pane: under init
  world.add(25, 24, 25, 130);  // … and its child, which is no longer in that session
  world.expect(23, Where::inside, 7);
  world.expect(24, Where::inside, 7);
  world.expect(25, Where::inside, 7);
}

TEST(Trace, AnOrphanOfTheHolderIsSomeAgents) {
  World world;
  world.add(26, 8, 26, 120);
  world.add(27, 26, 27, 130);
  world.expect(26, Where::inside);
  world.expect(27, Where::inside);
}

TEST(Trace, APersonIsOutsideAndTheDaemonsProgramsAreItsOwn) {
  World world;
  world.add(51, 50, 50, 120);
  world.add(6, 5, 6, 120);
  world.expect(50, Where::outside);
  world.expect(51, Where::outside);
  world.expect(6, Where::daemon);
}

TEST(Trace, ANumberThatChangedHandsIsNobodysRoot) {
  World world;
  world.add(20, 1, 20, 500);  // the agent ended; another process has its number, and a child
  world.add(28, 20, 20, 510);
  world.expect(20, Where::outside);
  world.expect(28, Where::outside);
  world.add(8, 1, 8, 600);  // … and so with the holder
  world.add(29, 8, 29, 610);
  world.expect(29, Where::outside);
}

TEST(Trace, ASessionOutlivesItsLeader) {
  World world;
  world.add(24, 1, 20, 120);
  ASSERT_TRUE(std::filesystem::remove_all(world.dir / "20"));
  world.expect(24, Where::inside, 7);
}

TEST(Trace, WhoIsGoneOrHasNoAncestorsThatStayIsNotTraced) {
  World world;
  world.expect(77, Where::untraced);
  world.add(60, 1 << 30, 60, 120);  // its parent is gone, and stays gone
  world.expect(60, Where::untraced);
  world.add(62, 63, 62, 120);  // … or younger: another one has its number
  world.add(63, 1, 63, 130);
  world.expect(62, Where::untraced);
}

TEST(Trace, ADeepTreeIsNoWayOut) {
  World world;
  world.add(1000, 20, 1000, 200);
  for (pid_t pid = 1001; pid < 1600; ++pid) world.add(pid, pid - 1, pid, 200);
  world.expect(1100, Where::inside, 7);
  world.expect(1599, Where::untraced);
}

// The test itself: a person's, as long as its own ancestors are no roots.
TEST(Trace, OfRealProcesses) {
  const auto self = os::identify(::getpid());
  const auto parent = os::identify(::getppid());
  ASSERT_TRUE(self && parent);
  EXPECT_EQ(trace(self->pid, {}, 0).where, Where::outside);
  EXPECT_EQ(trace(self->pid, {{*parent, SessionId{3}}}, 0).session.value, 3u);
  EXPECT_EQ(trace(self->pid, {{*parent, {}}}, 0).where, Where::inside);
  EXPECT_EQ(trace(self->pid, {}, parent->pid).where, Where::daemon);
}

}  // namespace
}  // namespace pawl::host
