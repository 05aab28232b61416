// The holder's parts that can be looked at without a process: bytes, backlog with its spill file,
// pace.

#include "host/holder/backlog.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "host/holder/pace.h"
#include "os/fd.h"
#include "os/file.h"

namespace pawl::holder {
namespace {

struct Spilling : ::testing::Test {
  std::string path = [] {
    std::string text = ::testing::TempDir() + "pawl-backlog-XXXXXX";
    EXPECT_NE(::mkdtemp(text.data()), nullptr);
    return text;
  }();
  os::Fd dir{::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  Backlog backlog;

  ~Spilling() override {
    backlog.release(dir.get(), 5);
    (void)os::remove_tree(path);
  }
  bool add(const std::string& text) { return backlog.append(text.data(), text.size()); }
  bool spill(uint64_t limit = kSpillLimit) { return backlog.spill(dir.get(), 5, limit); }
  void acknowledge(uint64_t upto) { backlog.acknowledge(upto, dir.get(), 5); }
  std::string all(uint64_t from, size_t step = 3) {
    std::string text;
    std::string part(step, '\0');
    while (const size_t got = backlog.read(from + text.size(), part.data(), step))
      text.append(part, 0, got);
    return text;
  }
  bool file_there() { return os::exists(path + "/spill-5"); }
};

TEST_F(Spilling, ReadsThroughFileAndMemory) {
  ASSERT_TRUE(add("hello "));
  ASSERT_TRUE(spill());
  ASSERT_TRUE(add("wide "));
  ASSERT_TRUE(spill());
  ASSERT_TRUE(add("world"));
  EXPECT_EQ(all(0), "hello wide world");
  EXPECT_EQ(all(4), "o wide world");
  EXPECT_EQ(all(16), "");
  EXPECT_EQ(backlog.memory.size(), 5u);
}

TEST_F(Spilling, ForgetsWhatIsAcknowledgedAndRemovesTheFile) {
  add("0123456789");
  spill();
  add("abc");
  acknowledge(4);
  EXPECT_EQ(backlog.first, 4u);
  EXPECT_EQ(all(0), "") << "forgotten";
  EXPECT_EQ(all(4), "456789abc");
  acknowledge(2);
  EXPECT_EQ(backlog.first, 4u) << "never back";
  EXPECT_TRUE(file_there());
  acknowledge(11);
  EXPECT_FALSE(file_there());
  EXPECT_EQ(all(11), "bc");
  acknowledge(99);
  EXPECT_EQ(backlog.end(), 13u) << "not beyond the end";
  EXPECT_EQ(backlog.memory.capacity, 0u) << "an idle session costs nothing";
  add("de");
  EXPECT_EQ(all(13), "de");
}

TEST_F(Spilling, StopsAtTheLimitAndLosesNothing) {
  add("0123456789");
  EXPECT_TRUE(spill(4));
  EXPECT_FALSE(spill(4));
  EXPECT_EQ(backlog.memory.size(), 6u);
  EXPECT_EQ(all(0), "0123456789");
}

TEST_F(Spilling, AFolderThatCannotBeWrittenLosesNothing) {
  add("0123456789");
  EXPECT_FALSE(backlog.spill(-1, 5));
  EXPECT_EQ(all(0), "0123456789");
}

TEST_F(Spilling, RoomEndsAtTheMemoryLimit) {
  EXPECT_EQ(backlog.room(), kMemoryLimit);
  add(std::string(kMemoryLimit, 'x'));
  EXPECT_EQ(backlog.room(), 0u);
  spill();
  EXPECT_EQ(backlog.room(), kMemoryLimit);
}

TEST_F(Spilling, TheFileIsPrivate) {
  add("x");
  spill();
  struct stat info {};
  ASSERT_EQ(::stat((path + "/spill-5").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST_F(Spilling, GivesAcknowledgedPartsBackToTheDisk) {
  const std::string block(kMemoryLimit, 'b');
  for (int i = 0; i < 64; ++i) {
    add(block);
    spill();
  }
  acknowledge(60 * kMemoryLimit);
  struct stat info {};
  ASSERT_EQ(::stat((path + "/spill-5").c_str(), &info), 0);
  if (backlog.freed_at > 0) {  // file systems without holes keep it until the end
    EXPECT_LT(info.st_blocks * 512, 5ll << 20);
  }
  EXPECT_EQ(all(60 * kMemoryLimit, 65536).size(), 4 * kMemoryLimit);
}

TEST(Bytes, GrowsShrinksAndKeepsOrder) {
  Bytes bytes;
  std::string expected;
  unsigned next = 1;
  for (int round = 0; round < 2000; ++round) {
    next = next * 1664525u + 1013904223u;
    const std::string some(next % 700, static_cast<char>('a' + round % 26));
    ASSERT_TRUE(bytes.append(some.data(), some.size()));
    expected += some;
    const size_t gone = std::min<size_t>(expected.size(), (next >> 10) % 800);
    bytes.consume(gone);
    expected.erase(0, gone);
    ASSERT_EQ(std::string(bytes.begin(), bytes.size()), expected);
    ASSERT_LE(bytes.capacity, std::max<size_t>(4096, 8 * expected.size() + 256));
  }
  bytes.release();
  EXPECT_EQ(bytes.capacity, 0u);
}

TEST(Pace, AFewWakesAfterQuietAreFree) {
  Pace pace;
  int64_t now = 1'000'000'000;
  for (int i = 0; i < kPaceCredits; ++i) {
    EXPECT_EQ(pace.wait(now), 0);
    pace.woke(now, false);
    now += 100;
  }
  EXPECT_GT(pace.wait(now), 0);
}

TEST(Pace, ManySmallWakesAreGathered) {
  Pace pace;
  int64_t now = 1'000'000'000;
  int wakes = 0;
  for (const int64_t end = now + 1'000'000; now < end; now += 100) {
    if (pace.wait(now) > 0) continue;
    pace.woke(now, false);
    ++wakes;
  }
  EXPECT_LE(wakes, 1'000'000 / kPaceIntervalUs + kPaceCredits + 1);
  EXPECT_EQ(pace.wait(now + kPaceIntervalUs), 0);
}

TEST(Pace, TypingBuysWakes) {
  Pace pace;
  const int64_t now = 1'000'000'000;
  pace = Pace{now + kPaceIntervalUs * kPaceCredits};
  ASSERT_GT(pace.wait(now), 0);
  pace.typed();
  for (int i = 0; i < kPaceForTyping; ++i) {
    EXPECT_EQ(pace.wait(now), 0);
    pace.woke(now, false);
  }
  EXPECT_GT(pace.wait(now), 0);
}

TEST(Pace, BulkOutputIsNotHeldBack) {
  Pace pace;
  for (int i = 0; i < 1000; ++i) pace.woke(1'000'000'000, true);
  EXPECT_EQ(pace.wait(1'000'000'000), 0);
}

}  // namespace
}  // namespace pawl::holder
