#include "os/socket.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cerrno>
#include <vector>

#include "base/test_dir.h"
#include "os/file.h"

namespace pawl::os {
namespace {

TEST(LocalSocket, CarriesBytesAndCredentials) {
  TestDir dir;
  const auto listener = listen_local(dir.path(), "s");
  ASSERT_TRUE(listener) << text_of(listener.error());
  EXPECT_FALSE(accept_local(listener->get())) << "nobody there: at once";
  const auto client = connect_local(dir.path(), "s");
  ASSERT_TRUE(client);
  const Fd server = accept_local(listener->get());
  ASSERT_TRUE(server);
  const auto peer = peer_of(server.get());
  ASSERT_TRUE(peer);
  EXPECT_EQ(peer->pid, ::getpid());
  EXPECT_EQ(peer->uid, ::geteuid());
  char byte = 0;
  EXPECT_EQ(::recv(client->get(), &byte, 1, 0), -1);
  EXPECT_EQ(errno, EAGAIN) << "neither end blocks";
  EXPECT_EQ(::recv(server.get(), &byte, 1, 0), -1);
  EXPECT_EQ(errno, EAGAIN);
  ASSERT_EQ(::send(client->get(), "x", 1, 0), 1);
  ASSERT_EQ(::recv(server.get(), &byte, 1, 0), 1);
  EXPECT_EQ(byte, 'x');
}

TEST(LocalSocket, AListenerThatDoesNotAcceptIsNotWaitedForForEver) {
  TestDir dir;
  const auto listener = listen_local(dir.path(), "s");
  ASSERT_TRUE(listener);
  std::vector<Fd> clients;
  for (int i = 0; i < 1000; ++i) {
    auto client = connect_local(dir.path(), "s", std::chrono::milliseconds{20});
    if (!client) {
      EXPECT_NE(client.error().what.find("cannot connect"), std::string::npos);
      return;
    }
    clients.push_back(std::move(*client));
  }
  ADD_FAILURE() << "its queue has no end";
}

TEST(LocalSocket, IsPrivateWhateverTheUmask) {
  TestDir dir;
  const mode_t before = ::umask(0);
  const auto listener = listen_local(dir.path(), "s");
  EXPECT_EQ(::umask(before), 0u) << "the umask is as it was";
  ASSERT_TRUE(listener);
  struct stat info {};
  ASSERT_EQ(::stat((dir / "s").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0600u);
}

TEST(LocalSocket, WorksInAFolderWhosePathIsTooLongForTheKernel) {
  TestDir dir;
  std::string deep = dir.path();
  for (int i = 0; i < 4; ++i) deep += "/" + std::string(100, 'd');
  ASSERT_TRUE(make_private_dir(deep));
  const auto listener = listen_local(deep, "pawl.sock");
  ASSERT_TRUE(listener) << text_of(listener.error());
  EXPECT_TRUE(exists(deep + "/pawl.sock"));
  EXPECT_TRUE(connect_local(deep, "pawl.sock"));
}

TEST(LocalSocket, AStaleOneIsRefusedByConnectAndReplacedByListen) {
  TestDir dir;
  { ASSERT_TRUE(listen_local(dir.path(), "s")); }
  ASSERT_TRUE(exists(dir / "s"));
  const auto stale = connect_local(dir.path(), "s");
  ASSERT_FALSE(stale);
  EXPECT_EQ(stale.error().what, "cannot connect to " + dir / "s" + ": Connection refused");
  const auto listener = listen_local(dir.path(), "s");
  ASSERT_TRUE(listener);
  EXPECT_TRUE(connect_local(dir.path(), "s"));
}

TEST(LocalSocket, SaysWhatIsMissing) {
  TestDir dir;
  EXPECT_FALSE(connect_local(dir.path(), "s"));
  EXPECT_FALSE(connect_local(dir / "no", "s"));
  EXPECT_FALSE(listen_local(dir / "no", "s"));
  EXPECT_FALSE(listen_local(dir.path(), std::string(200, 'n')));
}

}  // namespace
}  // namespace pawl::os
