#include "store/inbox.h"

#include <gtest/gtest.h>

#include "base/test_dir.h"
#include "os/file.h"
#include "store/real_disk.h"

namespace pawl::store {
namespace {

RealDisk disk;

const WallTime kNow{std::chrono::seconds{1'763'172'331}};

class InboxTest : public testing::Test {
 protected:
  void put(const std::string& name, const std::string& text) {
    ASSERT_TRUE(os::make_private_dir(dir()));
    ASSERT_TRUE(os::write_atomically(dir() + "/" + name, text));
  }
  std::string dir() const { return folder_.path() + "/inbox"; }

  TestDir folder_;
  Inbox inbox_{disk, dir()};
};

TEST_F(InboxTest, WhatIsAddedWaitsWithItsSender) {
  const auto first = inbox_.add("the text\n", "ci", 1, kNow);
  const auto second = inbox_.add("another", "", 0, kNow);
  ASSERT_TRUE(first && second);
  EXPECT_NE(*first, *second) << "two of the same moment";
  const auto item = inbox_.find(*first);
  ASSERT_TRUE(item);
  EXPECT_EQ(item->from, "ci");
  EXPECT_EQ(item->priority, 1);
  EXPECT_EQ(inbox_.find(*second)->from, "somebody");
  EXPECT_EQ(inbox_.waiting().size(), 2u);
}

TEST_F(InboxTest, FilesThatAreStillWrittenAreNotThere) {
  for (const char* name : {".x", "x.part", "x.tmp", "x~"}) put(name, "text");
  ASSERT_TRUE(os::make_private_dir(dir() + "/folder"));
  EXPECT_TRUE(inbox_.waiting().empty());
  EXPECT_FALSE(inbox_.find("../inbox/.x"));
}

TEST_F(InboxTest, OnlyLinesThatAreKnownAreAHead) {
  put("a", "from: bob\npriority: low\n\nfrom: here on\n");
  put("b", "from: bob went\nthe dog\n");
  put("c", "priority: high\n");
  EXPECT_EQ(inbox_.find("a")->from, "bob");
  EXPECT_EQ(inbox_.find("a")->priority, -1);
  EXPECT_EQ(inbox_.find("b")->from, "") << "a text that begins so";
  EXPECT_EQ(inbox_.find("c")->priority, 1);
  ASSERT_TRUE(inbox_.claim("a") && inbox_.claim("b"));
  EXPECT_EQ(inbox_.text("a", 1000), "from: here on");
  EXPECT_EQ(inbox_.text("b", 1000), "from: bob went\nthe dog");
}

TEST_F(InboxTest, ClaimedByOneOnlyAndGivenBackOrDone) {
  put("a", "text");
  EXPECT_TRUE(inbox_.claim("a"));
  EXPECT_FALSE(inbox_.claim("a"));
  EXPECT_TRUE(inbox_.waiting().empty());
  EXPECT_EQ(inbox_.claimed(), std::vector<std::string>{"a"});
  EXPECT_TRUE(inbox_.give_back("a"));
  EXPECT_EQ(inbox_.waiting().size(), 1u);
  ASSERT_TRUE(inbox_.claim("a"));
  EXPECT_TRUE(inbox_.finish("a"));
  EXPECT_TRUE(inbox_.waiting().empty() && inbox_.claimed().empty());
  EXPECT_TRUE(os::exists(dir() + "/done/a"));
}

TEST_F(InboxTest, GivenBackBesideANewOneOfItsName) {
  put("a", "first");
  ASSERT_TRUE(inbox_.claim("a"));
  put("a", "second");
  EXPECT_TRUE(inbox_.give_back("a"));
  EXPECT_EQ(inbox_.waiting().size(), 2u) << "neither is lost";
}

TEST_F(InboxTest, ALongTextIsNamed) {
  put("a", std::string(2000, 'x'));
  ASSERT_TRUE(inbox_.claim("a"));
  EXPECT_EQ(inbox_.text("a", 1000), "its text is long; read " + dir() + "/claimed/a");
}

TEST_F(InboxTest, AFingerprintChangesWithTheFile) {
  put("a", "one");
  const std::string before = inbox_.find("a")->fingerprint();
  EXPECT_EQ(inbox_.find("a")->fingerprint(), before);
  put("a", "longer");
  EXPECT_NE(inbox_.find("a")->fingerprint(), before);
}

}  // namespace
}  // namespace pawl::store
