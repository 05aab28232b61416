#include "os/oom.h"

#include <gtest/gtest.h>

#include "base/test_dir.h"
#include "os/file.h"

namespace pawl::os {
namespace {

TEST(Oom, TheKernelsLineIsFound) {
  TestDir dir;
  ASSERT_TRUE(write_atomically(
      dir / "kmsg",
      "4,1,2,-;Memory cgroup out of memory: Killed process 4711 (node) total-vm:1kB\n"));
  const KernelWord word = oom_record(4711, dir / "kmsg");
  EXPECT_TRUE(word.readable);
  EXPECT_EQ(word.text, "Memory cgroup out of memory: Killed process 4711 (node) total-vm:1kB");
  EXPECT_EQ(oom_record(471, dir / "kmsg").text, "") << "another process";
  EXPECT_FALSE(oom_record(4711, dir / "none").readable);
}

TEST(Oom, TheContainersCountIsRead) {
  TestDir dir;
  ASSERT_TRUE(make_private_dir(dir / "proc/self"));
  ASSERT_TRUE(make_private_dir(dir / "sys/fs/cgroup/pod"));
  ASSERT_TRUE(write_atomically(dir / "proc/self/cgroup", "0::/pod\n"));
  EXPECT_FALSE(oom_kills(dir.path()));
  ASSERT_TRUE(write_atomically(dir / "sys/fs/cgroup/pod/memory.events",
                               "low 0\nhigh 0\nmax 7\noom 2\noom_kill 12\n"));
  EXPECT_EQ(oom_kills(dir.path()), 12u);
  EXPECT_FALSE(memory_peak_mb(dir.path()));
  ASSERT_TRUE(write_atomically(dir / "sys/fs/cgroup/pod/memory.peak", "3145728\n"));
  EXPECT_EQ(memory_peak_mb(dir.path()), 3u);
}

}  // namespace
}  // namespace pawl::os
