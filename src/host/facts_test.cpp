#include "host/facts.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/test_proc.h"
#include "os/file.h"

namespace pawl::host {
namespace {

class FactsTest : public ::testing::TestWithParam<Way>, protected TestProc {
 protected:
  Result<model::Facts> look(uint64_t start = 100) {
    auto sketches = survey({{10, start}}, GetParam(), proc);
    if (!sketches[0]) return tl::unexpected(sketches[0].error());
    return close_up(std::move(*sketches[0]), proc);
  }
};

using Names = std::vector<std::string>;

TEST_P(FactsTest, AShellAlone) {
  add({10, 1, 10, "bash", 'S', 250, 100, 50});
  const auto facts = look();
  ASSERT_TRUE(facts) << facts.error().what;
  EXPECT_EQ(facts->front, "bash");
  EXPECT_EQ(facts->busiest, "bash");
  EXPECT_EQ(facts->front_count, 1);
  EXPECT_FALSE(facts->zombie);
  EXPECT_EQ(facts->argv, (Names{"bash", "-x"}));
  EXPECT_EQ(facts->processes, (std::vector<model::Process>{{10, 100}}));
  EXPECT_TRUE(facts->outside.empty());
  EXPECT_TRUE(facts->canonical && facts->echo && facts->signals);
  EXPECT_DOUBLE_EQ(facts->cpu_s, 300.0 / static_cast<double>(::sysconf(_SC_CLK_TCK)));
}

TEST_P(FactsTest, AJobInFrontAndOneBehind) {
  front = 20;
  add({10, 1, 10, "bash"});
  add({20, 10, 20, "node", 'S', 3});
  add({21, 20, 20, "codex", 'S', 90});
  add({22, 21, 22, "rg"});
  add({30, 10, 30, "sleep"});
  add({40, 1, 40, "stranger"});
  const auto facts = look();
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->front, "node");
  EXPECT_EQ(facts->busiest, "codex");
  EXPECT_EQ(facts->front_count, 2);
  EXPECT_EQ(facts->processes, (std::vector<model::Process>{{20, 100}, {21, 100}}));
  EXPECT_EQ(facts->outside, (Names{"sleep", "rg"}));
  EXPECT_EQ(facts->argv, (Names{"node", "-x"}));
}

TEST_P(FactsTest, ALeaderThatIsGoneOrDead) {
  front = 20;
  add({10, 1, 10, "bash"});
  add({21, 10, 20, "less"});
  auto facts = look();
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->front, "") << "gone";
  EXPECT_EQ(facts->busiest, "less");
  EXPECT_EQ(facts->front_count, 1);
  EXPECT_TRUE(facts->argv.empty());
  add({20, 10, 20, "cat", 'Z'});
  facts = look();
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->front, "cat");
  EXPECT_TRUE(facts->zombie);
  EXPECT_EQ(facts->processes[0].pid, 20);
}

TEST_P(FactsTest, ALeaderThatWasOrphanedIsStillInFront) {
  front = 20;
  add({10, 1, 10, "bash"});
  add({20, 1, 20, "vim"});
  const auto facts = look();
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->front, "vim");
  EXPECT_EQ(facts->front_count, 1);
}

TEST_P(FactsTest, AGroupWhoseNumberIsSomebodyElsesByNowHasNobodyInFront) {
  front = 20;
  add({10, 1, 10, "bash"});
  add({20, 1, 33, "stranger"});
  auto facts = look();
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->front, "");
  EXPECT_EQ(facts->front_count, 0);
  front = 0;  // a group of a namespace we cannot see, or none
  add({10, 1, 10, "bash"});
  facts = look();
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->front, "");
}

TEST_P(FactsTest, NamesMayHoldAnything) {
  front = 20;
  add({10, 1, 10, "a) R 1 (b"});
  add({20, 10, 20, "new\nline)"});
  add({30, 10, 30, ")"});
  const auto facts = look();
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->front, "new\nline)");
  EXPECT_EQ(facts->outside, Names{")"});
}

