#include "os/private_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/test_dir.h"
#include "os/file.h"

namespace pawl::os {
namespace {

TEST(PrivateFile, OnlyWhatIsOursAlone) {
  const TestDir dir;
  const std::string path = dir / "key";
  ASSERT_TRUE(write_atomically(path, "secret"));
  EXPECT_EQ(*read_private(path, 100), "secret");
  EXPECT_EQ(*read_private(path, 6), "secret");
  EXPECT_FALSE(read_private(path, 5));
  EXPECT_FALSE(read_private(dir / "nothing", 100));
  for (const mode_t mode : {0640u, 0604u, 0620u, 0666u}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    const auto got = read_private(path, 100);
    ASSERT_FALSE(got) << mode;
    EXPECT_NE(got.error().what.find("other users may read"), std::string::npos);
    struct stat after {};
    ::stat(path.c_str(), &after);
    EXPECT_EQ(after.st_mode & 0777, mode) << "left as it is";
  }
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  ASSERT_EQ(::symlink(path.c_str(), (dir / "link").c_str()), 0);
  EXPECT_NE(read_private(dir / "link", 100).error().what.find("is a link"), std::string::npos);
  ASSERT_EQ(::mkfifo((dir / "pipe").c_str(), 0600), 0);
  EXPECT_NE(read_private(dir / "pipe", 100).error().what.find("a named pipe"), std::string::npos);
  EXPECT_FALSE(read_private(dir.path(), 100));
}

TEST(PrivateFile, WhatWasGivenMayBeMountedIn) {
  const TestDir dir;
  const std::string path = dir / "key";
  ASSERT_TRUE(write_atomically(path, "secret"));
  ASSERT_EQ(::symlink(path.c_str(), (dir / "link").c_str()), 0);
  EXPECT_EQ(*read_given_secret(dir / "link", 100), "secret");
  ASSERT_EQ(::chmod(path.c_str(), 0440), 0);
  EXPECT_EQ(*read_given_secret(path, 100), "secret");
  EXPECT_FALSE(read_given_secret(path, 5));
  ASSERT_EQ(::chmod(path.c_str(), 0604), 0);
  EXPECT_NE(read_given_secret(path, 100).error().what.find("everybody"), std::string::npos);
  EXPECT_FALSE(read_given_secret(dir / "nothing", 100));
  ASSERT_EQ(::mkfifo((dir / "pipe").c_str(), 0600), 0);
  EXPECT_NE(read_given_secret(dir / "pipe", 100).error().what.find("a named pipe"),
            std::string::npos);
}

TEST(PrivateFile, OfAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  const TestDir dir;
  const std::string path = dir / "key";
  ASSERT_TRUE(write_atomically(path, "secret"));
  ASSERT_EQ(::chown(path.c_str(), 4711, 4711), 0);
  const auto got = read_private(path, 100);
  ASSERT_FALSE(got);
  EXPECT_NE(got.error().what.find("belongs to another user (uid 4711)"), std::string::npos);
  ASSERT_EQ(::chown(dir.path().c_str(), 4711, 4711), 0);
  EXPECT_FALSE(hold_private_dir(dir.path()));
}

TEST(PrivateFile, AFolderThatNobodyElseWritesIn) {
  const TestDir dir;
  ASSERT_TRUE(hold_private_dir(dir / "new"));
  EXPECT_TRUE(hold_private_dir(dir / "new"));
  struct stat info {};
  ASSERT_EQ(::stat((dir / "new").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
  ASSERT_EQ(::chmod((dir / "new").c_str(), 0777), 0);
  EXPECT_FALSE(hold_private_dir(dir / "new"));
  ASSERT_EQ(::symlink(dir.path().c_str(), (dir / "link").c_str()), 0);
  EXPECT_FALSE(hold_private_dir(dir / "link"));
}

}  // namespace
}  // namespace pawl::os
