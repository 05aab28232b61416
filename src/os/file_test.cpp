#include "os/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cstdlib>
#include <map>

#include "base/test_dir.h"
#include "base/test_full_disk.h"

namespace pawl::os {
namespace {

mode_t mode_of(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
}

// Runs in a child of its own; true when `work` was.
template <class Work>
bool in_child(Work&& work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work() ? 0 : 1);
  int status = -1;
  ::waitpid(child, &status, 0);
  return status == 0;
}

TEST(WriteAtomically, ReplacesAndLeavesNothingBeside) {
  TestDir dir;
  ASSERT_TRUE(write_atomically(dir / "f", "old"));
  EXPECT_EQ(mode_of(dir / "f"), 0600u);
  ASSERT_TRUE(write_atomically(dir / "f", std::string("new\0text", 8)));
  EXPECT_EQ(read_file(dir / "f"), std::string("new\0text", 8));
  EXPECT_EQ(list_dir(dir.path()), std::vector<std::string>{"f"});
}

// A disk that takes only half of the text: the old one stays whole, and no temporary file is left.
TEST(WriteAtomically, AFullDiskKeepsTheOldText) {
  TestDir dir;
  ASSERT_TRUE(write_atomically(dir / "f", "old"));
  {
    FullDisk full(1000);
    EXPECT_FALSE(write_atomically(dir / "f", std::string(2000, 'x')));
  }
  EXPECT_EQ(read_file(dir / "f"), "old");
  EXPECT_EQ(list_dir(dir.path()), std::vector<std::string>{"f"});
}

TEST(WriteAtomically, SaysWhichFileAndWhy) {
  TestDir dir;
  const auto missing = write_atomically(dir / "no/f", "x");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().what,
            "cannot create " + dir / "no/f.new" + ": No such file or directory");
  ASSERT_TRUE(make_private_dir(dir / "folder/inside"));
  EXPECT_FALSE(write_atomically(dir / "folder", "x")) << "a folder is not replaced";
  EXPECT_EQ(list_dir(dir.path()), std::vector<std::string>{"folder"});
}

TEST(ReadFile, RefusesWhatIsLargerThanTheLimit) {
  TestDir dir;
  ASSERT_TRUE(write_atomically(dir / "f", "12345"));
  EXPECT_EQ(read_file(dir / "f", 5), "12345");
  EXPECT_FALSE(read_file(dir / "f", 4));
  EXPECT_FALSE(read_file(dir / "missing"));
  EXPECT_FALSE(read_file(dir.path()));
}

TEST(ReadSlice, GivesWhatIsThere) {
  TestDir dir;
  ASSERT_TRUE(write_atomically(dir / "f", "0123456789"));
  EXPECT_EQ(read_slice(dir / "f", 3, 4), "3456");
  EXPECT_EQ(read_slice(dir / "f", 8, 4), "89");
  EXPECT_EQ(read_slice(dir / "f", 10, 4), "");
  EXPECT_EQ(read_slice(dir / "missing", 0, 4), "");
  EXPECT_EQ(file_size(dir / "f"), 10u);
  EXPECT_EQ(file_size(dir / "missing"), 0u);
}

TEST(OpenAppend, CreatesPrivatelyAndAppends) {
  TestDir dir;
  for (const char* text : {"a", "b"}) {
    const auto fd = open_append(dir / "f");
    ASSERT_TRUE(fd);
    ASSERT_TRUE(write_all(fd->get(), text, "f"));
  }
  EXPECT_EQ(read_file(dir / "f"), "ab");
  EXPECT_EQ(mode_of(dir / "f"), 0600u);
}

TEST(MakePrivateDir, MakesParentsPrivateWhateverTheUmask) {
  TestDir dir;
  const mode_t before = ::umask(0);
  const auto made = make_private_dir(dir / "a/b/c");
  ::umask(before);
  ASSERT_TRUE(made) << text_of(made.error());
  for (const char* name : {"a", "a/b", "a/b/c"}) EXPECT_EQ(mode_of(dir / name), 0700u) << name;
  EXPECT_TRUE(make_private_dir(dir / "a/b/c")) << "again is fine";
  EXPECT_TRUE(make_private_dir(dir / "a/b/")) << "a slash at the end too";
}

TEST(MakePrivateDir, SaysWhatStandsInTheWay) {
  TestDir dir;
  ASSERT_TRUE(write_atomically(dir / "f", ""));
  const auto file = make_private_dir(dir / "f");
  ASSERT_FALSE(file);
  EXPECT_EQ(text_of(file.error()), dir / "f" + " is not a folder: move it away");
  EXPECT_FALSE(make_private_dir(dir / "f/below"));
  EXPECT_FALSE(make_private_dir(""));
}

TEST(ListDir, IsSortedAndEmptyWhenUnreadable) {
  TestDir dir;
  for (const char* name : {"b", "a", ".c"}) ASSERT_TRUE(write_atomically(dir / name, ""));
  EXPECT_EQ(list_dir(dir.path()), (std::vector<std::string>{".c", "a", "b"}));
  EXPECT_TRUE(list_dir(dir / "missing").empty());
}

