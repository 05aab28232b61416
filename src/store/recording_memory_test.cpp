// Recordings on the disk in memory: kept or only counted, they come as far and are as long.

#include <gtest/gtest.h>

#include "store/memory_disk.h"
#include "store/recording_reader.h"
#include "term/terminal.h"

namespace pawl::store {
namespace {

constexpr SessionId kSession{7};
constexpr Size kSize{20, 5};
const std::string kDir = "/home/somebody/agents/a/rec";
const WallTime kNow{std::chrono::seconds{1'794'000'000}};

Recording open(Disk& disk, RecordingLimits limits = {}) {
  auto recording = Recording::open(disk, kDir, "a", kSession, kSize, kNow, limits);
  EXPECT_TRUE(recording) << text_of(recording.error());
  return std::move(*recording);
}

// What the engine can see of it.
std::string seen(Disk& disk, const Recording& recording) {
  std::string out = std::to_string(recording.end().value) + " " +
                    std::to_string(recording.durable().value) + " " +
                    std::to_string(recording.waiting()) + (recording.dirty() ? " dirty" : "");
  for (const auto& part : parts_in(disk, kDir))
    out += " " + std::to_string(part.number) + ":" + std::to_string(disk.file_size(part.path));
  return out;
}

// The life of a terminal in steps: output with half characters and bytes that are none, resizes, keyframes, a full disk.
void step(Recording& recording, MemoryDisk& disk, int i, bool& fine) {
  const WallTime now = kNow + std::chrono::milliseconds{i * 137};
  disk.set_time(now);
  const std::string text = "line " + std::to_string(i) + " \"quoted\"\x1b[1m \xff \xc3\r\n";
  recording.output(now, recording.end(), text);
  if (i % 7 == 0) recording.resized(now, {static_cast<uint16_t>(20 + i % 3), 5});
  if (i == 50) disk.set_capacity(disk.used() + 10);
  if (i == 60) disk.set_capacity(1u << 30);
  fine = recording.flush().has_value();
  if (i % 5 == 0 && fine)
    fine = recording.keyframe(now, "TERMINAL" + std::to_string(i), "REPAINT").has_value();
}

TEST(CountedRecording, ComesAsFarAndIsAsLongAsOneThatIsKept) {
  MemoryDisk kept, counted(false);
  const RecordingLimits limits{1500, 4000, 30};
  Recording one = open(kept, limits), other = open(counted, limits);
  bool refused = false;
  for (int i = 0; i < 100; ++i) {
    bool fine = true, too = true;
    step(one, kept, i, fine);
    step(other, counted, i, too);
    refused = refused || !fine;
    EXPECT_EQ(fine, too) << i;
    ASSERT_EQ(seen(kept, one), seen(counted, other)) << i;
    ASSERT_EQ(kept.used(), counted.used()) << i;
  }
  EXPECT_TRUE(refused) << "the disk was full";
  EXPECT_GT(parts_in(counted, kDir).size(), 2u);
}

TEST(CountedRecording, IsOpenedAgainWhereItStopped) {
  MemoryDisk disk(false);
  const RecordingLimits limits{1500, 1u << 20, 30};
  std::string before;
  {
    Recording recording = open(disk, limits);
    bool fine = true;
    for (int i = 0; i < 47; ++i) step(recording, disk, i, fine);
    recording.exited(kNow, 0);  // with it comes the half character
    ASSERT_TRUE(recording.flush());
    before = seen(disk, recording);
    recording.output(kNow, recording.end(), "never on disk");
  }
  Recording again = open(disk, limits);
  EXPECT_EQ(seen(disk, again), before);
  const auto recovered = again.take_recovered();
  ASSERT_TRUE(recovered);
  EXPECT_EQ(recovered->end, again.end());
  EXPECT_EQ(recovered->first_size, (Size{20, 5})) << "of the last resize, at 42";
  EXPECT_FALSE(term::Terminal::restore(recovered->keyframe)) << "no picture is left";
  EXPECT_TRUE(recovered->steps.empty());
  again.output(kNow, again.end(), "more");
  ASSERT_TRUE(again.flush());
  EXPECT_EQ(again.durable(), again.end());
  EXPECT_EQ(output_of(disk, parts_in(disk, kDir)), "") << "nothing is kept";
}

TEST(CountedRecording, TakesNoRoomInMemory) {
  MemoryDisk disk(false);
  Recording recording = open(disk);
  const std::string block(100'000, 'x');
  for (int i = 0; i < 50; ++i) {
    recording.output(kNow, recording.end(), block);
    ASSERT_TRUE(recording.flush());
  }
  EXPECT_GT(disk.file_size(part_path(kDir, kSession, 1)), 5'000'000u);
  EXPECT_LT(disk.read_file(part_path(kDir, kSession, 1))->size(), 500u);
}

// What a killed daemon needs to go on, and hardly more.
TEST(KeptRecording, TheSmallestLimitsKeepOneKeyframeAndWhatFollows) {
  MemoryDisk disk;
  const RecordingLimits limits{1, 1, 30};
  {
    Recording recording = open(disk, limits);
    bool fine = true;
    for (int i = 0; i < 43; ++i) step(recording, disk, i, fine);
    ASSERT_TRUE(recording.flush());
  }
  EXPECT_EQ(parts_in(disk, kDir).size(), 1u);
  Recording again = open(disk, limits);
  EXPECT_EQ(again.take_recovered()->keyframe, "TERMINAL40");
}

// It is no reason to begin anew: what cannot be read now is there when that is over.
TEST(Recording, WhatCannotBeReadIsNotThrownAway) {
  for (const std::string& broken : {std::string(kDir), part_path(kDir, kSession, 1)}) {
    MemoryDisk disk;
    {
      Recording recording = open(disk, {});
      recording.output(kNow, Offset{0}, "a night of work");
      ASSERT_TRUE(recording.flush());
    }
    disk.break_reading(broken, EIO);
    EXPECT_FALSE(Recording::open(disk, kDir, "docs", kSession, kSize, kNow, {})) << broken;
    disk.mend(broken);
    EXPECT_EQ(open(disk, {}).end(), Offset{15}) << broken;
    EXPECT_EQ(output_of(disk, parts_in(disk, kDir)), "a night of work") << broken;
  }
}

}  // namespace
}  // namespace pawl::store
