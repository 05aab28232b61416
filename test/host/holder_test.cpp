// What a holder does that no other Host has: shards, hostile clients, take-overs, leaving.

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/frames.h"
#include "noise.h"
#include "os/file.h"
#include "os/holders.h"
#include "os/socket.h"
#include "world.h"

namespace pawl::host {
namespace {

std::string hello(uint32_t magic = wire::kMagic, uint16_t version = 1, uint16_t min_version = 1) {
  return encode(wire::kHello, SessionId{0}, wire::Hello{magic, version, min_version, 1, 0});
}

// Sends and reads until the holder closes or is quiet for `patience_ms`.
std::string talk(const std::string& home, const std::string& bytes, bool* closed,
                 int patience_ms = 300) {
  auto fd = os::connect_local(home + "/holders", "0.sock");
  std::string answer;
  *closed = false;
  if (!fd) return "no connection";
  (void)!::send(fd->get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  for (char space[4096];;) {
    pollfd waiting{fd->get(), POLLIN, 0};
    if (::poll(&waiting, 1, patience_ms) <= 0) return answer;
    const ssize_t got = ::recv(fd->get(), space, sizeof space, 0);
    if (got <= 0) {
      *closed = true;
      return answer;
    }
    answer.append(space, static_cast<size_t>(got));
  }
}

struct Talking : ::testing::Test {
  World world;
  SessionId session = world.open({"cat"});
  void SetUp() override {
    ASSERT_TRUE(world.until([&] { return world.seen(session).opened; }));
  }
  void expect_alive(const std::string& word) {
    world.host().write(session, word + "\n");
    EXPECT_TRUE(world.until_output(session, word + "\r\n" + word));
  }
};

TEST_F(Talking, SocketsAndLogsArePrivate) {
  for (const auto& name : os::list_dir(world.home() + "/holders")) {
    struct stat info {};
    ASSERT_EQ(::stat((world.home() + "/holders/" + name).c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 077, 0u) << name;
  }
}

TEST_F(Talking, GarbageNeitherHarmsNorReplacesTheDaemon) {
  bool closed = false;
  talk(world.home(), std::string(100, '\xff'), &closed);
  EXPECT_TRUE(closed);
  Noise noise(7);
  for (int i = 0; i < 200; ++i) talk(world.home(), noise.bytes(noise.below(2000)), &closed, 1);
  expect_alive("one");
}

TEST_F(Talking, AnotherVersionIsToldOursAndRefused) {
  bool closed = false;
  const std::string answer = talk(world.home(), hello(wire::kMagic, 9, 9), &closed);
  EXPECT_TRUE(closed);
  FrameReader reader;
  reader.add(answer);
  const auto frame = reader.next();
  ASSERT_TRUE(frame && frame->as<wire::Hello>());
  EXPECT_EQ(frame->as<wire::Hello>()->version, wire::kVersion);
  expect_alive("two");
}

// Stopped after it was asked, or before: another one opens it. What it still does when it goes on is nobody's.
TEST_F(Talking, AnotherHolderOpensWhatAStoppedOneDoesNot) {
  const auto holders = os::holders_in(world.home() + "/holders");
  ASSERT_EQ(holders.size(), 1u);
  const auto other = world.open({"cat"});
  ::kill(holders[0].id.pid, SIGSTOP);
  EXPECT_TRUE(world.until([&] { return world.seen(other).opened; }));
  const auto third = world.open({"cat"});
  EXPECT_TRUE(world.until([&] { return world.seen(third).opened; }));
  world.host().write(session, "lost\n");
  EXPECT_TRUE(world.until([&] { return world.seen(session).refused == 1; }));
  ::kill(holders[0].id.pid, SIGCONT);
  EXPECT_TRUE(world.until([&] { return !os::stopped(holders[0].id); }));
  expect_alive("here");
  for (const SessionId one : {other, third}) {
    world.host().write(one, "there\n");
    EXPECT_TRUE(world.until_output(one, "there\r\nthere"));
  }
  EXPECT_EQ(world.seen(session).output.find("lost"), std::string::npos);
}

TEST_F(Talking, SilentNewcomersMakePlace) {
  std::vector<os::Fd> silent;
  for (int i = 0; i < 20; ++i) {
    auto fd = os::connect_local(world.home() + "/holders", "0.sock");
    ASSERT_TRUE(fd);
    silent.push_back(std::move(*fd));
  }
  expect_alive("three");
  world.restart();
  EXPECT_TRUE(world.seen(session).found);
  expect_alive("four");
}

// After a good hello, frames of every type with every length of nonsense.
TEST_F(Talking, NonsenseAfterAGoodHelloIsSurvived) {
  bool closed = false;
  Noise noise(11);
  for (int i = 0; i < 300; ++i) {
    std::string bytes = hello();
    for (int k = 0; k < 5; ++k) {
      const auto type =
          static_cast<wire::Type>(noise.below(2) ? 2 + noise.below(6) : noise.number() & 0xffff);
      // Not the close, not a signal: they would do what they say.
      if (type == wire::kClose || type == wire::kSignal || type == wire::kWrite) continue;
      bytes += encode(type, SessionId{noise.below(2) ? session.value : noise.below(50) + 100},
                      noise.bytes(noise.below(60)));
    }
    talk(world.home(), bytes, &closed, 1);
  }
  world.restart();
  ASSERT_TRUE(world.seen(session).found);
  world.host().write(
      session, "five\n");  // an acknowledgement among the nonsense may have cost bytes, not more
  EXPECT_TRUE(world.until_output(session, "five"));
}

TEST_F(Talking, AFrameTooLongClosesTheConnection) {
  bool closed = false;
  wire::Header header{wire::kMaxPayload + 1, wire::kWrite, 0, 1};
  talk(world.home(), hello() + std::string(reinterpret_cast<const char*>(&header), sizeof header),
       &closed);
  EXPECT_TRUE(closed);
}

TEST_F(Talking, UnknownFramesCloseUnlessOptional) {
  bool closed = false;
  wire::Header header{0, 999, wire::kOptional, 1};
  talk(world.home(), hello() + std::string(reinterpret_cast<const char*>(&header), sizeof header),
       &closed);
  EXPECT_FALSE(closed);
  header.flags = 0;
  talk(world.home(), hello() + std::string(reinterpret_cast<const char*>(&header), sizeof header),
       &closed);
  EXPECT_TRUE(closed);
}

TEST_F(Talking, TheDaemonComesBackToAHolderThatDroppedIt) {
  bool closed = false;
  talk(world.home(), hello(), &closed, 50);  // somebody else takes over and leaves
  // What is written before we notice is lost with the connection: type until it arrives.
  EXPECT_TRUE(world.until([&] {
    world.host().write(session, "six\n");
    return world.seen(session).output.find("six\r\nsix") != std::string::npos;
  }));
  EXPECT_FALSE(world.seen(session).ended);
}

TEST(Holder, SessionsAreSpreadOverShards) {
  World world;
  std::vector<SessionId> all;
  for (int i = 0; i < 70; ++i) all.push_back(world.open({"cat"}));
  ASSERT_TRUE(world.until([&] {
    return std::all_of(all.begin(), all.end(), [&](SessionId id) { return world.seen(id).opened; });
  }));
  EXPECT_EQ(world.pty_host().holders(), 2u);
  world.restart();
  for (const auto id : all) EXPECT_TRUE(world.seen(id).found);
  EXPECT_EQ(world.pty_host().holders(), 2u);
  for (const auto id : all) world.close(id);
  // Of two empty holders one is asked to leave, and takes its socket along.
  EXPECT_TRUE(world.until([&] {
    return os::exists(world.home() + "/holders/0.sock") !=
           os::exists(world.home() + "/holders/1.sock");
  }));
  const auto next = world.shell("echo again");
  EXPECT_TRUE(world.until_output(next, "again"));
}

// Before, what a person pasted was refused from the second megabyte on.
TEST(Holder, MoreMayBeTypedWhenTheProgramHasReadWhatWas) {
  World world;
  const std::string gate = world.home() + "/gate";
  const SessionId session = world.shell("stty raw -echo; echo ready; while [ ! -e '" + gate +
                                        "' ]; do sleep 0.02; done; exec cat >/dev/null");
  ASSERT_TRUE(world.until_output(session, "ready"));
  const std::string piece(32u << 10, 'x');
  size_t written = 0;
  for (; world.host().has_room(session) && written < (4u << 20); written += piece.size())
    world.host().write(session, piece);
  EXPECT_GE(written, kTypedAhead);
  EXPECT_LT(written, size_t{wire::kMaxInput});
  ASSERT_TRUE(os::touch(gate));
  EXPECT_TRUE(world.until([&] { return world.host().has_room(session); }));
  for (size_t more = 0; more < (4u << 20); more += piece.size()) {
    ASSERT_TRUE(world.until([&] { return world.host().has_room(session); }));
    world.host().write(session, piece);
  }
  EXPECT_EQ(world.seen(session).refused, 0);
}

TEST(Holder, AStaleSocketIsRemoved) {
  World world;
  ASSERT_TRUE(os::make_private_dir(world.home() + "/holders"));
  { auto gone = os::listen_local(world.home() + "/holders", "3.sock"); }
  ASSERT_TRUE(os::exists(world.home() + "/holders/3.sock"));
  world.restart();
  EXPECT_FALSE(os::exists(world.home() + "/holders/3.sock"));
}

TEST(Holder, AnotherVersionsHolderIsLeftAloneAndNamed) {
  World world;
  const std::string dir = world.home() + "/holders";
  ASSERT_TRUE(os::make_private_dir(dir));
  auto listener = os::listen_local(dir, "0.sock");
  ASSERT_TRUE(listener);
  const pid_t future = ::fork();
  if (future == 0) {
    pollfd waiting{listener->get(), POLLIN, 0};
    ::poll(&waiting, 1, 10000);
    const os::Fd client = os::accept_local(listener->get());
    const std::string words = hello(wire::kMagic, 9, 9);
    (void)!::send(client.get(), words.data(), words.size(), MSG_NOSIGNAL);
    ::_exit(0);
  }
  const auto found = world.pty_host().connect_existing();
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().what.find("0.sock speaks another version"), std::string::npos);
  EXPECT_TRUE(os::exists(dir + "/0.sock"));
  ::waitpid(future, nullptr, 0);
}

TEST(Holder, ALongHomeWorks) {
  World world;
  os::Loop loop;
  const std::string home = world.home() + "/" + std::string(120, 'l') + "/" + std::string(120, 'm');
  bool ended = false;
  PtyHost host(loop, home, [&] { loop.stop(); });
  host.open(SessionId{1}, {{"true"}, {"PATH=/usr/bin:/bin"}, "/", {}});
  os::Timer limit(loop, [&] { loop.stop(), ended = true; });
  limit.start(std::chrono::seconds(10));
  Ended end;
  while (!ended) {
    loop.run();
    for (const auto& event : host.take())
      if (const auto* one = std::get_if<Ended>(&event)) end = *one, ended = true;
  }
  EXPECT_EQ(end.exit_code, 0);
  host.close(SessionId{1});
}

TEST(Holder, TermIsRememberedAndObeyedWhenTheLastSessionIsGone) {
  World world;
  const auto session = world.shell("echo $PPID; exec cat");
  ASSERT_TRUE(world.until_output(session, "\n"));
  const auto holder = os::identify(std::stoi(world.seen(session).output));
  ASSERT_TRUE(holder);
  os::send_signal(*holder, SIGTERM);
  world.host().write(session, "alive\n");
  ASSERT_TRUE(world.until_output(session, "alive\r\nalive"));
  world.close(session);
  EXPECT_TRUE(world.until([&] { return !os::alive(*holder); }));
}

}  // namespace
}  // namespace pawl::host
