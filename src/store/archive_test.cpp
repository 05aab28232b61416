#include "store/archive.h"

#include <gtest/gtest.h>

#include "base/test_dir.h"
#include "os/file.h"
#include "store/real_disk.h"

namespace pawl::store {
namespace {

RealDisk disk;

const WallTime kNow{std::chrono::seconds{1'794'000'000}};

TEST(Archive, WhatIsPutAwayComesBackAsItWas) {
  TestDir dir;
  const Archive archive(disk, dir.path() + "/archive");
  const std::string file = dir.path() + "/projects/-srv/0f7c.jsonl";
  ASSERT_TRUE(os::make_private_dir(dir.path() + "/projects/-srv"));
  ASSERT_TRUE(os::write_atomically(file, "a line\n"));
  const auto put = archive.put(file, kNow);
  ASSERT_TRUE(put) << text_of(put.error());
  EXPECT_FALSE(os::exists(file));
  ASSERT_EQ(archive.list().size(), 1u);
  EXPECT_EQ(archive.list()[0].origin, file);
  EXPECT_EQ(archive.list()[0].bytes, 7u);
  EXPECT_EQ(*os::read_file(put->path), "a line\n");
  const auto back = archive.restore(put->id);
  ASSERT_TRUE(back) << text_of(back.error());
  EXPECT_EQ(*os::read_file(file), "a line\n");
  EXPECT_TRUE(archive.list().empty());
}

TEST(Archive, TwoOfOneInstantAreTwo) {
  TestDir dir;
  const Archive archive(disk, dir.path() + "/archive");
  for (const char* text : {"first", "second"}) {
    ASSERT_TRUE(os::write_atomically(dir.path() + "/x.jsonl", text));
    ASSERT_TRUE(archive.put(dir.path() + "/x.jsonl", kNow));
  }
  ASSERT_EQ(archive.list().size(), 2u);
}

TEST(Archive, TheOldestIsFirstWithinASecondToo) {
  TestDir dir;
  const Archive archive(disk, dir.path() + "/archive");
  auto now = kNow;
  for (const char* name : {"/z", "/m", "/a"}) {
    ASSERT_TRUE(os::write_atomically(dir.path() + name, "text"));
    ASSERT_TRUE(archive.put(dir.path() + name, now += std::chrono::milliseconds{1}));
  }
  std::vector<std::string> origins;
  for (const auto& one : archive.list()) origins.push_back(one.origin.substr(dir.path().size()));
  EXPECT_EQ(origins, (std::vector<std::string>{"/z", "/m", "/a"}));
}

TEST(Archive, NothingIsWrittenOver) {
  TestDir dir;
  const Archive archive(disk, dir.path() + "/archive");
  const std::string file = dir.path() + "/x.jsonl";
  ASSERT_TRUE(os::write_atomically(file, "old"));
  const auto put = archive.put(file, kNow);
  ASSERT_TRUE(put);
  ASSERT_TRUE(os::write_atomically(file, "new"));
  EXPECT_FALSE(archive.restore(put->id));
  EXPECT_EQ(*os::read_file(file), "new");
  EXPECT_EQ(archive.list().size(), 1u);
}

TEST(Archive, WhatIsNotThereIsSaid) {
  TestDir dir;
  const Archive archive(disk, dir.path() + "/archive");
  EXPECT_FALSE(archive.put(dir.path() + "/none", kNow));
  EXPECT_FALSE(archive.restore("none"));
  EXPECT_TRUE(archive.list().empty());
}

}  // namespace
}  // namespace pawl::store
