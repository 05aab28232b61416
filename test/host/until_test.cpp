// Sessions that have to be over at some time (Launch::until): their holder ends them, and everything they started, whoever else died,
// slept or was stopped. Real holders, keepers, programs and daemons.

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "host/frames.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/holders.h"
#include "os/socket.h"
#include "world.h"

namespace pawl::host {
namespace {

using namespace std::chrono_literals;

BootTime now() {
  return os::read_clock().boot;
}

// Three that let go of their terminal, their session, their parent and their environment, each in another way; who they are goes into
// the file `who` of the home. None of them hears of a hang-up or of TERM.
std::string detaching(const std::string& home) {
  const std::string deaf = home + "/deaf", quiet = " </dev/null >/dev/null 2>&1 ";
  (void)os::write_atomically(deaf,
                             "trap '' HUP TERM\necho $$ >>" + home + "/who\nexec sleep 1000\n");
  return "trap '' HUP TERM; setsid sh " + deaf + quiet + "& (setsid sh -c 'sh " + deaf +
         " & exit'" + quiet + "&); env -i setsid sh " + deaf + quiet + "& echo $$ >>" + home +
         "/who; while :; do sleep 0.1; done";
}

std::vector<os::ProcessId> all_in(const std::string& file) {
  std::vector<os::ProcessId> out;
  const std::string text = os::read_file(file).value_or("");
  for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    if (text.find('\n', at) == std::string::npos) break;
    if (const auto one = os::identify(std::atoi(text.c_str() + at))) out.push_back(*one);
  }
  return out;
}

bool none_lives(const std::vector<os::ProcessId>& all) {
  return std::none_of(all.begin(), all.end(), [](const auto& one) { return os::alive(one); });
}

struct Ending : ::testing::Test {
  World world;
  std::string file = world.home() + "/who";
  std::vector<os::ProcessId> all;

