#include "host/lineage.h"

#include <gtest/gtest.h>

#include "host/test_proc.h"

namespace pawl::host {
namespace {

using Ids = std::vector<os::ProcessId>;

constexpr SessionId kFirst{1}, kSecond{2};

// A holder (5) with two keepers (10, 20); each has its program, and one has let go of a detached process.
struct Lineage : testing::Test {
  Lineage() {
    tree.add({5, 1, 5, "pawl-holder", 'S', 0, 50});
    tree.add({10, 5, 5, "pawl-keeper", 'S', 0, 100});
    tree.add({11, 10, 11, "sh", 'S', 0, 101});
    tree.add({12, 11, 11, "make", 'S', 0, 102});
    tree.add({13, 10, 13, "sleep", 'S', 0, 103});  // env -i setsid: an orphan
    tree.add({20, 5, 5, "pawl-keeper", 'S', 0, 110});
    tree.add({21, 20, 21, "sleep", 'S', 0, 111});
    tree.add({30, 5, 30, "sleep", 'S', 0, 120});  // of a keeper that was killed
  }
  TestProc tree;
  std::vector<Root> roots{{{5, 50}, {}}, {{10, 100}, kFirst}, {{20, 110}, kSecond}};
};

TEST_F(Lineage, ADetachedProcessBelongsToTheSessionThatStartedIt) {
  EXPECT_EQ(session_of(13, roots, tree.proc), kFirst);
  EXPECT_EQ(session_of(12, roots, tree.proc), kFirst);
  EXPECT_EQ(session_of(21, roots, tree.proc), kSecond);
}

TEST_F(Lineage, WhatTheHolderAloneHasIsNobodys) {
  EXPECT_EQ(session_of(30, roots, tree.proc), std::nullopt);
  EXPECT_EQ(session_of(5, roots, tree.proc), std::nullopt);
  EXPECT_EQ(session_of(77, roots, tree.proc), std::nullopt);
}

TEST_F(Lineage, AKeepersNumberWithAnotherStartIsSomebodyElse) {
  roots[1].process.start_ticks = 99;
  EXPECT_EQ(session_of(13, roots, tree.proc), std::nullopt);
  EXPECT_TRUE(descendants({kFirst}, roots, tree.proc).empty());
}

TEST_F(Lineage, AChildOlderThanItsParentIsNotItsChild) {
  tree.add({14, 10, 14, "stranger", 'S', 0, 90});
  EXPECT_EQ(session_of(14, roots, tree.proc), std::nullopt);
}

TEST_F(Lineage, ASessionHasAllOfItsOwnAndNoneOfAnothers) {
  EXPECT_EQ(descendants({kFirst}, roots, tree.proc), (Ids{{11, 101}, {12, 102}, {13, 103}}));
  EXPECT_EQ(descendants({kSecond}, roots, tree.proc), (Ids{{21, 111}}));
}

// A daemon that was begun inside an agent, its holder, and what runs there are not that agent's to end.
TEST_F(Lineage, AHolderBelowASessionIsNoneOfItsProcesses) {
  tree.add({40, 10, 40, "pawl-holder", 'S', 0, 130});
  tree.add({41, 40, 40, "pawl-keeper", 'S', 0, 131});
  tree.add({42, 41, 42, "sh", 'S', 0, 132});
  roots.push_back({{40, 130}, {}});
  roots.push_back({{41, 131}, SessionId{3}});
  EXPECT_EQ(descendants({kFirst}, roots, tree.proc).size(), 3u);
  EXPECT_EQ(session_of(42, roots, tree.proc), SessionId{3});
  EXPECT_EQ(session_of(40, roots, tree.proc), std::nullopt);
}

// Codex' app-server: whoever started it, others need it.
TEST_F(Lineage, AServerThatSeveralShareIsNobodysAlone) {
  tree.add({50, 11, 50, "codex", 'S', 0, 140, 0, true});
  tree.add({51, 50, 51, "bash", 'S', 0, 141, 0, true});
  tree.add({52, 11, 52, "codex", 'S', 0, 142});  // a window, in a terminal
  tree.add({53, 11, 53, "gopls", 'S', 0, 143, 0, true});
  const auto servers = shared_servers({"codex"}, tree.proc);
  ASSERT_EQ(servers.size(), 1u);
  EXPECT_EQ(servers[0].process.pid, 50);
  EXPECT_EQ(descendants({kFirst}, roots, tree.proc).size(), 7u);
  roots.push_back(servers[0]);
  EXPECT_EQ(descendants({kFirst}, roots, tree.proc),
            (Ids{{11, 101}, {12, 102}, {13, 103}, {52, 142}, {53, 143}}));
  EXPECT_EQ(session_of(51, roots, tree.proc), kShared);
  EXPECT_TRUE(shared_servers({}, tree.proc).empty());
}

TEST_F(Lineage, TheDeadAreNotListed) {
  tree.add({15, 10, 15, "gone", 'Z', 0, 104});
  EXPECT_EQ(descendants({kFirst}, roots, tree.proc).size(), 3u);
}

}  // namespace
}  // namespace pawl::host
