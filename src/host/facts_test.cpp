#include "host/facts.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "base/test_dir.h"
#include "os/fd.h"
#include "os/file.h"

namespace pawl::host {
namespace {

// A real terminal with nobody in it.
struct Pty {
  Pty() : master(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    ::unlockpt(master.get());
    slave.reset(::ioctl(master.get(), TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC));
    struct stat info {};
    ::fstat(slave.get(), &info);
    device = (136u << 8) | (minor(info.st_rdev) & 0xff) | ((minor(info.st_rdev) & 0xfff00) << 12);
  }
  os::Fd master, slave;
  uint32_t device = 0;
};

struct Who {
  pid_t pid, parent, group;
  std::string name;
  char state = 'S';
  int ticks = 0;
  uint64_t start = 100;
  int reaped = 0;
};

// Made-up processes around a real terminal; 10 is the child, in session 10.
class FactsTest : public ::testing::TestWithParam<Way> {
 protected:
  void add(const Who& who) {
    const std::string folder = dir / std::to_string(who.pid);
    const std::string task = folder + "/task/" + std::to_string(who.pid);
    ASSERT_TRUE(os::make_private_dir(task));
    write_stat(who);
    write(folder + "/cmdline", who.name + std::string("\0-x\0", 4));
    const std::string list = "/task/" + std::to_string(who.parent) + "/children";
    const std::string siblings = dir / std::to_string(who.parent) + list;
    if (const auto old = os::read_file(siblings))
      write(siblings, *old + std::to_string(who.pid) + " ");
    write(task + "/children", "");
  }
  void write_stat(const Who& who) {
    const std::string numbers = " " + std::to_string(who.parent) + " " + std::to_string(who.group) +
                                " 10 " + std::to_string(pty.device) + " " + std::to_string(front) +
                                " 0 0 0 0 0 " + std::to_string(who.ticks) + " 0 " +
                                std::to_string(who.reaped) + " 0 20 0 1 0 " +
                                std::to_string(who.start) + " 0 0";
    write(dir / std::to_string(who.pid) + "/stat",
          std::to_string(who.pid) + " (" + who.name + ") " + who.state + numbers);
  }
  void write(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::trunc);  // not to the disk: there are hundreds
    ASSERT_TRUE(file << text << std::flush);
  }
  void SetUp() override {
    ASSERT_TRUE(os::make_private_dir(dir / "thread-self"));
    write(dir / "thread-self/children", "");
  }
  Result<model::Facts> look(uint64_t start = 100) {
    auto sketches = survey({{10, start}}, proc, GetParam());
    if (!sketches[0]) return tl::unexpected(sketches[0].error());
    return close_up(std::move(*sketches[0]), proc);
  }

  TestDir dir;
  Pty pty;
  pid_t front = 10;
  os::Proc proc{dir.path()};
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
  auto sketches = survey({{10, 100}}, proc, GetParam());
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
  auto sketches = survey({{10, 100}}, proc, GetParam());
  ASSERT_TRUE(sketches[0]);
  add({20, 10, 20, "stranger", 'S', 0, 900});
  const auto facts = close_up(*sketches[0], proc);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->front, "vim");
  EXPECT_TRUE(facts->argv.empty());
}

TEST_P(FactsTest, ATerminalThatMayNotBeOpenedIsAnErrorAndNotARawOne) {
  add({10, 1, 10, "bash"});
  const auto sketches = survey({{10, 100}}, proc, GetParam());
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
  std::string list;
  for (pid_t pid = 1000; pid < 1600; ++pid) {  // every second one in front
    ASSERT_EQ(::mkdir((dir / std::to_string(pid)).c_str(), 0700), 0);
    write_stat({pid, 10, pid % 2 ? 10 : pid, "x"});
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

TEST(Facts, MayNotOpenAnothersTerminal) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become somebody else";
  Pty pty;
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
  Pty pty;
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