TEST_P(FactsTest, OnesThatVanishInTheMiddleAreNotThere) {
  add({10, 1, 10, "bash"});
  add({20, 10, 10, "gone"});
  add({30, 10, 30, "lost"});
  add({31, 30, 30, "left"});
  ASSERT_TRUE(os::remove_tree(dir / "20"));           // listed, and gone
  ASSERT_EQ(::unlink((dir / "30/stat").c_str()), 0);  // its folder is still there
  auto facts = look();
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->front_count, 1);
  EXPECT_TRUE(facts->outside.empty());
  write(dir / "31/stat", "");  // what a process that ends while it is read gives
  ASSERT_TRUE(os::remove_tree(dir / "10/task"));
  facts = look();
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->front_count, 1);
}

TEST_P(FactsTest, AChildOlderThanItsParentIsNotItsChild) {
  add({10, 1, 10, "bash", 'S', 0, 500});
  add({20, 10, 20, "stranger", 'S', 0, 400});
  const auto facts = look(500);
  ASSERT_TRUE(facts);
  EXPECT_TRUE(facts->outside.empty());
}

TEST_P(FactsTest, TheDeadTheReusedAndTheUnbornAreErrors) {
  EXPECT_FALSE(look()) << "no such process";
  add({10, 1, 10, "bash"});
  EXPECT_TRUE(look());
  EXPECT_FALSE(look(99)) << "somebody else has its number";
  add({10, 1, 10, "bash", 'Z'});
  EXPECT_FALSE(look()) << "ended";
  pty.device = 0;
  add({10, 1, 10, "bash"});
  const auto without = look();
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().what, "process 10 has let go of its terminal");
}

TEST_P(FactsTest, OneThatEndsBetweenTheStepsIsAnError) {
  add({10, 1, 10, "bash"});
  auto sketches = survey({{10, 100}}, GetParam(), proc);
  ASSERT_TRUE(sketches[0]);
  add({10, 1, 10, "other", 'S', 0, 900});
  EXPECT_FALSE(close_up(*sketches[0], proc)) << "its pid is another's";
  ASSERT_TRUE(os::remove_tree(dir / "10"));
  EXPECT_FALSE(close_up(*sketches[0], proc));
}

TEST_P(FactsTest, ALeaderThatEndsBetweenTheStepsLendsNobodyItsWords) {
  front = 20;
  add({10, 1, 10, "bash"});
  add({20, 10, 20, "vim"});
  auto sketches = survey({{10, 100}}, GetParam(), proc);
  ASSERT_TRUE(sketches[0]);
  add({20, 10, 20, "stranger", 'S', 0, 900});
  const auto facts = close_up(*sketches[0], proc);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->front, "vim");
  EXPECT_TRUE(facts->argv.empty());
}

TEST_P(FactsTest, ATerminalThatMayNotBeOpenedIsAnErrorAndNotARawOne) {
  add({10, 1, 10, "bash"});
  const auto sketches = survey({{10, 100}}, GetParam(), proc);
  ASSERT_TRUE(sketches[0]);
  ASSERT_TRUE(close_up(*sketches[0], proc));
  const os::Proc elsewhere(dir.path(), dir / "nowhere");
  EXPECT_FALSE(close_up(*sketches[0], elsewhere)) << "not in our /dev/pts";
  if (::geteuid() == 0) return;  // may open everything
  ASSERT_EQ(::fchmod(pty.slave.get(), 0), 0);
  EXPECT_FALSE(close_up(*sketches[0], proc));
}

TEST_P(FactsTest, AForestIsCutOff) {
  add({10, 1, 10, "bash"});
  add({20, 10, 10, "x"});
  add({21, 10, 21, "y"});
  std::string list;
  for (pid_t pid = 1000; pid < 1600;
       ++pid) {  // many names for these two: quicker than many folders
    ASSERT_EQ(::symlink(pid % 2 ? "20" : "21", of(pid).c_str()), 0);
    list += std::to_string(pid) + " ";
  }
  write(dir / "10/task/10/children", list);
  const auto facts = look();
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->outside.size(), kOutsideNames);
  EXPECT_GT(facts->front_count, 200);
  EXPECT_LT(facts->front_count, static_cast<int>(kProcessesVisited));
}

