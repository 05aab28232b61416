#include "host/holder_start.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "host/frames.h"
#include "os/file.h"

namespace pawl::host {
namespace {

struct Starting : ::testing::Test {
  std::string dir = [] {
    std::string text = ::testing::TempDir() + "pawl-start-XXXXXX";
    EXPECT_NE(::mkdtemp(text.data()), nullptr);
    return text;
  }();
  HolderStart starter{dir};
  ~Starting() override { (void)os::remove_tree(dir); }

  // Greets, hears the greeting, and asks it to leave: its end closes the connection.
  static bool greets_and_leaves(int fd) {
    const std::string words =
        encode(wire::kHello, SessionId{0},
               wire::Hello{wire::kMagic, wire::kVersion, wire::kMinVersion, 1, 0}) +
        encode(wire::kBye, SessionId{0});
    if (::send(fd, words.data(), words.size(), MSG_NOSIGNAL) < 0) return false;
    std::string answer;
    for (char space[256];;) {
      pollfd waiting{fd, POLLIN, 0};
      if (::poll(&waiting, 1, 10000) != 1) return false;
      const ssize_t got = ::recv(fd, space, sizeof space, 0);
      if (got <= 0) break;
      answer.append(space, static_cast<size_t>(got));
    }
    return answer.size() == sizeof(wire::Header) + sizeof(wire::Hello);
  }
};

TEST_F(Starting, FromMemory) {
  auto fd = starter.start(0);
  ASSERT_TRUE(fd);
  EXPECT_TRUE(greets_and_leaves(fd->get()));
  EXPECT_FALSE(os::exists(dir + "/0.sock")) << "it takes its socket along";
  EXPECT_FALSE(os::exists(dir + "/pawl-holder"));
}

TEST_F(Starting, FromAFileWhereMemoryCannotBeExecuted) {
  EXPECT_TRUE(starter.use_file());
  EXPECT_FALSE(starter.use_file()) << "there is no third way";
  auto fd = starter.start(7);
  ASSERT_TRUE(fd);
  EXPECT_TRUE(greets_and_leaves(fd->get()));
  struct stat info {};
  ASSERT_EQ(::stat((dir + "/pawl-holder").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
}

}  // namespace
}  // namespace pawl::host
