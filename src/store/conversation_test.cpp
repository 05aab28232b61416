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

TEST_F(ConversationTest, TheNewestOfAllAreGivenByName) {
  const auto newest = [&](WallTime since) {
    std::vector<std::string> names;
    for (const auto& file : newest_conversations(
             disk, "{$X_HOME|~/.x}/s/*/*/*-{conversation}.jsonl", {"HOME=" + home.path()}, since))
      names.push_back(std::filesystem::path(file.path).filename());
    return names;
  };
  const std::string old = write(".x/s/2026/01/r-1-a.jsonl");
  write(".x/s/2026/02/r-2-b.jsonl");
  write(".x/s/2026/02/r-3-c.jsonl");
  write(".x/s/2026/02/notes.txt");
  std::filesystem::create_directories(home.path() + "/.x/s/2026/02/r-4-d.jsonl");
  EXPECT_EQ(newest({}), (std::vector<std::string>{"r-3-c.jsonl", "r-2-b.jsonl", "r-1-a.jsonl"}));
  const auto when = disk.plain_file(old)->modified;
  std::filesystem::last_write_time(old,
                                   std::filesystem::last_write_time(old) - std::chrono::hours{1});
  EXPECT_EQ(newest(when - std::chrono::minutes{1}).size(), 2u);
  for (int i = 0; i < kNewestLooked; ++i)
    write(".x/s/2026/03/r-" + std::to_string(1000 + i) + "-x.jsonl");
  EXPECT_EQ(newest({}).size(), static_cast<size_t>(kNewestLooked)) << "no more are looked at";
  EXPECT_TRUE(newest_conversations(disk, "~/none/{conversation}", {"HOME=/"}, {}).empty());
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

TEST_F(ConversationTest, ANameMayHaveHowTheIdBegins) {
  const std::string it = write(".g/tmp/project/chats/session-2026-11-17T04-51-0f7c1a2b.jsonl");
  write(".g/tmp/project/logs/session-2026-11-17T04-51-0f7c1a2b.jsonl");
  write(".g/tmp/project/chats/other-2026-0f7c1a2b.jsonl");
  const auto find_it = [&](const std::string& id) {
    return find_conversation(disk, "{$G_HOME|~}/.g/tmp/*/chats/session-*-{conversation8}.jsonl",
                             {"HOME=" + home.path()}, id);
  };
  EXPECT_EQ(find_it("0f7c1a2b-9d1e-4f00-8000-000000000001"), it);
  EXPECT_EQ(find_it("1f7c1a2b-9d1e-4f00-8000-000000000001"), "");
}

// Claude Code's and pi's, of which one names the folder in its own way and the other puts a time before the id.
TEST_F(ConversationTest, OneIsFoundInWhateverFolderItsProgramKeepsIt) {
  const std::string claude = write(".c/projects/-src-a-b/0f7c.jsonl");
  const std::string pi = write(".p/s/--src-a.b--/2026-11-19T01-15_1f7c.jsonl");
  const std::string named = write(".p/s/--src-a.b--/2f7c.jsonl");
  write(".p/s/other/2026-11-19T01-15_3f7c.jsonl");
  const auto find_it = [&](const char* pattern, const char* id) {
    return find_conversation(disk, pattern, {"HOME=" + home.path()}, id);
  };
  const char* its = "{$C|~/.c}/projects/{cwd}/{conversation}.jsonl";
  EXPECT_EQ(find_it(its, "0f7c"), claude);
  EXPECT_EQ(find_it(its, "1f7c"), "");
  its = "{$P|~/.p}/s/--{folder}--/{conversation}.jsonl";
  EXPECT_EQ(find_it(its, "1f7c"), pi);
  EXPECT_EQ(find_it(its, "2f7c"), named);
  EXPECT_EQ(find_it(its, "3f7c"), "");
}

TEST_F(ConversationTest, ANewOneIsPlannedWhereThePatternNamesOneFile) {
  const auto plan = [](const std::string& pattern, const std::string& id) {
    return planned_conversation(pattern, {"HOME=/h", "P=/own"}, id, "/src/a.b");
  };
  EXPECT_EQ(plan("{$X|~/.p}/s/--{folder}--/{conversation}.jsonl", "abc"),
            "/h/.p/s/--src-a.b--/abc.jsonl");
  EXPECT_EQ(plan("{$P|~/.p}/{conversation}.jsonl", "abc"), "/own/abc.jsonl");
  for (const char* none : {"", "~/*/{conversation}.jsonl", "~/{cwd}/{conversation}", "relative"})
    EXPECT_EQ(plan(none, "abc"), "") << none;
  EXPECT_EQ(plan("~/{conversation}", "../abc"), "");
}

TEST_F(ConversationTest, OneThatComesFromAnotherMachineGoesWhereItsProgramLooksHere) {
  const auto place = [](const std::string& pattern, const std::string& source) {
    return arriving_conversation(pattern, {"HOME=/h", "P=/own"}, "/src/a.b", source);
  };
  EXPECT_EQ(
      place("{$C|~/.c}/projects/{cwd}/{conversation}.jsonl", "/home/x/.c/projects/-w/abc.jsonl"),
      "/h/.c/projects/-src-a-b/abc.jsonl");
  EXPECT_EQ(place("{$P|~/.p}/s/--{folder}--/{conversation}.jsonl", "/x/s/--w--/2026_abc.jsonl"),
            "/own/s/--src-a.b--/2026_abc.jsonl");
  EXPECT_EQ(
      place("~/.x/sessions/*/*/*/*-{conversation}.jsonl", "/x/sessions/2026/11/19/r-abc.jsonl"),
      "/h/.x/sessions/2026/11/19/r-abc.jsonl");
  for (const char* source : {"", "abc.jsonl", "/../../../x.jsonl", "/s/../a/b/x.jsonl"})
    EXPECT_EQ(place("~/.x/sessions/*/*/*/*-{conversation}.jsonl", source), "") << source;
  EXPECT_EQ(place("", "/x/abc.jsonl"), "");
  EXPECT_EQ(place("relative/{conversation}", "/x/abc.jsonl"), "");
}

}  // namespace
}  // namespace pawl::store
