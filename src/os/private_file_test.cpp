#include "os/private_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/test_dir.h"
#include "os/file.h"

namespace pawl::os {
namespace {

TEST(PrivateFile, OnlyAFileOfOursAloneIsBelieved) {
  TestDir dir;
  const std::string path = dir / "trust";
  EXPECT_TRUE(check_private(path)) << "nothing is there";
  ASSERT_TRUE(write_atomically(path, "text"));
  EXPECT_TRUE(check_private(path));
  for (const mode_t mode : {0644u, 0660u, 0602u}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    const auto fine = check_private(path);
    ASSERT_FALSE(fine) << mode;
    EXPECT_NE(text_of(fine.error()).find("is open to others"), std::string::npos);
    EXPECT_EQ(fine.error().fix, "remove it: rm " + path);
  }
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  ASSERT_EQ(::symlink(path.c_str(), (dir / "link").c_str()), 0);
  EXPECT_EQ(check_private(dir / "link").error().what, dir / "link" + " is not a file");
  EXPECT_FALSE(check_private(dir.path()));
}

TEST(PrivateFile, ThatOfSomebodyElseIsNot) {
  TestDir dir;
  std::string path = "/etc/passwd";
  if (::geteuid() == 0) {
    constexpr uid_t kNobody = 65534;
    path = dir / "trust";
    ASSERT_TRUE(write_atomically(path, "text"));
    ASSERT_EQ(::chown(path.c_str(), kNobody, static_cast<gid_t>(-1)), 0);
  }
  EXPECT_EQ(check_private(path).error().what, path + " belongs to somebody else");
}

}  // namespace
}  // namespace pawl::os
