#include "store/patient_disk.h"

#include <gtest/gtest.h>

#include "store/memory_disk.h"
#include "store/unreadable.h"

namespace pawl::store {
namespace {

// A messenger does not come back from what hangs, until it is mended.
class Sent : public Messengers {
 public:
  explicit Sent(MemoryDisk& disk) : disk_(disk) {}
  std::shared_ptr<const os::Late> run(const std::string& path,
                                      std::function<void()> errand) override {
    ++runs;
    if (disk_.hangs(path)) return std::make_shared<Away>(disk_, path);
    return errand(), nullptr;
  }
  std::string place_of(const std::string&) override { return "/far"; }
  int runs = 0;

 private:
  struct Away : os::Late {
    Away(MemoryDisk& where, std::string what) : disk(where), path(std::move(what)) {}
    bool back() const override { return !disk.hangs(path); }
    MemoryDisk& disk;
    std::string path;
  };
  MemoryDisk& disk_;
};

struct PatientDiskTest : ::testing::Test {
  MemoryDisk memory;
  Sent* sent = nullptr;
  std::unique_ptr<PatientDisk> disk;

  PatientDiskTest() {
    memory.put("/home/pawl", Kind::folder);
    for (const char* folder : {"/far/a", "/far/b"}) memory.put(folder, Kind::folder);
    EXPECT_TRUE(memory.write_atomically("/far/a/PAUSE", "p"));
    EXPECT_TRUE(memory.write_atomically("/far/b/.env", "A=1"));
    auto messengers = std::make_unique<Sent>(memory);
    sent = messengers.get();
    disk = std::make_unique<PatientDisk>(std::shared_ptr<Disk>(&memory, [](auto*) {}), "/home/pawl",
                                         std::move(messengers));
  }
};

TEST_F(PatientDiskTest, ItsOwnHomeIsAskedAtOnce) {
  EXPECT_TRUE(disk->write_atomically("/home/pawl/x", "1"));
  EXPECT_EQ(*disk->read_file("/home/pawl/x"), "1");
  EXPECT_EQ(sent->runs, 0);
  EXPECT_EQ(*disk->read_file("/far/b/.env"), "A=1");
  EXPECT_EQ(sent->runs, 1);
}

TEST_F(PatientDiskTest, WhatDoesNotAnswerIsAskedOnceForAllOfThatPlace) {
  memory.hang("/far");
  const auto read = disk->read_file("/far/b/.env");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().what, "/far/b/.env does not answer: the disk or server it is on hangs");
  EXPECT_FALSE(disk->answers("/far/a"));
  EXPECT_TRUE(disk->list_dir("/far/a").empty());
  EXPECT_FALSE(disk->move_file("/home/pawl/x", "/far/a/x"));
  EXPECT_FALSE(disk->move_file("/far/a/x", "/home/pawl/x"));
  EXPECT_EQ(sent->runs, 1);
  EXPECT_TRUE(disk->answers("/farther/a"));
  EXPECT_TRUE(disk->answers("/home/pawl"));
}

TEST_F(PatientDiskTest, WhatWasSeenLastHoldsUntilItAnswers) {
  EXPECT_TRUE(disk->exists("/far/a/PAUSE"));
  EXPECT_FALSE(disk->exists("/far/b/PAUSE"));
  memory.hang("/far");
  EXPECT_TRUE(disk->exists("/far/a/PAUSE"));
  EXPECT_FALSE(disk->exists("/far/b/PAUSE"));
  memory.mend("/far");
  EXPECT_TRUE(memory.remove_file("/far/a/PAUSE"));
  EXPECT_FALSE(disk->exists("/far/a/PAUSE"));
  EXPECT_TRUE(disk->answers("/far/a/PAUSE"));
}

TEST_F(PatientDiskTest, AFolderThatDoesNotAnswerIsNamed) {
  EXPECT_FALSE(silent_folder(*disk, "/far/a"));
  memory.hang("/far");
  const auto silent = silent_folder(*disk, "/far/a");
  ASSERT_TRUE(silent);
  EXPECT_EQ(silent->text, "/far/a does not answer: the disk or server it is on hangs");
  memory.mend("/far");
  EXPECT_FALSE(silent_folder(*disk, "/far/a"));
}

}  // namespace
}  // namespace pawl::store
