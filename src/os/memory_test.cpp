#include "os/memory.h"

#include <gtest/gtest.h>

#include "base/test_dir.h"
#include "os/file.h"

namespace pawl::os {
namespace {

class MemoryTest : public testing::Test {
 protected:
  void put(const std::string& path, const std::string& text) {
    const std::string whole = dir / path;
    ASSERT_TRUE(make_private_dir(whole.substr(0, whole.rfind('/'))));
    ASSERT_TRUE(write_atomically(whole, text));
  }
  TestDir dir;
};

TEST_F(MemoryTest, TheContainersOwnLimitCounts) {
  put("proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 900 kB\n");
  put("proc/self/cgroup", "0::/pod/agent\n");
  put("sys/fs/cgroup/pod/agent/memory.max", "max\n");
  put("sys/fs/cgroup/pod/agent/memory.current", "1\n");
  put("sys/fs/cgroup/pod/memory.max", "2147483648\n");
  put("sys/fs/cgroup/pod/memory.current", "1932735283\n");
  const auto full = memory_use(dir.path());
  ASSERT_TRUE(full);
  EXPECT_EQ(full->percent, 89);
  EXPECT_EQ(full->of, "the container's 2048 MB");
  put("sys/fs/cgroup/pod/memory.stat", "anon 1\ninactive_file 1073741824\n");
  EXPECT_EQ(memory_use(dir.path())->percent, 39) << "files that can be dropped are not used";
}

TEST_F(MemoryTest, ElseTheMachines) {
  put("proc/self/cgroup", "0::/\n");
  put("proc/meminfo", "MemTotal:  2000 kB\nMemFree: 1 kB\nMemAvailable:   500 kB\n");
  EXPECT_EQ(memory_use(dir.path())->percent, 75);
  put("proc/pressure/memory",
      "some avg10=50.00 avg60=40.00 avg300=1.00 total=1\nfull avg10=30.00 avg60=20.50 avg300=1.00 "
      "total=1\n");
  EXPECT_EQ(memory_use(dir.path())->percent, 100);
}

TEST_F(MemoryTest, NothingToReadIsNothingKnown) {
  EXPECT_FALSE(memory_use(dir.path()));
  EXPECT_TRUE(memory_use()) << "this machine has memory";
}

}  // namespace
}  // namespace pawl::os
