// What the holder tells the daemon (holder/sender.cpp), over a socket that takes as much as it likes.

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <string>

#include "host/holder/holder.h"
#include "os/fd.h"

namespace pawl::holder {
namespace {

// A stall of PtyContract.ASlowTakerLosesNothing, in one run of twelve: all that may wait for the socket went into it at once, because
// the daemon had just read. Nothing waited any more, so nothing woke the holder, and the rest of the output stayed where it was.
TEST(Sender, WhatIsLeftToTellWakesItAgain) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends), 0);
  const os::Fd daemon(ends[1]);
  const int plenty = 8 << 20;
  ASSERT_EQ(::setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &plenty, sizeof plenty), 0);
  Holder holder;
  holder.daemon.fd = ends[0];
  const std::string waits(kOutLimit, 'w');
  ASSERT_TRUE(holder.daemon.out.append(waits.data(), waits.size()));
  Session session;
  session.id = 1;
  session.phase = Phase::kRunning;
  session.attached = session.told_start = true;
  const std::string output(100'000, 'x');
  ASSERT_TRUE(session.backlog.append(output.data(), output.size()));
  holder.sessions[0] = &session;
  holder.count = 1;

  send_pending(holder);
  EXPECT_TRUE(holder.daemon.out.size() > 0 || session.sent == session.backlog.end())
      << "nothing would wake it";

  holder.daemon.shut();
  session.backlog.release(-1, session.id);
}

}  // namespace
}  // namespace pawl::holder
