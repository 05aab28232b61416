#include "os/proc.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>

#include "base/test_dir.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/test_pty.h"

namespace pawl::os {
namespace {

const std::string kRest =
    ") S 7 8 9 34816 10 4194304 1 2 3 4 11 12 13 14 20 0 5 0 77 1000 2 1844674407 0";

TEST(Stat, EveryFieldIsFound) {
  const auto stat = parse_stat("42 (bash" + kRest);
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->id, (ProcessId{42, 77}));
  EXPECT_EQ(stat->name, "bash");
  EXPECT_EQ(stat->state, 'S');
  EXPECT_EQ(stat->parent, 7);
  EXPECT_EQ(stat->group, 8);
  EXPECT_EQ(stat->session, 9);
  EXPECT_EQ(stat->terminal, 34816u);
  EXPECT_EQ(stat->front, 10);
  EXPECT_EQ(stat->ticks, 23u);
  EXPECT_EQ(stat->reaped, 27u);
  EXPECT_EQ(stat->threads, 5);
}

TEST(Stat, ANameMayHoldAnything) {
  for (const std::string name :
       {"a) R 1 (b", "line\nbreak", ")", "", " ", "x) S 1 2 3 4 5 6 7 8"}) {
    const auto stat = parse_stat("42 (" + name + kRest);
    ASSERT_TRUE(stat) << name;
    EXPECT_EQ(stat->name, name);
    EXPECT_EQ(stat->parent, 7) << name;
    EXPECT_EQ(stat->id.start_ticks, 77u) << name;
  }
}

TEST(Stat, WhatIsNoLineIsNothing) {
  const std::string whole = "42 (bash" + kRest;
  const size_t enough = whole.find(" 77") + 3;
  for (size_t cut = 0; cut < enough - 2; ++cut) EXPECT_FALSE(parse_stat(whole.substr(0, cut)));
  EXPECT_TRUE(parse_stat(whole.substr(0, enough)));
  for (const char* line :
       {")(", "42 )x(", "x (y) S 1", "(y) S 1 2 3", "42 (y) S a b c d e f g h i"})
    EXPECT_FALSE(parse_stat(line)) << line;
}

TEST(Stat, OnlyTheWholeProcessIsAZombie) {
  Stat stat;
  stat.state = 'Z';
  stat.threads = 1;
  EXPECT_TRUE(stat.zombie());
  stat.threads = 3;  // its first thread is gone, the others go on
  EXPECT_FALSE(stat.zombie());
}

TEST(Stat, OneThatClosesItsFilesIsDying) {
  std::string line = "42 (bash" + kRest;
  EXPECT_FALSE(parse_stat(line)->dying);
  line.replace(line.find("4194304"), 7, "4194308");
  EXPECT_TRUE(parse_stat(line)->dying);
}

TEST(Proc, KnowsItselfAndItsChildren) {
  const Proc proc;
  const pid_t child = ::fork();
  if (child == 0) {
    ::pause();
    ::_exit(0);
  }
  const auto self = proc.stat(::getpid());
  ASSERT_TRUE(self);
  EXPECT_EQ(self->parent, ::getppid());
  EXPECT_EQ(self->session, ::getsid(0));
  ASSERT_TRUE(proc.lists_children());
  EXPECT_EQ(proc.children(::getpid()), std::vector{child});
  const auto all = proc.all();
  for (const pid_t pid : {::getpid(), child})
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](auto& one) { return one.id.pid == pid; }));
  EXPECT_GE(proc.count(), 2u);
  const auto words = proc.command_line(::getpid(), 1, 4);
  ASSERT_EQ(words.size(), 1u);
  EXPECT_EQ(words[0].size(), 4u);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_FALSE(proc.stat(child));
  EXPECT_TRUE(proc.children(child).empty());
  EXPECT_TRUE(proc.command_line(child, 8, 256).empty());
}

TEST(Proc, WordsAreCountedAndCut) {
  TestDir dir;
  ASSERT_TRUE(make_private_dir(dir / "7"));
  ASSERT_TRUE(write_atomically(dir / "7/cmdline", std::string("sh\0-c\0\0a long one\0", 18)));
  const Proc proc(dir.path());
  EXPECT_EQ(proc.command_line(7, 8, 6), (std::vector<std::string>{"sh", "-c", "", "a long"}));
  EXPECT_EQ(proc.command_line(7, 2, 6), (std::vector<std::string>{"sh", "-c"}));
  ASSERT_TRUE(write_atomically(dir / "7/cmdline", std::string(9000, 'x')));
  EXPECT_EQ(proc.command_line(7, 8, 256), std::vector{std::string(256, 'x')});
}

