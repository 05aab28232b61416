// What only the disk in memory can do: be full, broken, hung, and at a time of its own. What it shares with the real one is in
// disk_test.cpp.

#include "store/memory_disk.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "store/agent_files.h"
#include "store/inbox.h"
#include "store/task_files.h"
#include "store/unreadable.h"

namespace pawl::store {
namespace {

const WallTime kNow{std::chrono::seconds{1'794'000'000}};
const std::string kHome = "/home/somebody/pawl";

struct MemoryDiskTest : testing::Test {
  MemoryDisk disk;
  MemoryDiskTest() {
    disk.set_time(kNow);
    disk.put(kHome, Kind::folder);
  }
  std::string at(const std::string& name) const { return kHome + "/" + name; }
  void only(uint64_t bytes) { disk.set_capacity(disk.used() + bytes); }
  template <class T>
  static std::string said(const Result<T>& outcome) {
    return outcome ? "fine" : text_of(outcome.error());
  }
};

TEST_F(MemoryDiskTest, AFullDiskSaysSoAndIsFineWhenThereIsRoomAgain) {
  ASSERT_TRUE(disk.write_atomically(at("a"), "old"));
  only(2);
  EXPECT_EQ(said(disk.write_atomically(at("a"), "new")),
            "cannot write " + at("a.new") + ": No space left on device");
  EXPECT_EQ(*disk.read_file(at("a")), "old");
  EXPECT_EQ(disk.list_dir(kHome), std::vector<std::string>{"a"});
  EXPECT_EQ(said(disk.make_private_dir(at("folder"))),
            "cannot create " + at("folder") + ": No space left on device");
  EXPECT_EQ(said(disk.write_in_place(at("a"), "longer")),
            "cannot write " + at("a") + ": free some space");
  EXPECT_EQ(said(disk.write_in_place(at("a"), "new")), "fine") << "no more than before";
  EXPECT_EQ(disk.space(kHome)->free_bytes, 2u);
  ASSERT_TRUE(disk.remove_file(at("a")));
  EXPECT_EQ(disk.space(kHome)->free_bytes, 5u);
  EXPECT_EQ(said(disk.write_atomically(at("a"), "new")), "fine");
}

TEST_F(MemoryDiskTest, OfWhatIsAppendedToAFullDiskAPartIsThere) {
  const auto log = disk.open_append(at("log"));
  ASSERT_TRUE(log);
  only(3);
  EXPECT_EQ(said((*log)->append("12345")),
            "cannot write " + at("log") + ": No space left on device");
  EXPECT_EQ(*disk.read_file(at("log")), "123");
  ASSERT_TRUE((*log)->cut(1));
  ASSERT_TRUE((*log)->append("ab"));
  EXPECT_EQ(*disk.read_file(at("log")), "1ab");
}

TEST_F(MemoryDiskTest, WhatIsRemovedTakesNoRoomOnceItIsClosed) {
  const uint64_t before = disk.used();
  {
    ASSERT_TRUE(disk.make_private_dir(at("rec")));
    const auto log = disk.open_append(at("rec/a"));
    ASSERT_TRUE(log && (*log)->append(std::string(1000, 'x')));
    ASSERT_TRUE(disk.remove_tree(at("rec")));
    EXPECT_EQ(disk.used(), before + 1000) << "somebody has it open";
    ASSERT_TRUE((*log)->append("x"));
  }
  EXPECT_EQ(disk.used(), before);
  ASSERT_TRUE(disk.write_atomically(at("a"), "12345"));
  ASSERT_TRUE(disk.write_atomically(at("b"), "12"));
  ASSERT_TRUE(disk.move_file(at("b"), at("a")));
  EXPECT_EQ(disk.used(), before + 2);
}

TEST_F(MemoryDiskTest, FilesThatCannotBeRead) {
  ASSERT_TRUE(disk.make_private_dir(at("bad")));
  ASSERT_TRUE(disk.write_atomically(at("bad/a"), "text"));
  ASSERT_TRUE(disk.write_atomically(at("badly"), "text"));
  disk.break_reading(at("bad"), EIO);
  EXPECT_EQ(said(disk.read_file(at("bad/a"))),
            "cannot read " + at("bad/a") + ": Input/output error");
  EXPECT_EQ(disk.read_slice(at("bad/a"), 0, 10), "");
  EXPECT_TRUE(disk.list_dir(at("bad")).empty());
  EXPECT_TRUE(disk.plain_file(at("bad/a"))) << "it can be looked at";
  EXPECT_EQ(said(disk.write_atomically(at("bad/a"), "new")), "fine");
  EXPECT_EQ(*disk.read_file(at("badly")), "text") << "only what is below it";
  disk.mend(at("bad"));
  EXPECT_EQ(*disk.read_file(at("bad/a")), "new");
}

TEST_F(MemoryDiskTest, ADiskThatCannotBeWrittenTo) {
  ASSERT_TRUE(disk.write_atomically(at("a"), "text"));
  const auto log = disk.open_append(at("a"));
  disk.break_writing(kHome, EROFS);
  EXPECT_EQ(said(disk.write_atomically(at("a"), "new")),
            "cannot create " + at("a.new") + ": Read-only file system");
  EXPECT_EQ(said((*log)->append("x")), "cannot write " + at("a") + ": Read-only file system");
  EXPECT_EQ(said(disk.open_append(at("a"))), "cannot open " + at("a") + ": Read-only file system");
  EXPECT_EQ(said(disk.make_private_dir(at("b"))),
            "cannot create " + at("b") + ": Read-only file system");
  EXPECT_FALSE(disk.make_unique_dir(at("b")));
  EXPECT_FALSE(disk.move_file(at("a"), at("b")));
  EXPECT_FALSE(disk.remove_file(at("a")));
  EXPECT_FALSE(disk.remove_tree(at("a")));
  EXPECT_FALSE(disk.touch(at("a")));
  EXPECT_EQ(*disk.read_file(at("a")), "text");
}

TEST_F(MemoryDiskTest, WhoWouldHaveWaitedIsKnown) {
  ASSERT_TRUE(disk.make_private_dir("/mnt/far"));
  ASSERT_TRUE(disk.write_atomically("/mnt/far/prompt", "text"));
  disk.hang("/mnt/far");
  EXPECT_TRUE(disk.read_file(at("prompt")).error().what.starts_with("cannot open"));
  EXPECT_TRUE(disk.hung().empty());
  EXPECT_EQ(said(disk.read_file("/mnt/far/prompt")),
            "cannot open /mnt/far/prompt: Connection timed out");
  EXPECT_FALSE(disk.exists("/mnt/far"));
  EXPECT_EQ(disk.hung(), (std::vector<std::string>{"/mnt/far/prompt", "/mnt/far"}));
  for (size_t i = 0; i < 2 * kHungKept; ++i) EXPECT_FALSE(disk.exists("/mnt/far/x"));
  EXPECT_EQ(disk.hung().size(), kHungKept);
  disk.mend("/mnt/far");
  EXPECT_EQ(*disk.read_file("/mnt/far/prompt"), "text");
}

TEST_F(MemoryDiskTest, TimeIsWhatItWasTold) {
  ASSERT_TRUE(disk.write_atomically(at("a"), "text"));
  EXPECT_EQ(disk.plain_file(at("a"))->modified, kNow);
  disk.set_time(kNow + std::chrono::hours{1});
  EXPECT_EQ(disk.plain_file(at("a"))->modified, kNow);
  ASSERT_TRUE(disk.touch(at("a")));
  EXPECT_EQ(disk.plain_file(at("a"))->modified, kNow + std::chrono::hours{1});
}

TEST_F(MemoryDiskTest, AnAgentsFoldersWorkThere) {
  const AgentFiles files(disk, kHome);
  ASSERT_TRUE(files.save_environment("a", {"A=1", "B=2"}));
  model::AgentSpec a, b;
  a.name = "a", b.name = "b";
  EXPECT_EQ(files.environment(a), (std::vector<std::string>{"A=1", "B=2"}));
  EXPECT_TRUE(files.environment(b).empty()) << "nothing of the machine it runs on";
  ASSERT_TRUE(files.put_text("a", 7, "text"));
  EXPECT_EQ(files.texts("a"), std::vector<uint64_t>{7});
  ASSERT_TRUE(disk.write_atomically(files.dir("a") + "/" + kWakeupName, "wake"));
  EXPECT_TRUE(files.claim_wakeup("a", 8));
  EXPECT_EQ(files.claimed("a", 8, 100).text, "wake");
  const Inbox inbox(disk, files.inbox("a"));
  const auto name = inbox.add("work", "ci", 1, kNow);
  ASSERT_TRUE(name && inbox.claim(*name));
  EXPECT_EQ(inbox.text(*name, 100), "work");
  EXPECT_TRUE(inbox.finish(*name));
  ASSERT_TRUE(inbox.add("more", "ci", 1, kNow));
  ASSERT_TRUE(files.remove("a"));
  EXPECT_FALSE(disk.exists(files.dir("a")));
  EXPECT_EQ(disk.list_dir(kHome + "/archive"), std::vector<std::string>{"a.inbox"});
}

TEST_F(MemoryDiskTest, ATasksFolderWorksThere) {
  const auto dir = make_task_dir(disk, kHome, "fix", {"do it\n", {}});
  ASSERT_TRUE(dir) << text_of(dir.error());
  EXPECT_EQ(dir->path, kHome + "/tasks/fix.000001");
  TaskLog log(disk, dir->path);
  log.follow(SessionId{1});
  ASSERT_TRUE(log.append("one\n", Offset{4}));
  only(0);
  EXPECT_FALSE(log.append("two\n", Offset{8}));
  disk.set_capacity(1u << 20);
  ASSERT_TRUE(log.append("two\n", Offset{8}));
  EXPECT_EQ(*disk.read_file(dir->path + "/output.log"), "one\ntwo\n");
  EXPECT_EQ(TaskLog(disk, dir->path).offset(), Offset{8});
  EXPECT_TRUE(remove_task_dir(disk, kHome, dir->path));
}

TEST_F(MemoryDiskTest, APipeInAnAgentsFolderIsTold) {
  const AgentFiles files(disk, kHome);
  disk.put(files.dir("a") + "/" + kModeName, Kind::pipe);
  disk.put("/srv/a/.env", Kind::pipe);
  model::Agent agent;
  agent.spec.name = "a";
  agent.spec.dir = "/srv/a";
  const auto found = unreadable(files, agent);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].path, files.dir("a") + "/" + kModeName);
  EXPECT_EQ(found[1].text, "/srv/a/.env is a named pipe, not a file: Pawl does not read it");
  EXPECT_FALSE(files.env_value(agent.spec, "X"));
}

}  // namespace
}  // namespace pawl::store
