#include "store/approvals.h"

#include <gtest/gtest.h>

#include "store/memory_disk.h"

namespace pawl::store {
namespace {

constexpr const char* kFile = "/home/trust";
const std::string kDigest(64, 'a');

struct ApprovalsTest : testing::Test {
  MemoryDisk disk;

  void SetUp() override { ASSERT_TRUE(disk.make_private_dir("/home")); }
  Result<Approvals> loaded() { return Approvals::load(disk, "/home"); }
  static Approval approval(const std::string& path, int64_t ms = 1) {
    return {path, kDigest, WallTime{std::chrono::milliseconds{ms}}};
  }
};

TEST_F(ApprovalsTest, NothingIsApprovedWithoutAFile) {
  ASSERT_TRUE(loaded());
  EXPECT_TRUE(loaded()->all().empty());
}

TEST_F(ApprovalsTest, AreKeptAndForgotten) {
  Approvals list;
  list.add(approval("/a/pawl.toml", 5));
  list.add(approval("/b/with \"quotes\"\n.toml", 7));
  ASSERT_TRUE(list.save(disk, "/home"));
  auto again = loaded();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->all(), list.all());
  EXPECT_EQ(again->find("/a/pawl.toml")->at, approval("", 5).at);
  EXPECT_EQ(again->find("/a"), nullptr);
  EXPECT_TRUE(again->forget("/a/pawl.toml"));
  EXPECT_FALSE(again->forget("/a/pawl.toml"));
  EXPECT_EQ(again->find("/a/pawl.toml"), nullptr);
}

TEST_F(ApprovalsTest, APlaceHasOne) {
  Approvals list;
  list.add(approval("/a", 1));
  list.add(approval("/b", 2));
  Approval other = approval("/a", 3);
  other.digest = std::string(64, 'b');
  list.add(other);
  EXPECT_EQ(list.all(), (std::vector<Approval>{approval("/b", 2), other}));
}

TEST_F(ApprovalsTest, TheOldestGoesAtTheLimit) {
  Approvals list;
  for (size_t i = 0; i <= kMaxApprovals; ++i) list.add(approval("/" + std::to_string(i)));
  EXPECT_EQ(list.all().size(), kMaxApprovals);
  EXPECT_EQ(list.find("/0"), nullptr);
  EXPECT_NE(list.find("/" + std::to_string(kMaxApprovals)), nullptr);
}

// Whatever was made of the file: an error that says what to do, and nothing is approved.
TEST_F(ApprovalsTest, WhatIsDamagedApprovesNothing) {
  Approvals list;
  list.add(approval("/a/pawl.toml"));
  ASSERT_TRUE(list.save(disk, "/home"));
  const std::string fine = *disk.read_file(kFile);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = fine;
    return text.replace(text.find(from), from.size(), to);
  };
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("[]"), std::string("null"),
        fine.substr(0, fine.size() / 2), std::string(1000, '\0'),
        with("\"version\": 1", "\"version\": 2"), with("\"approved\"", "\"other\""),
        with("/a/pawl.toml", "pawl.toml"), with("\"path\"", "\"place\""), with(kDigest, "*"),
        with(kDigest, std::string(64, 'A')), with("1970-", "never-")}) {
    ASSERT_TRUE(disk.write_atomically(kFile, text));
    const auto read = loaded();
    ASSERT_FALSE(read) << text;
    EXPECT_NE(text_of(read.error()).find("rm /home/trust"), std::string::npos) << text;
  }
}

TEST_F(ApprovalsTest, WhatIsNoFileApprovesNothing) {
  for (const Kind kind : {Kind::folder, Kind::pipe, Kind::device}) {
    disk.put(kFile, kind);
    EXPECT_FALSE(loaded()) << os::words(kind);
  }
}

}  // namespace
}  // namespace pawl::store
