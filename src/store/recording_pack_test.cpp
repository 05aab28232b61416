// Finished parts are compressed, and nobody who reads them notices: also when a kill or a full disk came in between.

#include "store/recording_pack.h"

#include <gtest/gtest.h>

#include "store/memory_disk.h"
#include "store/part_file.h"
#include "store/recording_seek.h"

namespace pawl::store {
namespace {

using std::chrono::seconds;

constexpr SessionId kSession{7};
constexpr Size kSize{20, 5};
const std::string kDir = "/home/somebody/agents/a/rec";
const WallTime kNow{seconds{1'794'000'000}};
const WallTime kLater = kNow + std::chrono::hours{1};

struct Tapes {
  MemoryDisk disk;

  Tapes() { disk.set_time(kNow); }
  Recording open(SessionId session = kSession, RecordingLimits limits = {4000, 1u << 30, 30}) {
    auto recording = Recording::open(disk, kDir, "a", session, kSize, kNow, limits);
    EXPECT_TRUE(recording) << text_of(recording.error());
    return std::move(*recording);
  }
  // A line each second, a keyframe after every tenth.
  void print(Recording& recording, int from, int to) {
    for (int i = from; i < to; ++i) {
      const WallTime now = kNow + seconds{i};
      recording.output(now, recording.end(), "line " + std::to_string(i) + " \x1b[1m\xff ü\r\n");
      if (i % 10 == 9) {
        EXPECT_TRUE(recording.keyframe(now, "TERMINAL" + std::to_string(i), "REPAINT"));
      }
      EXPECT_TRUE(recording.flush());
    }
  }
  void tape(SessionId session = kSession) {
    Recording recording = open(session);
    print(recording, 0, 300);
    recording.exited(kNow + seconds{300}, 3);
    EXPECT_TRUE(recording.flush());
  }
  std::vector<Part> parts() { return parts_in(disk, kDir); }
  std::vector<Part> to_pack(const std::set<SessionId>& open = {}) {
    return parts_to_pack(disk, kDir, open, kLater).now;
  }
  void pack_all(const std::set<SessionId>& open = {}) {
    for (const auto& part : to_pack(open)) {
      const auto packed = pack_beside(disk, part.path);
      ASSERT_TRUE(packed) << text_of(packed.error());
      ASSERT_TRUE(put_packed(disk, *packed));
    }
  }
  std::string names() {
    std::string out;
    for (const auto& name : disk.list_dir(kDir)) out += name.substr(8) + " ";
    return out;
  }
  void cut(const std::string& path, double share) {
    const std::string packed = *disk.read(path, 1u << 20);
    ASSERT_TRUE(disk.write_atomically(
        path, packed.substr(0, static_cast<size_t>(static_cast<double>(packed.size()) * share))));
  }
};

std::string at(Disk& disk, const std::string& path, WallTime until) {
  PartSeek seek(disk, path, until);
  std::string out;
  for (int i = 0; i < 1000; ++i) {
    const auto piece = seek.next();
    if (!piece) return text_of(piece.error());
    out += "[" + piece->found.keyframe + "]";
    for (const auto& step : piece->found.steps) out += step.bytes;
    if (piece->over) return out;
  }
  return "endless";
}

// All that readers can see of the recordings.
std::string seen(Disk& disk) {
  const auto parts = parts_in(disk, kDir);
  std::string out =
      output_of(disk, parts).value_or("?") + recent_output(disk, kDir, 500).value_or("?");
  for (const auto& part : parts) {
    const auto end = read_end(disk, part.path);
    EXPECT_TRUE(end);
    if (!end) continue;
    out += part.path + end->recovered.keyframe + std::to_string(end->recovered.end.value) +
           std::to_string(end->whole_bytes) + end->damage;
    const auto begins = part_begins(disk, part.path);
    EXPECT_TRUE(begins);
    for (int s = -1; s < 310 && begins; s += 13)
      if (kNow + seconds{s} >= *begins) out += at(disk, part.path, kNow + seconds{s});
    PartFile file(disk, part.path);
    out += std::to_string(file.size()) + file.read(17, 1000) + file.damage();
  }
  return out;
}

TEST(Packing, NobodyWhoReadsNotices) {
  Tapes tapes;
  tapes.tape();
  tapes.tape(SessionId{8});
  const std::string before = seen(tapes.disk);
  const size_t count = tapes.parts().size();
  ASSERT_GT(count, 4u);
  const uint64_t bytes = tapes.disk.used();
  tapes.pack_all();
  EXPECT_EQ(tapes.parts().size(), count);
  for (const auto& part : tapes.parts()) EXPECT_FALSE(tapes.disk.exists(part.path)) << part.path;
  EXPECT_TRUE(seen(tapes.disk) == before);
  EXPECT_LT(tapes.disk.used(), bytes / 2);
  EXPECT_TRUE(tapes.to_pack().empty());
}

TEST(Packing, WhatMayStillGrowStaysPlain) {
  Tapes tapes;
  tapes.tape();
  tapes.tape(SessionId{8});
  const auto all = tapes.parts();
  EXPECT_EQ(tapes.to_pack({kSession, SessionId{8}}).size(), all.size() - 2) << "the last of each";
  EXPECT_EQ(tapes.to_pack({SessionId{8}}).size(), all.size() - 1);
  const auto young = parts_to_pack(tapes.disk, kDir, {}, kNow + seconds{20});
  EXPECT_TRUE(young.now.empty());
  EXPECT_EQ(young.later, kNow + kPackAfter);
  EXPECT_EQ(parts_to_pack(tapes.disk, kDir, {}, kNow - seconds{9999}).now.size(), all.size())
      << "the clock was set back";
}

TEST(Packing, KeepsTheAgeOfThePart) {
  Tapes tapes;
  tapes.tape();
  tapes.disk.set_time(kLater);
  tapes.pack_all();
  for (const auto& part : tapes.parts())
    EXPECT_EQ(look_at_part(tapes.disk, part.path)->modified, kNow);
}

TEST(Packing, KilledBeforeThePlainOneIsRemoved) {
  Tapes tapes;
  tapes.tape();
  const std::string before = seen(tapes.disk);
  const size_t count = tapes.parts().size();
  const std::string path = tapes.parts().front().path;
  ASSERT_TRUE(tapes.disk.write_atomically(path + kPackedEnding, "half of something"));
  EXPECT_EQ(tapes.parts().size(), count) << "it is one part";
  EXPECT_TRUE(seen(tapes.disk) == before) << "the plain one counts";
  tapes.pack_all();
  EXPECT_FALSE(tapes.disk.exists(path));
  EXPECT_TRUE(seen(tapes.disk) == before) << "and is compressed again";
}

TEST(Packing, KilledWhileTheFileBesideIsWritten) {
  Tapes tapes;
  tapes.tape();
  const std::string names = tapes.names(), path = tapes.parts().front().path;
  ASSERT_TRUE(tapes.disk.write_atomically(path + ".packing", "half"));
  ASSERT_TRUE(tapes.disk.write_atomically(path + ".packing.new", "half"));
  EXPECT_EQ(tapes.parts().front().path, path);
  (void)tapes.to_pack();
  EXPECT_EQ(tapes.names(), names);
}

TEST(Packing, ADiskThatIsFullLeavesThePartAsItIs) {
  Tapes tapes;
  tapes.tape();
  const std::string before = seen(tapes.disk), names = tapes.names();
  const auto part = tapes.to_pack().front();
  tapes.disk.set_capacity(tapes.disk.used() + 10);
  EXPECT_FALSE(pack_beside(tapes.disk, part.path));
  EXPECT_TRUE(seen(tapes.disk) == before);
  EXPECT_EQ(tapes.names(), names);
  tapes.disk.set_capacity(1u << 30);
  tapes.pack_all();
  EXPECT_TRUE(seen(tapes.disk) == before);
}

TEST(Packing, APartThatGrewMeanwhileIsNotReplaced) {
  Tapes tapes;
  tapes.tape();
  const std::string names = tapes.names();
  const auto part = tapes.parts().back();
  const auto packed = pack_beside(tapes.disk, part.path);
  ASSERT_TRUE(packed);
  {
    Recording again = tapes.open();
    tapes.print(again, 300, 301);
  }
  const std::string before = seen(tapes.disk);
  EXPECT_FALSE(put_packed(tapes.disk, *packed));
  EXPECT_EQ(tapes.names(), names);
  EXPECT_TRUE(seen(tapes.disk) == before);
  tapes.disk.remove_file(part.path);
  EXPECT_FALSE(put_packed(tapes.disk, *packed)) << "nor one that was removed";
}

// Its terminal lived on after all: what comes is written behind what there was.
TEST(Packing, ARecordingGoesOnInAPartThatWasCompressed) {
  Tapes tapes;
  Recording recording = tapes.open();
  tapes.print(recording, 0, 50);
  recording.exited(kNow + seconds{50}, 0);
  EXPECT_TRUE(recording.writing());
  ASSERT_TRUE(recording.flush());
  EXPECT_FALSE(recording.writing()) << "its file is closed";
  EXPECT_TRUE(recording.take_finished());
  tapes.pack_all();
  tapes.print(recording, 50, 60);
  const std::string whole = *output_of(tapes.disk, tapes.parts());
  EXPECT_NE(whole.find("line 0 "), std::string::npos);
  EXPECT_NE(whole.find("line 59 "), std::string::npos);
  EXPECT_EQ(whole.size(), recording.end().value);
  EXPECT_EQ(recording.durable(), recording.end());
  tapes.pack_all();
  Recording again = tapes.open();
  EXPECT_EQ(again.end(), recording.end());
  tapes.print(again, 60, 62);
  EXPECT_EQ(output_of(tapes.disk, tapes.parts())->size(), again.end().value);
}

TEST(Packing, CutInTheMiddleShowsWhatIsThereAndSaysSo) {
  Tapes tapes;
  tapes.tape();
  const std::string whole = *output_of(tapes.disk, tapes.parts());
  const std::string path = tapes.parts().back().path;
  const auto begins = part_begins(tapes.disk, path);
  tapes.pack_all();
  tapes.cut(path + kPackedEnding, 0.7);
  std::string damage;
  const auto output = output_of(tapes.disk, tapes.parts(), &damage);
  ASSERT_TRUE(output);
  EXPECT_EQ(*output, whole.substr(0, output->size()));
  EXPECT_LT(output->size(), whole.size());
  EXPECT_NE(damage.find(".cast.zst is cut off: its first "), std::string::npos) << damage;
  const auto end = read_end(tapes.disk, path);
  EXPECT_TRUE(!end || !end->damage.empty());
  PartFile file(tapes.disk, path);
  (void)file.size();
  EXPECT_NE(file.damage(), "");
  EXPECT_TRUE(begins);
}

TEST(Packing, NothingOfADamagedPartIsThrownAwayWhenItIsGoneOnWith) {
  Tapes tapes;
  tapes.tape();
  const std::string path = tapes.parts().back().path;
  tapes.pack_all();
  tapes.cut(path + kPackedEnding, 0.9);
  const std::string kept = *tapes.disk.read(path + kPackedEnding, 1u << 20);
  (void)Recording::open(tapes.disk, kDir, "a", kSession, kSize, kNow);
  EXPECT_EQ(tapes.disk.read(path + ".zst.damaged", 1u << 20).value_or("gone"), kept);
}

TEST(Packing, CompressedPartsCountWithTheSizeTheyHave) {
  Tapes tapes;
  tapes.tape();
  const size_t count = tapes.parts().size();
  tapes.pack_all();
  uint64_t packed = 0;
  for (const auto& part : tapes.parts()) packed += look_at_part(tapes.disk, part.path)->size;
  { Recording next = tapes.open(SessionId{8}, {4000, packed, 30}); }
  EXPECT_EQ(tapes.parts().size(), count + 1) << "all of them fit";
  { Recording next = tapes.open(SessionId{9}, {4000, packed / 2, 30}); }
  EXPECT_LT(tapes.parts().size(), count + 2);
  { Recording next = tapes.open(SessionId{10}, {4000, 1, 30}); }
  EXPECT_EQ(tapes.parts().size(), 1u);
  EXPECT_EQ(tapes.disk.list_dir(kDir).size(), 1u);
}

TEST(Packing, AFileMadeToFillTheMemoryIsRefused) {
  Tapes tapes;
  const std::string path = part_path(kDir, kSession, 1);
  std::string bomb;
  const std::string frame = os::zstd_frame(std::string(4u << 20, '\n'), kPackLevel);
  for (size_t i = 0; i <= kMaxUnpacked / (4u << 20); ++i) bomb += frame;
  ASSERT_TRUE(tapes.disk.make_private_dir(kDir));
  ASSERT_TRUE(tapes.disk.write_atomically(path + kPackedEnding, bomb));
  std::string damage;
  EXPECT_LE(read_part(tapes.disk, path, &damage)->size(), kMaxUnpacked);
  EXPECT_NE(damage, "");
  PartFile file(tapes.disk, path);
  EXPECT_LE(file.size(), kMaxUnpacked);
  EXPECT_NE(file.damage(), "");
}

}  // namespace
}  // namespace pawl::store
