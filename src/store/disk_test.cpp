// One list of promises for the machine's disk and for the one in memory: what one does and says, the other does and says.

#include "store/disk.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <map>

#include "base/test_dir.h"
#include "store/memory_disk.h"
#include "store/real_disk.h"

namespace pawl::store {
namespace {

const WallTime kLongAgo{std::chrono::seconds{1'000'000'000}};

// What somebody else does there.
struct World {
  virtual ~World() = default;
  virtual Disk& disk() = 0;
  virtual std::string home() const = 0;
  virtual void pipe(const std::string& path) = 0;
  virtual void socket(const std::string& path) = 0;
  virtual void link(const std::string& path, const std::string& target) = 0;
  virtual void age(const std::string& path) = 0;
};

struct RealWorld : World {
  TestDir dir;
  RealDisk real;

  Disk& disk() override { return real; }
  std::string home() const override { return dir.path(); }
  void pipe(const std::string& path) override { ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0); }
  void socket(const std::string& path) override {
    const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    ASSERT_LT(path.size(), sizeof address.sun_path);
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    ASSERT_EQ(::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    ::close(fd);
  }
  void link(const std::string& path, const std::string& target) override {
    std::filesystem::create_symlink(target, path);
  }
  void age(const std::string& path) override {
    const timespec old{
        std::chrono::duration_cast<std::chrono::seconds>(kLongAgo.time_since_epoch()).count(), 0};
    const timespec times[2] = {old, old};
    ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  }
};

struct MemoryWorld : World {
  MemoryDisk memory;

  MemoryWorld() {
    memory.set_time(kLongAgo + std::chrono::hours{24 * 365});
    memory.put(home(), Kind::folder);
    memory.put("/dev/null", Kind::device);
  }
  Disk& disk() override { return memory; }
  std::string home() const final { return "/home/somebody/pawl"; }
  void pipe(const std::string& path) override { memory.put(path, Kind::pipe); }
  void socket(const std::string& path) override { memory.put(path, Kind::socket); }
  void link(const std::string& path, const std::string& target) override {
    memory.put_link(path, target);
  }
  void age(const std::string& path) override { memory.set_modified(path, kLongAgo); }
};

std::unique_ptr<World> world_of(const std::string& name) {
  if (name == "Memory") return std::make_unique<MemoryWorld>();
  return std::make_unique<RealWorld>();
}

struct DiskTest : testing::TestWithParam<const char*> {
  std::unique_ptr<World> world = world_of(GetParam());
  Disk& disk = world->disk();

  std::string home() const { return world->home(); }
  std::string at(const std::string& name) const { return home() + "/" + name; }
  void write(const std::string& name, const std::string& text = "x") {
    ASSERT_TRUE(disk.write_atomically(at(name), text));
  }
  void folder(const std::string& name) { ASSERT_TRUE(disk.make_private_dir(at(name))); }
  std::string text(const std::string& name) {
    return disk.read_file(at(name)).value_or("(nothing)");
  }
  void append(const std::string& name, const std::string& more) {
    const auto file = disk.open_append(at(name));
    ASSERT_TRUE(file && (*file)->append(more));
  }
  // The words of a refusal, with ~ for where the files are; "fine" when there is none.
  template <class T>
  std::string said(const Result<T>& outcome) {
    std::string words = outcome ? "fine" : text_of(outcome.error());
    for (size_t i = words.find(home()); i != std::string::npos; i = words.find(home()))
      words.replace(i, home().size(), "~");
    return words;
  }
};

TEST_P(DiskTest, WritesWholeAndInPlaceOfWhatWasThere) {
  write("a", "one");
  write("a", "another");
  EXPECT_EQ(text("a"), "another");
  EXPECT_EQ(disk.file_size(at("a")), 7u);
  write("empty", "");
  EXPECT_TRUE(disk.exists(at("empty")));
  EXPECT_EQ(disk.list_dir(home()), (std::vector<std::string>{"a", "empty"}))
      << "nothing half written is left";
}

TEST_P(DiskTest, WhyItCannotWrite) {
  EXPECT_EQ(said(disk.write_atomically(at("none/a"), "x")),
            "cannot create ~/none/a.new: No such file or directory");
  write("file");
  EXPECT_EQ(said(disk.write_atomically(at("file/a"), "x")),
            "cannot create ~/file/a.new: Not a directory");
  folder("folder");
  EXPECT_EQ(said(disk.write_atomically(at("folder"), "x")),
            "cannot write ~/folder: Is a directory");
  folder("b.new");
  EXPECT_EQ(said(disk.write_atomically(at("b"), "x")), "cannot create ~/b.new: File exists");
  world->pipe(at("c.new"));
  EXPECT_EQ(said(disk.write_atomically(at("c"), "x")), "fine");
  EXPECT_EQ(disk.list_dir(home()), (std::vector<std::string>{"b.new", "c", "file", "folder"}));
}

TEST_P(DiskTest, AppendsAndIsOpenedAgain) {
  append("log", "one ");
  append("log", "two ");
  EXPECT_EQ(text("log"), "one two ");
  const auto file = disk.open_append(at("log"));
  ASSERT_TRUE(file);
  ASSERT_TRUE((*file)->cut(4));
  EXPECT_EQ(disk.file_size(at("log")), 4u);
  ASSERT_TRUE((*file)->append("three"));
  EXPECT_EQ(text("log"), "one three");
  EXPECT_EQ(said(disk.open_append(at("none/log"))),
            "cannot open ~/none/log: No such file or directory");
  EXPECT_EQ(said(disk.open_append(at("log/log"))), "cannot open ~/log/log: Not a directory");
}

TEST_P(DiskTest, AnOpenFileGoesOnWithoutItsName) {
  folder("rec");
  const auto file = disk.open_append(at("rec/a"));
  ASSERT_TRUE(file && (*file)->append("old"));
  ASSERT_TRUE(disk.remove_tree(at("rec")));
  EXPECT_TRUE((*file)->append("more"));
  EXPECT_FALSE(disk.exists(at("rec/a")));
  folder("rec");
  append("rec/a", "new");
  EXPECT_TRUE((*file)->append("and more"));
  EXPECT_TRUE((*file)->cut(1));
  EXPECT_EQ(text("rec/a"), "new");
}

TEST_P(DiskTest, WritesOverTheBeginning) {
  const std::string path = at("place");
  ASSERT_TRUE(disk.write_in_place(path, "12345"));
  ASSERT_TRUE(disk.write_in_place(path, "abc"));
  EXPECT_EQ(text("place"), "abc45");
  ASSERT_TRUE(disk.write_in_place(path, "longer than before"));
  EXPECT_EQ(text("place"), "longer than before");
}

TEST_P(DiskTest, ReadsAsMuchAsItMay) {
  write("a", "0123456789");
  EXPECT_EQ(said(disk.read(at("a"), 9)), "~/a is larger than 9 bytes");
  EXPECT_EQ(*disk.read(at("a"), 10), "0123456789");
  EXPECT_EQ(disk.read_slice(at("a"), 2, 3), "234");
  EXPECT_EQ(disk.read_slice(at("a"), 8, 100), "89");
  EXPECT_EQ(disk.read_slice(at("a"), 10, 100), "");
  EXPECT_EQ(disk.read_slice(at("none"), 0, 100), "");
  EXPECT_EQ(said(disk.read_file(at("none"))), "cannot open ~/none: No such file or directory");
  EXPECT_EQ(said(disk.read_file(at("a/b"))), "cannot open ~/a/b: Not a directory");
  EXPECT_EQ(said(disk.read_file("")), "cannot open : No such file or directory");
}

TEST_P(DiskTest, WhatIsNoFileIsRefusedWithItsName) {
  folder("f/in it");
  world->pipe(at("p"));
  world->socket(at("s"));
  world->link(at("d"), "/dev/null");
  world->link(at("to p"), at("p"));
  const std::map<std::string, std::string> kinds{{"f", "a folder"},
                                                 {"p", "a named pipe"},
                                                 {"s", "a socket"},
                                                 {"d", "a device"},
                                                 {"to p", "a named pipe"}};
  for (const auto& [name, kind] : kinds) {
    const std::string path = at(name);
    const std::string words =
        "~/" + name + " is " + kind + ", not a file: put a file there, or remove it";
    EXPECT_EQ(disk.not_a_file(path), kind);
    EXPECT_FALSE(disk.plain_file(path)) << name;
    EXPECT_EQ(disk.file_size(path), 0u) << name;
    EXPECT_EQ(said(disk.read_file(path)), words);
    EXPECT_EQ(said(disk.open_append(path)), words);
    EXPECT_EQ(said(disk.write_in_place(path, "x")), words);
    EXPECT_EQ(disk.read_slice(path, 0, 10), "") << name;
    EXPECT_FALSE(disk.touch(path)) << name;
  }
  EXPECT_FALSE(disk.not_a_file(at("none")));
  EXPECT_TRUE(disk.is_dir(at("f")));
  EXPECT_FALSE(disk.is_dir(at("p")));
}

TEST_P(DiskTest, NamesAreSorted) {
  for (const char* name : {"b", "a", "B", ".hidden", "10", "9", "a.b", "a-b"}) write(name);
  folder("c");
  world->link(at("l"), at("nowhere"));
  EXPECT_EQ(disk.list_dir(home()), (std::vector<std::string>{".hidden", "10", "9", "B", "a", "a-b",
                                                             "a.b", "b", "c", "l"}));
  EXPECT_TRUE(disk.list_dir(at("a")).empty());
  EXPECT_TRUE(disk.list_dir(at("none")).empty());
  EXPECT_TRUE(disk.list_dir("").empty());
  world->link(at("c/up"), "..");
  EXPECT_EQ(disk.list_dir(at("c/up/c")), std::vector<std::string>{"up"});
}

TEST_P(DiskTest, Moves) {
  const auto move = [&](const std::string& from, const std::string& to) {
    return disk.move_file(at(from), at(to));
  };
  write("a", "first");
  write("b", "second");
  EXPECT_TRUE(move("a", "b")) << "over a file";
  EXPECT_EQ(text("b"), "first");
  EXPECT_FALSE(disk.exists(at("a")));
  EXPECT_TRUE(move("b", "b"));
  EXPECT_FALSE(move("none", "b"));
  EXPECT_FALSE(move("b", "none/b"));
  folder("full/in it");
  folder("empty");
  EXPECT_FALSE(move("b", "empty")) << "a file over a folder";
  EXPECT_FALSE(move("empty", "b")) << "a folder over a file";
  EXPECT_FALSE(move("empty", "full")) << "over a folder with something in it";
  EXPECT_FALSE(move("full", "full/in it/x")) << "into itself";
  EXPECT_TRUE(move("full", "empty")) << "over an empty one";
  EXPECT_TRUE(disk.is_dir(at("empty/in it")));
  EXPECT_FALSE(disk.exists(at("full")));
  world->link(at("l"), at("b"));
  EXPECT_TRUE(move("l", "m"));
  EXPECT_TRUE(disk.is_link(at("m"))) << "the link, not what it leads to";
  EXPECT_EQ(said(disk.move_anywhere(at("none"), at("b"))),
            "cannot move ~/none to ~/b: No such file or directory");
  EXPECT_EQ(said(disk.move_anywhere(at("b"), at("empty"))),
            "cannot move ~/b to ~/empty: Is a directory");
  EXPECT_EQ(said(disk.move_anywhere(at("b"), at("c"))), "fine");
}

TEST_P(DiskTest, MakesFolders) {
  EXPECT_TRUE(disk.make_private_dir(at("a/b/c")));
  EXPECT_TRUE(disk.make_private_dir(at("a/b/c"))) << "again";
  EXPECT_TRUE(disk.is_dir(at("a/b/c")));
  write("file");
  EXPECT_EQ(said(disk.make_private_dir(at("file"))), "~/file is not a folder: move it away");
  EXPECT_EQ(said(disk.make_private_dir(at("file/x"))), "~/file is not a folder: move it away");
  EXPECT_EQ(said(disk.make_private_dir("")), "an empty folder name");
  world->link(at("l"), at("a"));
  EXPECT_TRUE(disk.make_private_dir(at("l/d"))) << "through a link";
  EXPECT_TRUE(disk.is_dir(at("a/d")));
  world->link(at("broken"), at("nowhere"));
  EXPECT_EQ(said(disk.make_private_dir(at("broken"))),
            "cannot look at ~/broken: No such file or directory");
  const auto one = disk.make_unique_dir(at("task")), two = disk.make_unique_dir(at("task"));
  ASSERT_TRUE(one && two);
  EXPECT_NE(*one, *two);
  EXPECT_TRUE(one->starts_with(at("task.")));
  EXPECT_EQ(one->size(), at("task.").size() + 6);
  EXPECT_TRUE(disk.is_dir(*one));
  EXPECT_EQ(said(disk.make_unique_dir(at("none/task"))),
            "cannot create ~/none/task: No such file or directory");
}

TEST_P(DiskTest, RemovesFilesAndTrees) {
  folder("a/b");
  write("a/b/file");
  write("kept");
  world->link(at("a/link"), at("kept"));
  world->pipe(at("a/pipe"));
  EXPECT_FALSE(disk.remove_file(at("a"))) << "a folder";
  EXPECT_FALSE(disk.remove_file(at("none")));
  EXPECT_TRUE(disk.remove_file(at("a/pipe")));
  EXPECT_TRUE(disk.remove_tree(at("a")));
  EXPECT_FALSE(disk.exists(at("a")));
  EXPECT_EQ(text("kept"), "x") << "what a link in it led to stays";
  EXPECT_TRUE(disk.remove_tree(at("none")));
  EXPECT_TRUE(disk.remove_tree(at("none/x")));
  EXPECT_EQ(said(disk.remove_tree(at("kept/x"))), "cannot remove ~/kept/x: Not a directory");
  world->link(at("l"), at("kept"));
  EXPECT_TRUE(disk.remove_file(at("l")));
  EXPECT_TRUE(disk.remove_tree(at("kept"))) << "a file is a small tree";
  EXPECT_TRUE(disk.list_dir(home()).empty());
}

TEST_P(DiskTest, Links) {
  folder("a");
  write("a/file", "text");
  world->link(at("relative"), "a/file");
  world->link(at("folder"), at("a"));
  world->link(at("second"), "folder/../relative");
  world->link(at("dangling"), "a/new");
  world->link(at("loop"), at("pool"));
  world->link(at("pool"), at("loop"));
  for (const char* name : {"relative", "folder/file", "second"}) {
    EXPECT_EQ(text(name), "text") << name;
    EXPECT_EQ(disk.file_size(at(name)), 4u) << name;
  }
  EXPECT_TRUE(disk.plain_file(at("folder/file")));
  EXPECT_FALSE(disk.plain_file(at("relative"))) << "a link is none";
  EXPECT_TRUE(disk.is_link(at("dangling")));
  EXPECT_FALSE(disk.exists(at("dangling")));
  EXPECT_FALSE(disk.exists(at("loop")));
  EXPECT_TRUE(disk.is_link(at("loop")));
  EXPECT_EQ(said(disk.read_file(at("loop"))),
            "cannot open ~/loop: Too many levels of symbolic links");
  append("dangling", "made");
  EXPECT_EQ(text("a/new"), "made") << "at the other end";
  write("relative", "mine");
  EXPECT_FALSE(disk.is_link(at("relative"))) << "the link itself is replaced";
  EXPECT_EQ(text("a/file"), "text");
}

TEST_P(DiskTest, WhatIsWrittenHasTheTimeOfIt) {
  const auto aged = [&](const std::string& name) {
    world->age(at(name));
    EXPECT_EQ(disk.plain_file(at(name))->modified, kLongAgo);
  };
  const auto fresh = [&](const std::string& name) {
    return disk.plain_file(at(name))->modified > kLongAgo + std::chrono::hours{24};
  };
  write("a");
  EXPECT_TRUE(fresh("a"));
  aged("a");
  EXPECT_TRUE(disk.move_file(at("a"), at("b")));
  EXPECT_FALSE(fresh("b")) << "a move is none";
  append("b", "");
  EXPECT_FALSE(fresh("b")) << "nothing was written";
  append("b", "more");
  EXPECT_TRUE(fresh("b"));
  aged("b");
  ASSERT_TRUE(disk.write_in_place(at("b"), "y"));
  EXPECT_TRUE(fresh("b"));
  aged("b");
  EXPECT_TRUE(disk.touch(at("b")));
  EXPECT_TRUE(fresh("b"));
  EXPECT_TRUE(disk.touch(at("made")));
  EXPECT_EQ(text("made"), "");
  EXPECT_FALSE(disk.touch(at("none/made")));
  disk.set_modified(at("made"), kLongAgo);
  EXPECT_FALSE(fresh("made"));
}

TEST_P(DiskTest, SaysHowMuchRoomThereIs) {
  const auto space = disk.space(home());
  ASSERT_TRUE(space);
  EXPECT_GT(space->free_bytes, 0u);
  EXPECT_GE(space->total_bytes, space->free_bytes);
  EXPECT_EQ(said(disk.space(at("none"))), "cannot look at ~/none: No such file or directory");
}

INSTANTIATE_TEST_SUITE_P(On, DiskTest, testing::Values("TheMachine", "Memory"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace pawl::store
