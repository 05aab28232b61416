#include "os/shortage.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/test_dir.h"
#include "os/file.h"

namespace pawl::os {
namespace {

struct Short {
  Short() {
    EXPECT_TRUE(make_private_dir(dir / "proc/self"));
    EXPECT_TRUE(make_private_dir(dir / "sys/fs/cgroup/pod"));
    EXPECT_TRUE(write_atomically(dir / "proc/self/cgroup", "0::/pod\n"));
  }
  // The file stays the same one, as the kernel's does.
  void count(int kills) {
    std::ofstream(dir / "sys/fs/cgroup/pod/memory.events") << "oom 9\noom_kill " << kills << "\n";
  }

  TestDir dir;
  Loop loop;
};

TEST(Shortage, EachThatTheKernelKilledIsClaimedOnce) {
  Short world;
  world.count(3);
  Shortage shortage(world.loop, world.dir.path());
  shortage.begin();
  EXPECT_FALSE(shortage.claim()) << "what was before is nobody's";
  world.count(5);
  EXPECT_TRUE(shortage.claim());
  EXPECT_TRUE(shortage.claim());
  EXPECT_FALSE(shortage.claim());
}

TEST(Shortage, WhatNobodyClaimsIsForgotten) {
  Short world;
  world.count(0);
  Shortage shortage(world.loop, world.dir.path(), std::chrono::milliseconds(1));
  shortage.begin();
  world.count(1);
  Timer enough(world.loop, [&] { world.loop.stop(); });
  enough.start(std::chrono::milliseconds(200));
  world.loop.run();
  EXPECT_FALSE(shortage.claim());
}

TEST(Shortage, WhereNothingIsCountedNothingIsClaimed) {
  Short world;
  Shortage shortage(world.loop, world.dir.path());
  shortage.begin();
  world.count(1);
  EXPECT_FALSE(shortage.claim());
}

}  // namespace
}  // namespace pawl::os
