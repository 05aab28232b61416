#include "store/environment.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/test_dir.h"
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
  const Entries entries{"A=1", "B=line\nbreak", "C=", "D=\xff"};
  ASSERT_TRUE(save_environment(disk, dir / "agent", entries));
  EXPECT_EQ(*load_environment(disk, dir / "agent"), entries);
  struct stat info {};
  ASSERT_EQ(::stat((dir / "agent/environment").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  ASSERT_TRUE(save_environment(disk, dir / "agent", {}));
  EXPECT_EQ(*load_environment(disk, dir / "agent"), Entries{});
  EXPECT_FALSE(load_environment(disk, dir / "missing"));
}

}  // namespace
}  // namespace pawl::store
