// What every Host promises, by behaviour: terminals of our own, and panes of a tmux server of our own. What only holders
// promise is PtyContract: a tmux server keeps no bytes for a daemon that is away, and dies of TERM.

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>

#include "host/leftovers.h"
#include "os/file.h"
#include "world.h"

namespace pawl::host {
namespace {

std::string without_returns(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), '\r'), text.end());
  return text;
}

// A tmux server closes a pane's terminal as soon as its program has ended: what the kernel had not handed to it by then is lost
// (tmux 3.3a, with nothing of ours: 5 of 40 ends beside four busy processes). So programs in its panes end a moment later.
std::string once_read(Backend backend) {
  return backend == Backend::tmux ? "sleep 0.5; " : "";
}

class Contract : public ::testing::TestWithParam<Backend> {};
INSTANTIATE_TEST_SUITE_P(Hosts, Contract, ::testing::Values(Backend::pty, Backend::tmux),
                         [](const auto& one) {
                           return one.param == Backend::pty ? "pty" : "tmux";
                         });

TEST_P(Contract, EchoesWhatIsWritten) {
  World world(GetParam());
  const auto session = world.open({"cat"});
  world.host().write(session, "hello\n");
  EXPECT_TRUE(world.until_output(session, "hello\r\nhello\r\n"));
  EXPECT_TRUE(world.seen(session).opened);
}

TEST_P(Contract, SaysHowTheChildExited) {
  World world(GetParam());
  const auto seven = world.shell("echo bye; " + once_read(GetParam()) + "exit 7");
  const auto zero = world.open({"true"});
  ASSERT_TRUE(world.until_ended(seven));
  ASSERT_TRUE(world.until_ended(zero));
  EXPECT_EQ(world.seen(seven).end.exit_code, 7);
  EXPECT_EQ(world.seen(seven).output, "bye\r\n");
  EXPECT_EQ(world.seen(seven).end.end.value, 5u);
  EXPECT_EQ(world.seen(zero).end.exit_code, 0);
  EXPECT_TRUE(world.seen(zero).end.known);
}

TEST_P(Contract, SaysWhichSignalEndedIt) {
  World world(GetParam());
  const auto session = world.open({"sleep", "100"});
  ASSERT_TRUE(world.until([&] { return world.seen(session).opened; }));
  world.host().signal(session, SIGTERM);
  ASSERT_TRUE(world.until_ended(session));
  EXPECT_EQ(world.seen(session).end.signal, SIGTERM);
  EXPECT_EQ(world.seen(session).end.exit_code, -1);
}

TEST_P(Contract, SignalReachesTheForegroundJob) {
  World world(GetParam());
  const auto session =
      world.open({"bash", "-ic",
                  "trap 'echo shell got it' TERM; bash -c 'trap \"echo job got it; exit\" "
                  "TERM; echo ready; while :; do read -t 1 x; done'; echo after"});
  ASSERT_TRUE(world.until_output(session, "ready"));
  world.host().signal(session, SIGTERM);
  EXPECT_TRUE(world.until_output(session, "job got it"));
  EXPECT_TRUE(world.until_output(session, "after"));
}

TEST_P(Contract, SaysWhyAProgramDoesNotStart) {
  World world(GetParam());
  const auto missing = world.open({"no-such-program-xyz"});
  const auto path = world.open({"/no/such/file"});
  const auto folder = world.open({"/etc"});
  const auto text = world.open({"/etc/passwd"});
  ASSERT_TRUE(world.until([&] {
    return world.seen(missing).failed && world.seen(path).failed && world.seen(folder).failed &&
           world.seen(text).failed;
  }));
  EXPECT_EQ(world.seen(missing).error.what, "command not found: no-such-program-xyz");
  EXPECT_EQ(world.seen(missing).error.fix, "install it or put its folder into PATH");
  EXPECT_EQ(world.seen(path).error.what, "no such file: /no/such/file");
  EXPECT_EQ(world.seen(folder).error.what, "permission denied: /etc");
  EXPECT_EQ(world.seen(text).error.what, "permission denied: /etc/passwd");
  EXPECT_FALSE(world.seen(missing).opened);
}