  SessionId begin(BootTime until) {
    const auto session = world.ending(detaching(world.home()), until);
    EXPECT_TRUE(world.until([&] { return all_in(file).size() == 4; }));
    all = all_in(file);
    return session;
  }
  os::ProcessId holder() const {
    const auto found = os::holders_in(world.home() + "/holders");
    return found.empty() ? os::ProcessId{} : found[0].id;
  }
};

TEST_F(Ending, ItsHolderEndsItAndAllItStartedWhenItsTimeHasCome) {
  const BootTime until = now() + 1500ms;
  const auto session = begin(until);
  ASSERT_LT(now(), until) << "too slow a machine for this test";
  ASSERT_FALSE(none_lives(all));
  ASSERT_TRUE(world.until_ended(session));
  EXPECT_GE(now(), until);
  EXPECT_TRUE(world.until([&] { return none_lives(all); }));
  EXPECT_LT(now(), until + 1s);
  EXPECT_EQ(world.seen(session).end.signal, SIGKILL);
  EXPECT_EQ(world.seen(session).end.cause, "its lease ended while nobody renewed it");
}

TEST_F(Ending, OneWhoseTimeIsMovedGoesOnAndOthersAreNotTouched) {
  const auto other = world.shell("cat");
  const BootTime until = now() + 1500ms;
  const auto session = begin(until);
  ASSERT_LT(now(), until);
  world.host().extend(session, now() + 1h);
  ASSERT_TRUE(world.until([&] { return now() > until + 300ms; }));
  for (const auto& one : all) EXPECT_TRUE(os::alive(one));
  world.host().extend(session, now() + 10ms);
  ASSERT_TRUE(world.until_ended(session));
  EXPECT_TRUE(world.until([&] { return none_lives(all); }));
  world.host().write(other, "alive\n");
  EXPECT_TRUE(world.until_output(other, "alive\r\nalive"));
}

TEST_F(Ending, WithoutADaemonAndTheNextOneIsTold) {
  const BootTime until = now() + 1500ms;
  const auto session = begin(until);
  world.restart();
  ASSERT_TRUE(world.seen(session).found);
  EXPECT_EQ(world.seen(session).until, until) << "it is told what was set";
  ASSERT_TRUE(world.away([&] { return none_lives(all); }));
  EXPECT_GE(now(), until);
  EXPECT_LT(now(), until + 1s);
  ASSERT_TRUE(world.until_ended(session));
  EXPECT_EQ(world.seen(session).end.cause, "its lease ended while nobody renewed it");
}

TEST_F(Ending, AHolderThatWasStoppedOverItEndsItWhenItGoesOn) {
  const BootTime until = now() + 1500ms;
  begin(until);
  ::kill(holder().pid, SIGSTOP);
  ASSERT_TRUE(world.until([&] { return now() > until + 300ms; }));
  EXPECT_FALSE(none_lives(all));
  const BootTime goes_on = now();
  ::kill(holder().pid, SIGCONT);
  EXPECT_TRUE(world.until([&] { return none_lives(all); }));
  EXPECT_LT(now(), goes_on + 1s);
}

// It was moved while nobody read it.
TEST_F(Ending, AHolderThatWasStoppedHearsFirstWhatItWasToldMeanwhile) {
  const BootTime until = now() + 1500ms;
  const auto session = begin(until);
  ::kill(holder().pid, SIGSTOP);
  world.host().extend(session, now() + 1h);
  ASSERT_TRUE(world.until([&] { return now() > until + 300ms; }));
  ::kill(holder().pid, SIGCONT);
  world.host().resize(session, {101, 37});
  ASSERT_TRUE(world.until([&] { return !os::stopped(holder()); }));
  ASSERT_TRUE(world.until([&] { return now() > until + 600ms; }));
  for (const auto& one : all) EXPECT_TRUE(os::alive(one));
}

// Nobody would know any more when it has to be over.
TEST_F(Ending, WhenItsHolderIsKilledItsKeeperEndsItAtOnce) {
  begin(now() + 1h);
  const auto its = holder();
  ASSERT_TRUE(world.away([&] {
    os::send_signal(its, SIGKILL);
    return none_lives(all);
  }));
}

TEST_F(Ending, AProgramThatKillsItsKeeperDoesNotGetAway) {
  const BootTime until = now() + 2s;
  const auto session = world.ending("kill -9 $PPID; " + detaching(world.home()), until);
  ASSERT_TRUE(world.until([&] { return all_in(file).size() == 4; }));
  all = all_in(file);
  ASSERT_TRUE(world.until_ended(session));
  EXPECT_TRUE(world.until([&] { return none_lives(all); }));
  EXPECT_LT(now(), until + 1s);
}

TEST_F(Ending, WhatItLeftBehindGoesWhenItIsClosed) {
  const auto session = begin(now() + 1h);
  world.host().signal(session, SIGKILL);
  ASSERT_TRUE(world.until_ended(session));
  EXPECT_FALSE(none_lives(all));
  EXPECT_EQ(world.seen(session).end.cause, "");
  world.close(session);
  EXPECT_TRUE(world.until([&] { return none_lives(all); }));
}

TEST_F(Ending, ItIsKilledAtOnceWithAllItStartedAlsoWhenItsHolderIsStopped) {
  const auto session = begin(now() + 1h);
  ::kill(holder().pid, SIGSTOP);
  world.host().kill(session);
  EXPECT_TRUE(world.until([&] { return none_lives(all); }));
  ::kill(holder().pid, SIGCONT);
  EXPECT_TRUE(world.until_ended(session));
}

TEST_F(Ending, OneThatComesTooLateIsNotRun) {
  const auto session = world.ending("echo run >" + file, now() - 1s);
  ASSERT_TRUE(world.until_ended(session));
  EXPECT_TRUE(world.seen(session).failed);
  EXPECT_EQ(world.seen(session).error.what, "it was not started: its time was over before");
  EXPECT_FALSE(os::exists(file));
}

// A daemon of its own, which opens a session and moves its time as long as it lives.
struct OtherDaemon {
  explicit OtherDaemon(const std::string& home, const std::string& script) : pid(::fork()) {
    if (pid != 0) return;
    os::Loop loop;
    PtyHost host(loop, home, [&] { loop.stop(); });
    Launch launch{{"sh", "-c", script}, {"PATH=/usr/bin:/bin"}, "/", {}};
    launch.until = now() + 1s;
    host.open(SessionId{1}, launch);
    os::Timer renewal(loop, [&] { loop.stop(); });
    for (;;) {
      renewal.start(std::chrono::milliseconds{100});
      loop.run();
      host.extend(SessionId{1}, now() + 1s);
      (void)host.take();
    }
  }
  ~OtherDaemon() {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }
  pid_t pid;
};

void ends_within_its_time(int fatal) {
  World world;
  const std::string file = world.home() + "/who";
  OtherDaemon daemon(world.home(), detaching(world.home()));
  ASSERT_TRUE(world.until([&] { return all_in(file).size() == 4; }));
  const auto all = all_in(file);
  const BootTime longer = now() + 1500ms;  // than it would without being moved
  ASSERT_TRUE(world.until([&] { return now() > longer; }));
  EXPECT_FALSE(none_lives(all)) << "it is moved";
  ::kill(daemon.pid, fatal);
  const BootTime died = now();
  EXPECT_TRUE(world.until([&] { return none_lives(all); }));
  EXPECT_LT(now(), died + 2s) << "a second, and one more";
}

TEST(EndingOfADaemon, ThatIsKilled) {
  ends_within_its_time(SIGKILL);
}

TEST(EndingOfADaemon, ThatIsStopped) {
  ends_within_its_time(SIGSTOP);
}

// Speaks an older version, and writes down what it is asked.
pid_t old_holder(const std::string& home) {
  auto listener = os::listen_local(home + "/holders", "0.sock");
  if (!listener) return 0;
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  pollfd waiting{listener->get(), POLLIN, 0};
  (void)::poll(&waiting, 1, -1);
  const int fd = ::accept(listener->get(), nullptr, nullptr);
  const auto hello = encode(wire::kHello, SessionId{0},
                            wire::Hello{wire::kMagic, 2, 1, static_cast<uint32_t>(::getpid()), 0});
  (void)!::send(fd, hello.data(), hello.size(), MSG_NOSIGNAL);
  char space[4096];
  for (ssize_t got; (got = ::recv(fd, space, sizeof space, 0)) > 0;)
    if (std::string(space, static_cast<size_t>(got)).find("no-such-word") != std::string::npos)
      (void)os::write_atomically(home + "/asked", "it was");
  ::_exit(0);
}

TEST(EndingOfAnOldHolder, IsNotCountedOn) {
  World world;
  ASSERT_TRUE(os::make_private_dir(world.home() + "/holders"));
  const pid_t old = old_holder(world.home());
  ASSERT_GT(old, 0);
  ASSERT_TRUE(world.pty_host().connect_existing());
  const auto session = world.ending("echo no-such-word; exec sleep 1000", now() + 1h);
  ASSERT_TRUE(world.until_output(session, "no-such-word"));
  EXPECT_EQ(world.pty_host().holders(), 2u);
  EXPECT_FALSE(os::exists(world.home() + "/asked"));
  ::kill(old, SIGKILL);
  ::waitpid(old, nullptr, 0);
}

// The files of a group, in a folder that looks like one.
TEST(EndingOfAGroup, IsAskedOfTheKernel) {
  World world;
  const auto first = world.shell("cat");
  ASSERT_TRUE(world.until([&] { return world.seen(first).opened; }));
  const std::string group = world.home() + "/group";
  ASSERT_TRUE(os::make_private_dir(group));
  ASSERT_TRUE(os::write_atomically(group + "/cgroup.procs", ""));
  ASSERT_TRUE(os::write_atomically(group + "/cgroup.kill", ""));
  const Launch launch{{"sleep", "1000"}, {"PATH=/usr/bin:/bin"}, "/", {}};
  const SessionId session{99};
  const std::string asked =
      encode(wire::kHello, SessionId{0}, wire::Hello{wire::kMagic, wire::kVersion, 1, 1, 0}) +
      encode_place(session, group + "/cgroup.procs") + encode_until(session, now() + 200ms) +
      *encode_open(session, launch);
  auto fd = os::connect_local(world.home() + "/holders", "0.sock");
  ASSERT_TRUE(fd);
  ASSERT_EQ(::send(fd->get(), asked.data(), asked.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(asked.size()));
  EXPECT_TRUE(world.until(
      [&] { return os::read_file(group + "/cgroup.kill").value_or("").starts_with("1"); }));
}

}  // namespace
}  // namespace pawl::host
