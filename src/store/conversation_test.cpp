#include "store/conversation.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/test_dir.h"
#include "store/real_disk.h"

namespace pawl::store {
namespace {

RealDisk disk;

struct ConversationTest : testing::Test {
  TestDir home;
  std::string write(const std::string& name, const std::string& text = "x\n") {
    const std::filesystem::path path = home.path() + "/" + name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path;
  }
  std::string find(const std::string& id) {
    return find_conversation(disk, "{$X_HOME|~/.x}/s/*/*/*-{conversation}.jsonl",
                             {"A=1", "HOME=" + home.path()}, id);
  }
};

TEST_F(ConversationTest, SubAgentsAreBesideTheTranscript) {
  const std::string main = write("c.jsonl", "12345");
  const std::string one = write("c/subagents/agent-1.jsonl");
  write("c/subagents/agent-1.meta.json");
  write("d/subagents/agent-2.jsonl");
  const auto files = conversation_files(disk, main);
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].path, main);
  EXPECT_EQ(files[0].size, 5u);
  EXPECT_EQ(files[1].path, one);
  EXPECT_EQ(read_on(disk, files[0], 2, 2), "34");
}

TEST_F(ConversationTest, WhatIsNoPlainFileIsNotThere) {
  std::filesystem::create_directories(home.path() + "/c.jsonl");
  EXPECT_TRUE(conversation_files(disk, home.path() + "/c.jsonl").empty());
  std::filesystem::create_symlink("/etc/passwd", home.path() + "/l.jsonl");
  EXPECT_TRUE(conversation_files(disk, home.path() + "/l.jsonl").empty());
  EXPECT_TRUE(conversation_files(disk, "").empty());
}

TEST_F(ConversationTest, IsFoundByItsId) {
  const std::string old = write(".x/s/2025/12/rollout-1-abc.jsonl");
  write(".x/s/2026/11/rollout-2-def.jsonl");
  write(".x/s/2026/11/abc.jsonl");
  EXPECT_EQ(find("abc"), old);
  EXPECT_EQ(find("xyz"), "");
  EXPECT_EQ(find(""), "");
  EXPECT_EQ(find("../abc"), "");
  const std::string newer = write(".x/s/2026/11/rollout-3-abc.jsonl");
  EXPECT_EQ(find("abc"), newer);
}

TEST_F(ConversationTest, TheVariableGoesFirst) {
  const std::string there = write("own/s/2026/11/r-abc.jsonl");
  EXPECT_EQ(find_conversation(disk, "{$X_HOME|~/.x}/s/*/*/*-{conversation}.jsonl",
                              {"HOME=/nowhere", "X_HOME=" + home.path() + "/own"}, "abc"),
            there);
  for (const char* pattern : {"", "relative/*", "~/none", "{$X", "/a/*/b"})
    EXPECT_EQ(find_conversation(disk, pattern, {}, "abc"), "") << pattern;
}

}  // namespace
}  // namespace pawl::store