TEST(Proc, WhatMovesIsAddedUp) {
  TestDir dir;
  ASSERT_TRUE(make_private_dir(dir / "7"));
  ASSERT_TRUE(write_atomically(dir / "7/io", "rchar: 3980\nwchar: 13\nsyscr: 8\nwrite_bytes: 5\n"));
  EXPECT_EQ(Proc(dir.path()).moved(7), 3993u);
  EXPECT_EQ(Proc(dir.path()).moved(8), 0u) << "it cannot be seen";
}

TEST(Proc, OneThatWaitsForAKeyIsSeen) {
  if (!read_file("/proc/self/syscall")) GTEST_SKIP() << "this kernel does not say";
  TestPty pty;
  const TestPty other;
  const Proc proc;
  const pid_t child = ::fork();
  if (child == 0) {
    char byte = 0;
    (void)!::read(pty.slave.get(), &byte, 1);
    ::kill(::getpid(), SIGSTOP);
    ::_exit(0);
  }
  const MonoTime deadline = read_clock().mono + std::chrono::seconds{10};
  while (!proc.reads_terminal(child, pty.device) && read_clock().mono < deadline) {
  }
  EXPECT_TRUE(proc.reads_terminal(child, pty.device));
  EXPECT_FALSE(proc.reads_terminal(child, other.device)) << "that of another";
  EXPECT_FALSE(proc.reads_terminal(::getpid(), pty.device)) << "it is open here, and nobody reads";
  ASSERT_EQ(::write(pty.master.get(), "y\n", 2), 2);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, WUNTRACED), child);
  EXPECT_FALSE(proc.reads_terminal(child, pty.device)) << "it got one";
  ::kill(child, SIGKILL);
  ::waitpid(child, &status, 0);
}

TEST(TerminalMode, IsWhatTheProgramSet) {
  const TestPty pty;
  const Proc proc;
  auto mode = proc.terminal_mode(pty.device);
  ASSERT_TRUE(mode) << mode.error().what;
  EXPECT_TRUE(mode->canonical && mode->echo && mode->signals);
  termios raw{};
  ::tcgetattr(pty.slave.get(), &raw);
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  ::tcsetattr(pty.slave.get(), TCSANOW, &raw);
  mode = proc.terminal_mode(pty.device);
  ASSERT_TRUE(mode);
  EXPECT_FALSE(mode->canonical || mode->echo);
  EXPECT_TRUE(mode->signals);
}

TEST(TerminalMode, WhatIsNoTerminalOfOursIsAnError) {
  TestDir dir;
  const TestPty pty;
  const std::string name = dir / std::to_string(pty.number);
  EXPECT_FALSE(Proc().terminal_mode(0)) << "none";
  EXPECT_FALSE(Proc().terminal_mode(0x401)) << "a console";
  EXPECT_FALSE(Proc("/proc", dir.path()).terminal_mode(pty.device)) << "gone";
  ASSERT_TRUE(write_atomically(name, "a file"));
  EXPECT_FALSE(Proc("/proc", dir.path()).terminal_mode(pty.device)) << "another kind of thing";
  ::unlink(name.c_str());
  ASSERT_EQ(::symlink("/dev/null", name.c_str()), 0);
  EXPECT_FALSE(Proc("/proc", dir.path()).terminal_mode(pty.device)) << "another device";
}

// Looks as often as it can while a program prints, ends and is gone: every byte arrives, then the hang-up, as if nobody had
// looked; and the one that looks does not become the terminal's owner.
TEST(TerminalMode, LookingChangesNothingForTheHolder) {
  const Proc proc;
  const auto before = proc.stat(::getpid());
  ASSERT_TRUE(before);
  for (int round = 0; round < 100; ++round) {
    TestPty pty;
    const pid_t child = ::fork();
    if (child == 0) {
      ::setsid();
      ::ioctl(pty.slave.get(), TIOCSCTTY, 0);
      (void)!::write(pty.slave.get(), "last words", 10);
      ::_exit(0);
    }
    pty.slave.reset();
    int status = -1;
    while (::waitpid(child, &status, WNOHANG) == 0) (void)proc.terminal_mode(pty.device);
    EXPECT_EQ(status, 0);
    (void)proc.terminal_mode(pty.device);
    pollfd master{pty.master.get(), POLLIN, 0};
    ASSERT_EQ(::poll(&master, 1, 5000), 1) << "the end is not delayed";
    EXPECT_TRUE(master.revents & POLLHUP);
    char buffer[64];
    EXPECT_EQ(::read(pty.master.get(), buffer, sizeof buffer), 10);
    EXPECT_EQ(::read(pty.master.get(), buffer, sizeof buffer), -1);
    EXPECT_EQ(errno, EIO);
  }
  EXPECT_EQ(proc.stat(::getpid())->terminal, before->terminal) << "none became ours";
}

}  // namespace
}  // namespace pawl::os