TEST_P(Contract, SaysWhyTheDirectoryIsWrong) {
  World world(GetParam());
  const auto missing = world.open({"true"}, {}, "/no/such/dir");
  const auto file = world.open({"true"}, {}, "/etc/passwd");
  ASSERT_TRUE(world.until([&] { return world.seen(missing).failed && world.seen(file).failed; }));
  EXPECT_EQ(world.seen(missing).error.what, "no such directory: /no/such/dir");
  EXPECT_EQ(world.seen(file).error.what, "not a directory: /etc/passwd");
}

TEST_P(Contract, RefusesANumberThatIsTaken) {
  World world(GetParam());
  const SessionId session = world.shell("sleep 100");
  ASSERT_TRUE(world.until([&] { return world.seen(session).opened; }));
  world.host().open(session, {{"true"}, {}, "/", {}, {}, GetParam()});
  ASSERT_TRUE(world.until([&] { return world.seen(session).failed; }));
  EXPECT_NE(world.seen(session).error.what.find("another journal"), std::string::npos);
  EXPECT_FALSE(world.seen(session).ended) << "and the one that has it lives on";
}

TEST_P(Contract, RefusesAnEmptyCommandAndNulBytes) {
  World world(GetParam());
  const auto empty = world.open({});
  const auto nul = world.open({"echo", std::string("a\0b", 3)});
  ASSERT_TRUE(world.until([&] { return world.seen(empty).failed && world.seen(nul).failed; }));
}

TEST_P(Contract, RunsInTheDirectoryWithTheSize) {
  World world(GetParam());
  const auto session =
      world.open({"sh", "-c", "pwd; stty size; " + once_read(GetParam())}, {123, 45}, "/usr");
  ASSERT_TRUE(world.until_ended(session));
  EXPECT_EQ(world.seen(session).output, "/usr\r\n45 123\r\n");
}

TEST_P(Contract, ResizeIsSeenByTheChild) {
  World world(GetParam());
  const auto session =
      world.shell("trap 'stty size; exit' WINCH; echo ready; while :; do read x; done");
  ASSERT_TRUE(world.until_output(session, "ready"));
  world.host().resize(session, {101, 37});
  EXPECT_TRUE(world.until_output(session, "37 101"));
}

TEST_P(Contract, DeliversAMebibyteToAReader) {
  World world(GetParam());
  const auto session = world.shell("stty raw -echo; echo ready; head -c 1048576 | md5sum");
  ASSERT_TRUE(world.until_output(session, "ready"));
  world.host().write(session, std::string(1u << 20, 'x'));
  EXPECT_TRUE(world.until_output(session, "b561f87202d04959e37588ee05cf5b10"));
  EXPECT_EQ(world.seen(session).refused, 0);
}

TEST(PtyContract, RefusesInputNobodyReads) {
  World world;
  const auto session = world.shell("stty raw -echo; echo ready; exec sleep 100");
  ASSERT_TRUE(world.until_output(session, "ready"));
  for (int i = 0; i < 3; ++i) world.host().write(session, std::string(600u << 10, 'x'));
  EXPECT_TRUE(world.until([&] { return world.seen(session).refused > 0; }));
  // And it is still a terminal like any other.
  world.host().signal(session, SIGKILL);
  ASSERT_TRUE(world.until_ended(session));
  EXPECT_EQ(world.seen(session).end.signal, SIGKILL);
}

TEST_P(Contract, GivesExactlyTheEnvironment) {
  World world(GetParam());
  const auto session =
      world.open({"sh", "-c", "tr '\\0' '\\n' </proc/$$/environ; " + once_read(GetParam())}, {},
                 "/", {"B=2", "A=one two", "TZ=Asia/Tokyo", "TMUX=/tmp/x", "COLUMNS=3"});
  ASSERT_TRUE(world.until_ended(session));
  const std::string cookie = "PAWL_SESSION=";
  const std::string output = without_returns(world.seen(session).output);
  EXPECT_EQ(output.substr(0, output.find(cookie)), "A=one two\nB=2\nCOLORTERM=truecolor\n");
  EXPECT_EQ(output.substr(output.find('\n', output.find(cookie)) + 1),
            std::string("TERM=") + (GetParam() == Backend::pty ? "xterm" : "tmux") +
                "-256color\nTZ=Asia/Tokyo\n");
}

TEST_P(Contract, LeaksNoDescriptor) {
  World world(GetParam());
  const auto other = world.open({"cat"});
  const auto session = world.open({"sh", "-c", "ls /proc/self/fd; " + once_read(GetParam())});
  ASSERT_TRUE(world.until_ended(session));
  EXPECT_EQ(without_returns(world.seen(session).output), "0  1  2  3\n")
      << "3 is ls reading the folder";
  EXPECT_FALSE(world.seen(other).ended);
}

