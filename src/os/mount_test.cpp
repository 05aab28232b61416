#include "os/mount.h"

#include <gtest/gtest.h>

namespace pawl::os {
namespace {

constexpr const char* kList =
    "22 1 8:1 / / rw - ext4 /dev/sda rw\n"
    "31 22 0:40 / /srv/far rw - nfs4 host:/x rw\n"
    "32 22 0:41 / /srv/far/off rw - fuse hung rw\n"
    "33 22 0:42 / /srv/with\\040space rw - fuse hung rw\n"
    "a line that is none\n";

TEST(Mount, IsTheLongestThatFits) {
  EXPECT_EQ(mount_in(kList, "/srv/far/project/a"), "/srv/far");
  EXPECT_EQ(mount_in(kList, "/srv/far"), "/srv/far");
  EXPECT_EQ(mount_in(kList, "/srv/far/off/b"), "/srv/far/off");
  EXPECT_EQ(mount_in(kList, "/srv/farther"), "/");
  EXPECT_EQ(mount_in(kList, "/srv/with space/c"), "/srv/with space");
  EXPECT_EQ(mount_in("", "/srv"), "/");
}

TEST(Mount, OfTheMachineIsKnown) {
  EXPECT_EQ(mount_of("/proc/self/status"), "/proc");
}

}  // namespace
}  // namespace pawl::os
