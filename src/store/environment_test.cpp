#include "store/environment.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/test_dir.h"
#include "store/agent_files.h"
#include "store/memory_disk.h"
#include "store/real_disk.h"

namespace pawl::store {
namespace {

RealDisk disk;

using Entries = std::vector<std::string>;

TEST(EnvFile, Rows) {
  const std::vector<std::pair<std::string, Entries>> rows{
      {"", {}},
      {"A=1", {"A=1"}},
      {"A=1\nB=2\n", {"A=1", "B=2"}},
      {"A=1\r\nB=2\r\n", {"A=1", "B=2"}},
      {"# comment\n\n  \t\nA=1", {"A=1"}},
      {"export A=1", {"A=1"}},
      {"export   A=1", {"A=1"}},
      {"A=", {"A="}},
      {"A=x=y", {"A=x=y"}},
      {"A = spaced ", {"A=spaced"}},
      {"A=\"in quotes \"", {"A=in quotes "}},
      {"A='single \"'", {"A=single \""}},
      {"A=\"half", {"A=\"half"}},
      {"A=\"", {"A=\""}},
      {"A='x\"", {"A='x\""}},
      {"A=\"\"", {"A="}},
      {"_a9=x # not a comment", {"_a9=x # not a comment"}},
      {"A=1\nA=2", {"A=1", "A=2"}},
  };
  for (const auto& [text, entries] : rows) {
    const auto parsed = parse_env_file(text, "f");
    ASSERT_TRUE(parsed) << text;
    EXPECT_EQ(*parsed, entries) << text;
  }
}

TEST(EnvFile, BadLinesAreNamed) {
  const std::vector<std::pair<std::string, int>> rows{
      {"A", 1},     {"=x", 1},        {"A=1\n\nB C=2", 3}, {"9A=1", 1},
      {"A-B=1", 1}, {"#\nexport", 2}, {"ä=1", 1}};
  for (const auto& [text, line] : rows) {
    const auto parsed = parse_env_file(text, "my.env");
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(text_of(parsed.error()),
              "my.env:" + std::to_string(line) +
                  ": not NAME=value: correct the line or comment it out with #");
  }
}

TEST(Environment, LaterEntriesWin) {
  EXPECT_EQ(merge_environment({"A=1", "B=2", "A=3"}, {"B=4", "C="}), (Entries{"A=3", "B=4", "C="}));
  EXPECT_EQ(merge_environment({"no value", "=x", "A=b=c"}, {}), Entries{"A=b=c"});
}

TEST(Environment, IsKeptPrivatelyAndExactly) {
  TestDir dir;
  const Environments kept(disk, dir.path());
  const Entries entries{"A=1", "B=line\nbreak", "C=", "D=\xff"};
  ASSERT_TRUE(kept.save("one", entries));
  EXPECT_EQ(*kept.load("one"), entries);
  struct stat info {};
  ASSERT_EQ(::stat((dir / "agents/one/environment").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  ASSERT_TRUE(kept.save("one", {}));
  EXPECT_EQ(*kept.load("one"), Entries{});
  EXPECT_FALSE(kept.load("missing"));
}

constexpr const char* kHome = "/home";

// Every byte below the home.
std::string everything(MemoryDisk& in, const std::string& folder) {
  std::string out;
  for (const auto& name : in.list_dir(folder)) {
    const std::string path = folder + "/" + name;
    out += in.is_dir(path) ? everything(in, path) : *in.read_file(path);
  }
  return out;
}

TEST(Environment, InTheAgentsFolderIsOnlyWhatDiffersFromTheDaemons) {
  MemoryDisk memory;
  memory.environment = {"PATH=/bin", "KEY=shared", "TOKEN=of the daemon only", "LANG=C"};
  const Environments kept(memory, kHome);
  const Entries entries{"KEY=shared", "LANG=de", "PATH=/bin", "X=1"};
  for (const char* name : {"one", "two"}) {
    ASSERT_TRUE(kept.save(name, entries));
    EXPECT_EQ(*kept.load(name), entries) << name;
  }
  const std::string file = *memory.read_file("/home/agents/one/environment");
  EXPECT_EQ(file.find("shared"), std::string::npos);
  EXPECT_NE(file.find("LANG=de"), std::string::npos);
  EXPECT_EQ(memory.list_dir("/home/environments").size(), 1u) << "once for all agents";
  EXPECT_EQ(everything(memory, kHome).find("of the daemon only"), std::string::npos);
}

TEST(Environment, ADaemonWithOtherVariablesGivesWhatItHad) {
  MemoryDisk memory;
  memory.environment = {"KEY=shared", "PATH=/bin"};
  const Environments kept(memory, kHome);
  ASSERT_TRUE(kept.save("one", {"KEY=shared", "PATH=/bin", "X=1"}));
  for (const Entries& later : {Entries{}, Entries{"KEY=another"}, Entries{"MORE=1", "X=2"}}) {
    memory.environment = later;
    EXPECT_EQ(*kept.load("one"), (Entries{"KEY=shared", "PATH=/bin", "X=1"}));
  }
}

TEST(Environment, TheDaemonsOwnIsNotKeptAtAll) {
  MemoryDisk memory;
  memory.environment = {"KEY=secret"};
  const Environments kept(memory, kHome);
  ASSERT_TRUE(kept.save("one", {kDaemonsOwn}));
  EXPECT_EQ(*kept.load("one"), Entries{"KEY=secret"});
  EXPECT_EQ(everything(memory, kHome).find("secret"), std::string::npos);
  memory.environment = {"KEY=new"};
  EXPECT_EQ(*kept.load("one"), Entries{"KEY=new"});
}

TEST(Environment, ACallersEntryIsNoMark) {
  MemoryDisk memory;
  memory.environment = {"PATH=/bin"};
  ASSERT_TRUE(memory.make_private_dir("/home/environments"));
  ASSERT_TRUE(memory.write_atomically("/home/token", "TOKEN=1"));
  const Environments kept(memory, kHome);
  for (const char* mark : {"=", "=../token", "=0", "=/home/token"}) {
    ASSERT_TRUE(kept.save("one", {mark, "X=1"}));
    EXPECT_EQ(*kept.load("one"), Entries{"X=1"}) << mark;
    ASSERT_TRUE(memory.write_atomically("/home/agents/one/environment",
                                        std::string(mark) + std::string(1, '\0')));
    EXPECT_EQ(*kept.load("one"), Entries{"PATH=/bin"}) << mark;
    kept.drop_unused(std::string(mark).substr(1));
    EXPECT_TRUE(memory.exists("/home/token")) << mark;
  }
}

TEST(Environment, WhatNobodyNeedsAnyMoreGoes) {
  MemoryDisk memory;
  memory.environment = {"KEY=old", "PATH=/bin"};
  const Environments kept(memory, kHome);
  const AgentFiles files(memory, kHome);
  for (const char* name : {"one", "two"}) ASSERT_TRUE(kept.save(name, {"KEY=old", "PATH=/bin"}));
  ASSERT_TRUE(files.remove("one"));
  EXPECT_EQ(*kept.load("two"), (Entries{"KEY=old", "PATH=/bin"}));
  ASSERT_TRUE(kept.save("two", {"PATH=/bin"}));
  EXPECT_EQ(everything(memory, kHome).find("old"), std::string::npos);
  ASSERT_TRUE(files.remove("two"));
  EXPECT_EQ(memory.list_dir("/home/environments"), Entries{});
}

TEST(Environment, WhatAKillLeftBehindGoesAtTheNextStart) {
  MemoryDisk memory;
  memory.environment = {"PATH=/bin"};
  const Environments kept(memory, kHome);
  kept.drop_all_unused();  // there is nothing yet
  ASSERT_TRUE(kept.save("one", {"PATH=/bin"}));
  const Entries used = memory.list_dir("/home/environments");
  for (const std::string& name : {std::string(64, 'a'), std::string("torn.tmp")})
    ASSERT_TRUE(memory.write_atomically("/home/environments/" + name, "KEY=secret"));
  kept.drop_all_unused();
  EXPECT_EQ(memory.list_dir("/home/environments"), used);
  EXPECT_EQ(*kept.load("one"), Entries{"PATH=/bin"});
}

struct CountingDisk : MemoryDisk {
  size_t reads = 0;
  std::string read_slice(const std::string& path, uint64_t offset, size_t limit) override {
    ++reads;
    return MemoryDisk::read_slice(path, offset, limit);
  }
};

TEST(Environment, OneThatAllShareIsLookedForOnce) {
  CountingDisk memory;
  memory.environment = {"PATH=/bin"};
  const Environments kept(memory, kHome);
  for (int n = 0; n < 100; ++n) ASSERT_TRUE(kept.save("a" + std::to_string(n), {"PATH=/bin"}));
  const size_t before = memory.reads;
  kept.drop_all_unused();
  EXPECT_LE(memory.reads - before, 1u);
}

TEST(Environment, WhatWasCommonAndIsDeletedIsTheDaemonsOwn) {
  MemoryDisk memory;
  memory.environment = {"PATH=/bin"};
  const Environments kept(memory, kHome);
  ASSERT_TRUE(kept.save("one", {"PATH=/bin", "X=1"}));
  ASSERT_TRUE(memory.remove_tree("/home/environments"));
  memory.environment = {"PATH=/usr/bin"};
  EXPECT_EQ(*kept.load("one"), (Entries{"PATH=/usr/bin", "X=1"}));
}

TEST(Environment, MinimalIsWhatEveryProgramNeedsAndWhatIsNamed) {
  model::AgentSpec spec;
  const Entries all{"PATH=/bin",      "HOME=/h", "LC_ALL=C",   "XDG_RUNTIME_DIR=/r",
                    "TERM=x",         "KEY=1",   "OPENAI_A=2", "OPENAI=3",
                    "PATHS=4",        "TZ=UTC",  "LANG=C",     "SHELL=/b/sh",
                    "LD_PRELOAD=x.so"};
  EXPECT_EQ(selected_environment(spec, all), all);
  spec.env = "minimal";
  spec.env_keep = {"KEY", "OPENAI_*"};
  EXPECT_EQ(selected_environment(spec, all),
            (Entries{"PATH=/bin", "HOME=/h", "LC_ALL=C", "XDG_RUNTIME_DIR=/r", "TERM=x", "KEY=1",
                     "OPENAI_A=2", "TZ=UTC", "LANG=C", "SHELL=/b/sh"}));
  EXPECT_EQ(selected_environment(spec, {kDaemonsOwn}), Entries{kDaemonsOwn});
}

TEST(Environment, AnAgentThatBecameMinimalIsNotKeptWhole) {
  MemoryDisk memory;
  memory.environment = {"KEY=shared", "PATH=/bin"};
  const AgentFiles files(memory, kHome);
  ASSERT_TRUE(files.save_environment("one", {"KEY=shared", "PATH=/bin", "X=secret"}));
  model::AgentSpec spec;
  spec.name = "one";
  files.narrow_environment(spec);
  EXPECT_EQ(files.environment(spec), (Entries{"KEY=shared", "PATH=/bin", "X=secret"}));
  spec.env = "minimal";
  EXPECT_EQ(files.environment(spec), Entries{"PATH=/bin"});
  files.narrow_environment(spec);
  EXPECT_EQ(files.environment(spec), Entries{"PATH=/bin"});
  const std::string all = everything(memory, kHome);
  EXPECT_EQ(all.find("secret"), std::string::npos);
  EXPECT_EQ(all.find("shared"), std::string::npos);
}

}  // namespace
}  // namespace pawl::store