TEST_P(Contract, HasAControllingTerminalAndDefaultSignals) {
  World world(GetParam());
  const auto session = world.shell(
      "tty; ps -o pid=,pgid=,sid=,tpgid= -p $$; echo pid $$; grep -E 'Sig(Blk|Ign)' "
      "/proc/self/status; echo x >/dev/tty; " +
      once_read(GetParam()));
  ASSERT_TRUE(world.until_ended(session));
  const std::string& output = world.seen(session).output;
  EXPECT_EQ(output.rfind("/dev/pts/", 0), 0u) << output;
  const std::string pid = std::to_string(world.seen(session).process.pid);
  EXPECT_NE(output.find("pid " + pid), std::string::npos) << output;
  EXPECT_NE(output.find("SigBlk:\t0000000000000000\r\nSigIgn:\t0000000000000000"),
            std::string::npos)
      << output;
  EXPECT_EQ(output.substr(output.size() - 3), "x\r\n");
}

TEST_P(Contract, AChildCannotReachTheHolderByItsGroup) {
  World world(GetParam());
  const auto bystander = world.open({"cat"});
  const auto killer =
      world.shell("trap '' TERM HUP; echo ready; read x; kill -TERM 0; kill -HUP 0; kill -9 0");
  ASSERT_TRUE(world.until_output(killer, "ready"));
  world.host().write(killer, "\n");
  ASSERT_TRUE(world.until_ended(killer));
  EXPECT_EQ(world.seen(killer).end.signal, SIGKILL);
  world.host().write(bystander, "still here\n");
  EXPECT_TRUE(world.until_output(bystander, "still here\r\nstill here"));
}

TEST(PtyContract, TheHolderIgnoresWhatAnAgentMightSend) {
  World world;
  const auto session = world.shell(
      "for s in HUP INT QUIT PIPE TSTP USR1 USR2 TERM; do kill -$s $PPID; done; echo sent; cat");
  ASSERT_TRUE(world.until_output(session, "sent"));
  world.host().write(session, "alive\n");
  EXPECT_TRUE(world.until_output(session, "alive\r\nalive"));
}

TEST_P(Contract, FindsAndEndsADaemonisedGrandchild) {
  World world(GetParam());
  const auto session = world.shell(
      "setsid sh -c 'exec sleep 1000 </dev/null >/dev/null 2>&1' & sleep 0.2; echo done");
  ASSERT_TRUE(world.until_ended(session));
  const auto left = leftovers(world.home(), session);
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(signal_leftovers(world.home(), session, SIGKILL), 1u);
  EXPECT_TRUE(world.until([&] { return !os::identify(left[0].pid); }))
      << "the holder reaps what it inherits";
}

TEST_P(Contract, LeavesNoZombie) {
  World world(GetParam());
  const auto session = world.open({"true"});
  ASSERT_TRUE(world.until_ended(session));
  EXPECT_TRUE(world.until([&] { return !os::identify(world.seen(session).process.pid); }, 2));
}

TEST_P(Contract, ClosingALivingSessionHangsItUp) {
  World world(GetParam());
  const auto session = world.open({"sleep", "1000"});
  ASSERT_TRUE(world.until([&] { return world.seen(session).opened; }));
  const auto process = world.seen(session).process;
  world.close(session);
  // Its end is not reported any more: look at the process itself, woken by another session's
  // output.
  const auto clock = world.shell("while :; do echo tick; sleep 0.02; done");
  EXPECT_TRUE(world.until([&] { return !os::alive(process); }));
  world.host().signal(clock, SIGKILL);
}

TEST_P(Contract, CarriesALongLineAndEveryByte) {
  World world(GetParam());
  const auto line =
      world.shell("stty -opost; head -c 10000000 /dev/zero | tr '\\0' L; " + once_read(GetParam()));
  const auto bytes = world.shell(
      "stty -opost; i=0; while [ $i -lt 256 ]; do printf \"\\\\$(printf %03o $i)\"; i=$((i+1)); "
      "done; " +
      once_read(GetParam()));
  ASSERT_TRUE(world.until_ended(line, 120));  // with sanitizers, beside others
  ASSERT_TRUE(world.until_ended(bytes));
  EXPECT_EQ(world.seen(line).output.size(), 10000000u);
  EXPECT_EQ(world.seen(line).output.find_first_not_of('L'), std::string::npos);
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  EXPECT_EQ(world.seen(bytes).output, all);
  EXPECT_FALSE(world.seen(line).gap);
}