TEST_P(FactsTest, AKernelThatListsNoChildrenIsScanned) {
  ASSERT_TRUE(os::remove_tree(dir / "thread-self"));
  add({10, 1, 10, "bash"});
  add({20, 10, 20, "node"});
  ASSERT_TRUE(os::remove_tree(dir / "10/task"));
  const auto facts = look();
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->outside, Names{"node"});
}

INSTANTIATE_TEST_SUITE_P(Ways, FactsTest, ::testing::Values(Way::walk, Way::scan),
                         [](const auto& way) { return way.param == Way::walk ? "walk" : "scan"; });

TEST(Facts, AFewAreWalkedAndMostAreScanned) {
  const os::Proc proc;
  EXPECT_FALSE(better_scanned(0, proc));
  EXPECT_TRUE(better_scanned(proc.count(), proc));
  const TestProc none;
  ASSERT_TRUE(os::remove_tree(none.dir / "thread-self"));
  EXPECT_FALSE(better_scanned(1, none.proc));
  EXPECT_TRUE(better_scanned(2, none.proc)) << "each walk would be a scan";
}

TEST(Facts, FilesOfTheProgramsOwn) {
  TestProc world;
  const std::string home = world.dir / "home", moved = world.dir / "moved";
  const auto read = [&](const std::string& environment) {
    world.add({10, 1, 10, "claude"});
    EXPECT_TRUE(os::write_atomically(world.dir / "10/environ", environment));
    const auto facts =
        read_facts({10, 100}, world.proc, {"{$X_DIR|~/.x}/{pid}.json", "{$X_DIR|~/.x}/talk.jsonl"});
    return facts ? std::pair(facts->status_file, facts->transcript)
                 : std::pair<std::string, std::string>("no facts", facts.error().what);
  };
  for (const std::string& folder : {home + "/.x", moved}) {
    ASSERT_TRUE(os::make_private_dir(folder));
    ASSERT_TRUE(os::write_atomically(folder + "/10.json", folder));
    ASSERT_TRUE(
        os::write_atomically(folder + "/talk.jsonl", std::string(kTranscriptBytes, 'a') + "end"));
  }
  const std::string end = std::string(kTranscriptBytes - 3, 'a') + "end";
  EXPECT_EQ(read("HOME=" + home), std::pair(home + "/.x", end));
  EXPECT_EQ(read("HOME=" + home + std::string(1, 0) + "X_DIR=" + moved), std::pair(moved, end));
  EXPECT_EQ(read("X_DIR=relative"), std::pair(std::string(), std::string()));
  EXPECT_EQ(read("LANG=C"), std::pair(std::string(), std::string())) << "nobody's home";
}

TEST(Facts, MayNotOpenAnothersTerminal) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become somebody else";
  os::TestPty pty;
  const pid_t child = ::fork();
  if (child == 0) {
    const os::Proc proc;
    if (::setresuid(65534, 65534, 65534) != 0) ::_exit(2);
    ::_exit(proc.terminal_mode(pty.device) ? 1 : 0);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << "an error, and nothing worse";
}

TEST(Facts, OfARealProcessInATerminal) {
  os::TestPty pty;
  const pid_t child = ::fork();
  if (child == 0) {
    ::setsid();
    ::ioctl(pty.slave.get(), TIOCSCTTY, 0);
    (void)!::write(pty.slave.get(), "x", 1);
    ::pause();
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(pty.master.get(), &byte, 1), 1);
  const auto id = os::identify(child);
  ASSERT_TRUE(id);
  const auto facts = read_facts(*id);
  ASSERT_TRUE(facts) << facts.error().what;
  EXPECT_EQ(facts->front_count, 1);
  EXPECT_EQ(facts->processes[0].pid, child);
  EXPECT_TRUE(facts->canonical);
  ::kill(child, SIGKILL);
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
  EXPECT_FALSE(read_facts(*id)) << "a zombie";
  ::waitpid(child, nullptr, 0);
  EXPECT_FALSE(read_facts(*id)) << "gone";
}

}  // namespace
}  // namespace pawl::host
