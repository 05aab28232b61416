#include "store/recording.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/time.h>

#include <fstream>

#include "base/test_dir.h"
#include "base/test_full_disk.h"
#include "base/text.h"
#include "os/file.h"
#include "store/real_disk.h"
#include "store/recording_reader.h"
#include "term/cast.h"

namespace pawl::store {
namespace {

RealDisk disk;

constexpr SessionId kSession{7};
constexpr Size kSize{20, 5};

WallTime at(double seconds) {
  return WallTime{Duration{static_cast<int64_t>(seconds * 1e6)}};
}

Recording open(const std::string& dir, RecordingLimits limits = {}, WallTime now = at(100)) {
  auto recording = Recording::open(disk, dir, "docs", kSession, kSize, now, limits);
  EXPECT_TRUE(recording) << text_of(recording.error());
  return std::move(*recording);
}

std::string all_output(const std::string& dir) {
  const auto bytes = output_of(disk, parts_in(disk, dir));
  EXPECT_TRUE(bytes) << text_of(bytes.error());
  return bytes.value_or("?");
}

// The events of a part as (time, code, data).
std::vector<term::CastEvent> events_of(const std::string& path) {
  std::vector<term::CastEvent> events;
  for (const auto& line : split(*os::read_file(path), '\n'))
    if (const auto event = term::parse_cast_event(line)) events.push_back(*event);
  return events;
}

std::string codes_of(const std::string& path) {
  std::string codes;
  for (const auto& event : events_of(path)) codes += event.code;
  return codes;
}

TEST(Recording, IsAPrivateAsciicast) {
  TestDir dir;
  Recording recording = open(dir / "rec", {}, at(1000.5));
  recording.output(at(1001), Offset{0}, "hello\r\n");
  recording.exited(at(1002.25), 3);
  ASSERT_TRUE(recording.flush());
  const std::string path = dir / "rec/0000000007-0001.cast";
  const auto lines = split(*os::read_file(path), '\n');
  ASSERT_EQ(lines.size(), 4u);
  const auto header = Json::parse(lines[0]);
  ASSERT_TRUE(header);
  EXPECT_EQ((*header)["version"].as_int(), 2);
  EXPECT_EQ((*header)["width"].as_int(), 20);
  EXPECT_EQ((*header)["height"].as_int(), 5);
  EXPECT_EQ((*header)["timestamp"].as_int(), 1000);
  EXPECT_EQ((*header)["title"].as_string(), "docs");
  EXPECT_EQ((*header)["pawl"]["offset"].as_int(), 0);
  EXPECT_EQ(lines[1], R"([0.500000, "o", "hello\u000d\u000a"])");
  EXPECT_EQ(lines[2], R"([1.750000, "x", "3"])");
  struct stat info {};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  ASSERT_EQ(::stat((dir / "rec").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
}

TEST(Recording, TakesOutputOnceAndWithoutGaps) {
  TestDir dir;
  Recording recording = open(dir.path());
  recording.output(at(100), Offset{0}, "abc");
  recording.output(at(100), Offset{0}, "abc");
  EXPECT_EQ(recording.end(), Offset{3}) << "known already";
  recording.output(at(100), Offset{5}, "fg");
  EXPECT_EQ(recording.end(), Offset{3}) << "a gap is not taken";
  recording.output(at(100), Offset{1}, "bcde");
  EXPECT_EQ(recording.end(), Offset{5}) << "only what is new of it";
  recording.output(at(100), Offset{2}, "");
  EXPECT_EQ(recording.durable(), Offset{0});
  EXPECT_TRUE(recording.dirty());
  ASSERT_TRUE(recording.flush());
  EXPECT_EQ(recording.durable(), Offset{5});
  EXPECT_FALSE(recording.dirty());
  EXPECT_EQ(all_output(dir.path()), "abcde");
}

TEST(Recording, LeavesBytesWithTheHolderWhenItsBufferIsFull) {
  TestDir dir;
  Recording recording = open(dir.path());
  const std::string block(600'000, 'x');
  uint64_t offset = 0;
  for (int i = 0; i < 4; ++i, offset += block.size())
    recording.output(at(100), Offset{offset}, block);
  EXPECT_EQ(recording.end(), Offset{1'200'000}) << "the block that crosses the limit is the last";
  ASSERT_TRUE(recording.flush());
  recording.output(at(100), Offset{1'200'000}, block);
  EXPECT_EQ(recording.end(), Offset{1'800'000});
}

TEST(Recording, InvalidBytesComeBackExactly) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  bytes += "ä€😀\xf0\x9f\x98";  // and a character that never ends
  for (const size_t chunk : {1u, 2u, 3u, 7u, 300u}) {
    TestDir one;
    Recording recording = open(one.path());
    for (size_t i = 0; i < bytes.size(); i += chunk) {
      recording.output(at(100), Offset{i}, std::string_view(bytes).substr(i, chunk));
      ASSERT_TRUE(recording.flush());
      EXPECT_LE(recording.durable(), recording.end());
    }
    EXPECT_EQ(recording.durable(), Offset{bytes.size() - 3})
        << "half a character is not in the file yet";
    recording.exited(at(100), 0);
    ASSERT_TRUE(recording.flush());
    EXPECT_EQ(recording.durable(), Offset{bytes.size()});
    EXPECT_EQ(all_output(one.path()), bytes) << chunk;
  }
}

TEST(Recording, ResizesKeepTheirPlace) {
  TestDir dir;
  {
    Recording recording = open(dir.path());
    recording.output(at(100), Offset{0}, "a\xc3");
    recording.resized(at(101), {30, 6});
    recording.resized(at(102), {30, 6});  // nothing new
    recording.output(at(103), Offset{2}, "b");
    ASSERT_TRUE(recording.flush());
  }
  EXPECT_EQ(codes_of(part_path(dir.path(), kSession, 1)), "oboro");
  Recording again = open(dir.path());
  const auto recovered = again.take_recovered();
  ASSERT_TRUE(recovered);
  ASSERT_EQ(recovered->steps.size(), 4u);
  EXPECT_EQ(recovered->steps[0].bytes + recovered->steps[1].bytes, "a\xc3");
  EXPECT_EQ(recovered->steps[2].size, (Size{30, 6}));
  EXPECT_EQ(recovered->steps[3].bytes, "b");
  EXPECT_FALSE(again.take_recovered()) << "once";
  again.resized(at(104), {30, 6});
  EXPECT_FALSE(again.dirty()) << "it knows its size";
  again.resized(at(104), kSize);
  EXPECT_TRUE(again.dirty());
}

TEST(Recording, AResizeBeforeTheKeyframeIsRemembered) {
  TestDir dir;
  {
    Recording recording = open(dir.path());
    recording.resized(at(100), {90, 9});
    recording.resized(at(100), {30, 6});
    ASSERT_TRUE(recording.keyframe(at(101), "TERMINAL", "R"));
    ASSERT_TRUE(recording.flush());
  }
  Recording again = open(dir.path());
  EXPECT_EQ(again.take_recovered()->first_size, (Size{30, 6}));
  again.resized(at(102), {30, 6});
  EXPECT_FALSE(again.dirty());
}

TEST(Recording, TimeNeverGoesBack) {
  TestDir dir;
  {
    Recording recording = open(dir.path());
    for (const double t : {105.0, 50.0, 106.0, 1.0}) recording.output(at(t), recording.end(), "x");
    ASSERT_TRUE(recording.flush());
  }
  Recording again = open(dir.path(), {}, at(2));  // the clock is still wrong after a restart
  again.output(at(2), again.end(), "x");
  ASSERT_TRUE(again.flush());
  double last = 0;
  for (const auto& event : events_of(part_path(dir.path(), kSession, 1))) {
    EXPECT_GE(event.t, last);
    last = event.t;
  }
  EXPECT_EQ(last, 6.0);
}

// A full disk at every byte of what is to be written.
TEST(Recording, AFullDiskLeavesWholeLinesAndLosesNothing) {
  const std::string first = "first line\r\n", second = "second \xff line\r\n";
  for (uint64_t room = 0; room < 140; ++room) {
    TestDir dir;
    Recording recording = open(dir.path());
    recording.output(at(100), Offset{0}, first);
    ASSERT_TRUE(recording.flush());
    const std::string path = part_path(dir.path(), kSession, 1), before = *os::read_file(path);
    recording.output(at(101), Offset{first.size()}, second);
    bool flushed = true;
    {
      FullDisk full(before.size() + room);
      flushed = recording.flush().has_value();
    }
    if (!flushed) {
      EXPECT_EQ(*os::read_file(path), before) << room;
      EXPECT_EQ(recording.durable(), Offset{first.size()});
      EXPECT_TRUE(recording.dirty());
      ASSERT_TRUE(recording.flush());
    }
    EXPECT_EQ(all_output(dir.path()), first + second);
    EXPECT_EQ(recording.durable(), Offset{first.size() + second.size()});
    EXPECT_TRUE(room > 0 || !flushed);
    EXPECT_TRUE(room < 139 || flushed);
  }
}

TEST(Recording, ANewPartBeginsWhenOneIsFull) {
  TestDir dir;
  Recording recording = open(dir.path(), {400, 1u << 30, 30});
  std::string all;
  for (int i = 0; i < 12; ++i) {
    const std::string text = "line " + std::to_string(i) + std::string(90, '.') + "\r\n";
    recording.output(at(100 + i), Offset{all.size()}, text);
    all += text;
    ASSERT_TRUE(recording.keyframe(at(100 + i), "TERMINAL" + std::to_string(i), "REPAINT"));
  }
  ASSERT_TRUE(recording.flush());
  const auto parts = parts_in(disk, dir.path());
  ASSERT_GT(parts.size(), 2u);
  for (size_t i = 0; i < parts.size(); ++i) EXPECT_EQ(parts[i].number, static_cast<int>(i) + 1);
  EXPECT_NE(os::read_file(parts[1].path)->find("REPAINT"), std::string::npos);
  EXPECT_EQ(all_output(dir.path()), all) << "the repaint is no output";
  EXPECT_EQ(recent_output(disk, dir.path(), 150), all.substr(all.size() - 150));
  EXPECT_EQ(recent_output(disk, dir.path(), 1u << 20), all);
  const auto end = read_end(disk, parts.back().path);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->recovered.end, Offset{all.size()});
}

TEST(Recording, GoesOnInTheNewestPart) {
  TestDir dir;
  {
    Recording recording = open(dir.path(), {100, 1u << 30, 30});
    recording.output(at(100), Offset{0}, "one");
    ASSERT_TRUE(recording.keyframe(at(100), "T1", "R"));
    recording.output(at(101), Offset{3}, "two");
    ASSERT_TRUE(recording.flush());
  }
  ASSERT_EQ(parts_in(disk, dir.path()).size(), 2u);
  Recording again = open(dir.path());
  EXPECT_EQ(again.end(), Offset{6});
  const auto recovered = again.take_recovered();
  ASSERT_TRUE(recovered);
  EXPECT_EQ(recovered->keyframe, "T1");
  ASSERT_EQ(recovered->steps.size(), 1u);
  EXPECT_EQ(recovered->steps[0].bytes, "two");
  again.output(at(102), Offset{6}, "three");
  ASSERT_TRUE(again.flush());
  EXPECT_EQ(all_output(dir.path()), "onetwothree");
}

void age(const std::string& path, WallTime when) {
  const timeval times[2] = {
      {std::chrono::duration_cast<std::chrono::seconds>(when.time_since_epoch()).count(), 0},
      {std::chrono::duration_cast<std::chrono::seconds>(when.time_since_epoch()).count(), 0}};
  ASSERT_EQ(::utimes(path.c_str(), times), 0);
}

TEST(Recording, OldPartsGoByAge) {
  TestDir dir;
  for (const uint64_t session : {1u, 2u}) {
    auto old = Recording::open(disk, dir.path(), "docs", SessionId{session}, kSize, at(100));
    ASSERT_TRUE(old && old->flush());
  }
  const WallTime now = at(86400 * 100);
  age(part_path(dir.path(), SessionId{1}, 1), now - std::chrono::hours{24 * 31});
  age(part_path(dir.path(), SessionId{2}, 1), now - std::chrono::hours{24 * 29});
  open(dir.path(), {8u << 20, 1u << 30, 30}, now);
  std::vector<uint64_t> left;
  for (const auto& part : parts_in(disk, dir.path())) left.push_back(part.session.value);
  EXPECT_EQ(left, (std::vector<uint64_t>{2, 7}));
}

TEST(Recording, OldPartsGoBySizeAndNeverTheOneInUse) {
  TestDir dir;
  for (uint64_t session = 1; session <= 5; ++session) {
    ASSERT_TRUE(
        os::write_atomically(part_path(dir.path(), SessionId{session}, 1), std::string(1000, 'x')));
    age(part_path(dir.path(), SessionId{session}, 1), at(90));
  }
  Recording recording = open(dir.path(), {8u << 20, 2500, 30}, at(100));
  std::vector<uint64_t> left;
  for (const auto& part : parts_in(disk, dir.path())) left.push_back(part.session.value);
  EXPECT_EQ(left, (std::vector<uint64_t>{4, 5, 7})) << "the newest stay";
}

// An agent that lives in a loop has a part for every session.
TEST(Recording, OldPartsGoByNumber) {
  TestDir dir(TestDir::memory());
  for (uint64_t session = 1000; session < 2200; ++session)
    std::ofstream(part_path(dir.path(), SessionId{session}, 1)) << "x";
  auto recording = Recording::open(disk, dir.path(), "docs", SessionId{3000}, kSize, at(100));
  ASSERT_TRUE(recording);
  const auto left = parts_in(disk, dir.path());
  ASSERT_EQ(left.size(), 1000u);
  EXPECT_EQ(left.front().session.value, 1201u);
  EXPECT_EQ(left.back().session.value, 3000u);
}

TEST(Parts, AreSortedAndOthersFilesAreNot) {
  TestDir dir;
  for (const char* name : {"0000000010-0001.cast", "0000000002-0010.cast", "0000000002-0002.cast",
                           "notes.txt", "0000000002-0002.cast.bak", "x-1.cast"})
    ASSERT_TRUE(os::write_atomically(dir / name, ""));
  std::vector<std::pair<uint64_t, int>> found;
  for (const auto& part : parts_in(disk, dir.path()))
    found.emplace_back(part.session.value, part.number);
  EXPECT_EQ(found, (std::vector<std::pair<uint64_t, int>>{{2, 2}, {2, 10}, {10, 1}}));
}

// Something is where the next part belongs: this one grows, and not a byte is held back for it.
TEST(Recording, GoesOnInItsPartWhenNoOtherCanBeBegun) {
  TestDir dir;
  RecordingLimits limits;
  limits.part_bytes = 100;
  Recording recording = open(dir / "rec", limits);
  ASSERT_TRUE(os::make_private_dir(part_path(dir / "rec", kSession, 2)));
  recording.output(at(101), Offset{0}, std::string(200, 'x'));
  ASSERT_TRUE(recording.keyframe(at(102), "terminal", "repaint"));
  ASSERT_TRUE(recording.part_trouble());
  EXPECT_NE(recording.part_trouble()->what.find("is a folder"), std::string::npos);
  recording.output(at(103), Offset{200}, "y");
  ASSERT_TRUE(recording.flush());
  EXPECT_EQ(recording.durable(), Offset{201});
  ASSERT_TRUE(os::remove_tree(part_path(dir / "rec", kSession, 2)));
  ASSERT_TRUE(recording.keyframe(at(104), "terminal", "repaint"));
  EXPECT_FALSE(recording.part_trouble());
  recording.output(at(105), Offset{201}, "z");
  ASSERT_TRUE(recording.flush());
  EXPECT_EQ(parts_in(disk, dir / "rec").size(), 2u);
  EXPECT_EQ(all_output(dir / "rec"), std::string(200, 'x') + "yz");
}

}  // namespace
}  // namespace pawl::store