TEST_P(Contract, SessionsOutliveTheDaemon) {
  World world(GetParam());
  const auto living = world.open({"cat"});
  const auto ending =
      world.shell("sleep 0.3; echo last words; " + once_read(GetParam()) + "exit 3");
  world.host().write(living, "before\n");
  ASSERT_TRUE(world.until_output(living, "before\r\nbefore"));
  ASSERT_TRUE(world.until([&] { return world.seen(ending).opened; }));
  const auto process = world.seen(living).process;
  world.restart();
  EXPECT_TRUE(world.seen(living).found);
  EXPECT_TRUE(world.seen(ending).found);
  EXPECT_EQ(world.seen(living).process, process);
  ASSERT_TRUE(world.until_ended(ending));
  EXPECT_EQ(world.seen(ending).end.exit_code, 3);
  EXPECT_NE(world.seen(ending).output.find("last words"), std::string::npos);
  world.host().write(living, "after\n");
  EXPECT_TRUE(world.until_output(living, "after\r\nafter"));
  EXPECT_FALSE(world.seen(living).gap);
}

TEST(PtyContract, KeepsWhatWasNotAcknowledged) {
  World world;
  world.acknowledging = false;
  const auto session = world.shell("stty -opost; head -c 3000000 /dev/zero | tr '\\0' k; exit 9");
  ASSERT_TRUE(world.until([&] { return world.seen(session).output.size() > 100000; }));
  world.seen(session).output.clear();  // as if it had never reached a file
  world.acknowledging = true;
  world.restart();
  ASSERT_TRUE(world.until_ended(session));
  EXPECT_EQ(world.seen(session).output.size(), 3000000u);
  EXPECT_EQ(world.seen(session).end.exit_code, 9);
  EXPECT_FALSE(world.seen(session).gap);
}

TEST(PtyContract, ASlowTakerLosesNothing) {
  World world;
  const auto session = world.shell("stty -opost; head -c 30000000 /dev/zero | tr '\\0' s");
  const auto quick = world.open({"true"});
  world.acknowledging = false;  // nothing may be forgotten: memory, then the disk has to take it
  ASSERT_TRUE(world.until([&] { return world.seen(session).output.size() > 20000000; }, 60));
  world.acknowledging = true;
  ASSERT_TRUE(world.until_ended(session));
  EXPECT_EQ(world.seen(session).output.size(), 30000000u);
  EXPECT_FALSE(world.seen(session).gap);
  EXPECT_TRUE(world.seen(quick).ended);
}

TEST(PtyContract, ADiskThatTakesNothingBlocksTheChildAndLosesNothing) {
  World world;
  world.acknowledging = false;
  const auto session =
      world.shell("echo ready; stty -opost; read x; head -c 2000000 /dev/zero | tr '\\0' d");
  ASSERT_TRUE(world.until_output(session, "ready"));
  ASSERT_TRUE(os::remove_tree(world.home() + "/holders"));  // no spill file can be made any more
  world.host().write(session, "\n");
  ASSERT_TRUE(world.until([&] { return world.seen(session).output.size() >= 256u << 10; }));
  EXPECT_FALSE(world.until([&] { return world.seen(session).output.size() > 256u << 10; }, 2));
  world.acknowledging = true;
  world.host().acknowledge(session, Offset{world.seen(session).output.size()});
  ASSERT_TRUE(world.until_ended(session));
  EXPECT_EQ(std::count(world.seen(session).output.begin(), world.seen(session).output.end(), 'd'),
            2000000 + 1);
  EXPECT_FALSE(world.seen(session).gap);
}

TEST(PtyContract, ALostHolderEndsItsSessionsUnknown) {
  World world;
  const auto session = world.shell("cut -d' ' -f4 /proc/$PPID/stat; exec cat");  // its parent's
  ASSERT_TRUE(world.until_output(session, "\n"));
  ::kill(std::stoi(world.seen(session).output), SIGKILL);
  ASSERT_TRUE(world.until_ended(session));
  EXPECT_FALSE(world.seen(session).end.known);
  const auto next = world.shell("echo works");
  EXPECT_TRUE(world.until_output(next, "works"));
}

}  // namespace
}  // namespace pawl::host