TEST(RemoveTree, TakesEverythingAndMissesNothing) {
  TestDir dir;
  ASSERT_TRUE(make_private_dir(dir / "a/b"));
  ASSERT_TRUE(write_atomically(dir / "a/b/f", ""));
  EXPECT_TRUE(remove_tree(dir / "a"));
  EXPECT_FALSE(exists(dir / "a"));
  EXPECT_TRUE(remove_tree(dir / "a")) << "what is gone is gone";
}

TEST(LockFile, IsHeldByOneProcess) {
  TestDir dir;
  const auto another_gets_it = [&] {
    return in_child([&] { return lock_file(dir / "lock").has_value(); });
  };
  {
    const auto mine = lock_file(dir / "lock");
    ASSERT_TRUE(mine);
    EXPECT_FALSE(another_gets_it());
    EXPECT_FALSE(lock_file(dir / "lock")) << "nor ourselves a second time";
  }
  EXPECT_TRUE(another_gets_it()) << "free when the descriptor is closed";
  EXPECT_EQ(mode_of(dir / "lock"), 0600u);
}

TEST(DiskSpace, IsPlausible) {
  TestDir dir;
  const auto space = disk_space(dir.path());
  ASSERT_TRUE(space);
  EXPECT_GT(space->total_bytes, 0u);
  EXPECT_LE(space->free_bytes, space->total_bytes);
  EXPECT_FALSE(disk_space(dir / "missing"));
}

TEST(Absolute, IsWorkedOutWithoutTheDisk) {
  const char* before = std::getenv("HOME");
  const std::string kept = before ? before : "";
  ::setenv("HOME", "/home/me", 1);
  const std::vector<std::vector<std::string>> rows{
      {"x", "/base", "/base/x"},       {"/x", "/base", "/x"},
      {"../x", "/base/a", "/base/x"},  {".", "/base", "/base"},
      {"", "/base", "/base"},          {"~", "/base", "/home/me"},
      {"~/x/", "/base", "/home/me/x"}, {"~x", "/base", "/base/~x"},
      {"a/./b//c", "/", "/a/b/c"},     {"/", "/base", "/"},
      {"../../..", "/a", "/"},         {"no/such", "/base", "/base/no/such"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(absolute(row[0], row[1]), row[2]) << row[0] << " at " << row[1];
  ::setenv("HOME", kept.c_str(), 1);
}

// What an agent can put where Pawl reads a file: nobody waits for the other end of it.
struct StrangeFiles : testing::Test {
  TestDir dir;
  std::map<std::string, std::string> kinds;
  void SetUp() override {
    ASSERT_EQ(::mkfifo((dir / "pipe").c_str(), 0600), 0);
    ASSERT_EQ(::symlink("pipe", (dir / "link").c_str()), 0);
    ASSERT_EQ(::symlink("/dev/zero", (dir / "zero").c_str()), 0);
    ASSERT_TRUE(make_private_dir(dir / "folder"));
    kinds = {{"pipe", "a named pipe"},
             {"link", "a named pipe"},
             {"zero", "a device"},
             {"folder", "a folder"}};
  }
};

TEST_F(StrangeFiles, AreNotReadAndSaidToBeWhatTheyAre) {
  for (const auto& [name, kind] : kinds) {
    const auto text = read_file(dir / name);
    ASSERT_FALSE(text) << name;
    EXPECT_EQ(text.error().what, dir / name + " is " + kind + ", not a file");
    EXPECT_EQ(not_a_file(dir / name), kind);
    EXPECT_EQ(read_slice(dir / name, 0, 10), "");
  }
  ASSERT_TRUE(write_atomically(dir / "file", "text"));
  EXPECT_EQ(not_a_file(dir / "file"), std::nullopt);
  EXPECT_EQ(not_a_file(dir / "none"), std::nullopt);
}

TEST_F(StrangeFiles, AreNotWrittenToEither) {
  for (const auto& [name, kind] : kinds) {
    EXPECT_FALSE(open_append(dir / name)) << name;
    EXPECT_FALSE(open_write(dir / name)) << name;
    EXPECT_FALSE(touch(dir / name)) << name;
  }
  ASSERT_EQ(::mkfifo((dir / "f.new").c_str(), 0600), 0);
  ASSERT_TRUE(write_atomically(dir / "f", "text")) << "a pipe where its temporary file is";
  EXPECT_EQ(read_file(dir / "f"), "text");
}

TEST_F(StrangeFiles, APersonMayNameAPipe) {
  const pid_t writer = ::fork();
  if (writer == 0) {
    const Fd fd(::open((dir / "pipe").c_str(), O_WRONLY));
    ::_exit(write_all(fd.get(), "through a pipe", "it") ? 0 : 1);
  }
  EXPECT_EQ(read_stream(dir / "pipe"), "through a pipe");
  ::waitpid(writer, nullptr, 0);
}

}  // namespace
}  // namespace pawl::os
