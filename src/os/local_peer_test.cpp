#include "os/local_peer.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/tcp.h"

namespace pawl::os {
namespace {

// A connection over loopback: our end, and the other one.
struct Pair {
  explicit Pair(const std::string& host, bool six_for_four = false) {
    Endpoint at{host, 0};
    auto listeners = listen_tcp(at);
    EXPECT_TRUE(listeners);
    sockaddr_in6 to{};
    to.sin6_family = AF_INET6;
    to.sin6_port = htons(at.port);
    const std::string text = six_for_four ? "::ffff:" + host : host;
    const bool six = text.find(':') != text.npos;
    sockaddr_in four{};
    four.sin_family = AF_INET;
    four.sin_port = htons(at.port);
    EXPECT_EQ(six ? ::inet_pton(AF_INET6, text.c_str(), &to.sin6_addr)
                  : ::inet_pton(AF_INET, text.c_str(), &four.sin_addr),
              1);
    theirs = Fd(::socket(six ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const auto* address =
        six ? reinterpret_cast<const sockaddr*>(&to) : reinterpret_cast<const sockaddr*>(&four);
    EXPECT_EQ(::connect(theirs.get(), address, six ? sizeof to : sizeof four), 0);
    ours = accept_tcp((*listeners)[0].get()).fd;
    EXPECT_TRUE(ours);
  }
  Fd ours, theirs;
};

// A child that has the other end, alone, until it is told to go.
struct Holder {
  explicit Holder(Pair& pair) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    pid = ::fork();
    if (pid == 0) {
      ::close(ends[1]);
      char byte = 0;
      (void)!::read(ends[0], &byte, 1);
      ::_exit(0);
    }
    ::close(ends[0]);
    go = Fd(ends[1]);
    pair.theirs = Fd();
  }
  ~Holder() {
    go = Fd();
    ::waitpid(pid, nullptr, 0);
  }
  pid_t pid = 0;
  Fd go;
};

TEST(LocalPeer, TheProcessThatHasTheOtherEnd) {
  for (const char* host : {"127.0.0.1", "127.0.0.77", "::1"}) {
    Pair pair(host);
    const Holder holder(pair);
    const auto peer = local_peer(pair.ours.get());
    EXPECT_TRUE(peer.here) << host;
    EXPECT_FALSE(peer.gone) << host;
    EXPECT_EQ(peer.uid, ::geteuid());
    EXPECT_EQ(peer.holders, std::vector<pid_t>{holder.pid}) << host;
  }
}

TEST(LocalPeer, AProgramThatSpeaksIPv6ToAnIPv4Address) {
  Pair pair("127.0.0.1", true);
  const Holder holder(pair);
  EXPECT_EQ(local_peer(pair.ours.get()).holders, std::vector<pid_t>{holder.pid});
}

TEST(LocalPeer, AllWhoHaveIt) {
  Pair pair("127.0.0.1");
  Pair copy = Pair("127.0.0.1");
  copy.theirs = Fd(::dup(pair.theirs.get()));
  const Holder first(pair);
  const Holder second(copy);
  auto holders = local_peer(pair.ours.get()).holders;
  EXPECT_EQ(holders.size(), 2u);
}

TEST(LocalPeer, OneThatIsClosedIsGone) {
  Pair pair("127.0.0.1");
  pair.theirs = Fd();
  const auto peer = local_peer(pair.ours.get());
  EXPECT_TRUE(peer.here);
  EXPECT_TRUE(peer.gone);
  EXPECT_TRUE(local_peer(-1).gone);
}

TEST(LocalPeer, Lines) {
  const auto line = parse_tcp_line(
      "   0: 0100007F:8337 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 "
      "16497477 1 000000006bdcb1d6 100 0 0 10 0");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->local, "0100007F:8337");
  EXPECT_EQ(line->remote, "00000000:0000");
  EXPECT_EQ(line->uid, 1000u);
  EXPECT_EQ(line->inode, 16497477u);
  for (const char* bad : {"", "  sl  local_address rem_address   st tx_queue",
                          "0: a b c d e f g h i", "0: a b c d e f 1 h -3"})
    EXPECT_FALSE(parse_tcp_line(bad)) << bad;
}

}  // namespace
}  // namespace pawl::os
