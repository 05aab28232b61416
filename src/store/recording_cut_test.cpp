// A daemon killed in the middle of a write leaves a file cut at any byte. Here it is cut at every byte in turn.

#include <gtest/gtest.h>

#include <filesystem>

#include "base/test_dir.h"
#include "os/file.h"
#include "store/real_disk.h"
#include "store/recording.h"
#include "store/recording_reader.h"
#include "term/paint.h"
#include "term/terminal.h"

namespace pawl::store {
namespace {

RealDisk disk;

constexpr SessionId kSession{7};
constexpr Size kSize{20, 4};
constexpr WallTime kNow{Duration{1'000'000'000}};

const std::vector<std::string>& chunks() {
  static const std::vector<std::string> all{
      "\x1b[31mred\x1b[0m ä", "€ \xe2\x82", "\xac \xff\xfe bad\r\n",
      "\x1b[2;3Hthere\x1b[",  "1mbold",     "\r\nüber\xf0\x9f",
      "\x98\x80 end"};
  return all;
}

std::string everything() {
  std::string bytes;
  for (const auto& chunk : chunks()) bytes += chunk;
  return bytes;
}

// The terminal that a recording describes.
term::Terminal terminal_of(const Recovered& recovered) {
  term::Terminal terminal(recovered.first_size);
  if (!recovered.keyframe.empty()) terminal = *term::Terminal::restore(recovered.keyframe);
  for (const auto& step : recovered.steps) {
    if (step.size)
      terminal.resize(*step.size);
    else
      terminal.feed(step.bytes);
  }
  terminal.take_answers();
  return terminal;
}

Recording open(const std::string& dir, RecordingLimits limits) {
  auto recording = Recording::open(disk, dir, "docs", kSession, kSize, kNow, limits);
  EXPECT_TRUE(recording) << text_of(recording.error());
  return std::move(*recording);
}

// Feeds everything from the recording's durable end on, with a keyframe after every third chunk.
void feed(Recording& recording, term::Terminal terminal) {
  uint64_t offset = 0;
  uint64_t seen = recording.end().value;
  int count = 0;
  for (const auto& chunk : chunks()) {
    recording.output(kNow, Offset{offset}, chunk);
    offset += chunk.size();
    if (offset > seen) {
      terminal.feed(std::string_view(chunk).substr(
          chunk.size() - std::min<uint64_t>(chunk.size(), offset - seen)));
      seen = offset;
    }
    if (++count % 3 == 0 && recording.end().value == offset) {
      ASSERT_TRUE(
          recording.keyframe(kNow, terminal.serialise(), term::ansi_text(terminal.screen())));
    }
    ASSERT_TRUE(recording.flush());
  }
  recording.exited(kNow, 0);
  ASSERT_TRUE(recording.flush());
}

term::Terminal undisturbed() {
  term::Terminal terminal(kSize);
  terminal.feed(everything());
  terminal.take_answers();
  return terminal;
}

void check_complete(const std::string& dir, size_t cut) {
  ASSERT_EQ(output_of(disk, parts_in(disk, dir)), everything()) << "cut at " << cut;
  const auto end = read_end(disk, parts_in(disk, dir).back().path);
  ASSERT_TRUE(end);
  ASSERT_EQ(terminal_of(end->recovered).screen().text(), undisturbed().screen().text())
      << "cut at " << cut;
  ASSERT_EQ(end->recovered.end.value, everything().size());
}

// Cuts the newest part of a finished recording at every length and goes on from there.
void cut_everywhere(RecordingLimits limits, size_t parts) {
  TestDir dir;
  {
    Recording recording = open(dir / "whole", limits);
    feed(recording, term::Terminal(kSize));
  }
  ASSERT_EQ(parts_in(disk, dir / "whole").size(), parts);
  const std::string last = parts_in(disk, dir / "whole").back().path;
  const std::string name = std::filesystem::path(last).filename();
  const std::string whole = *os::read_file(last);
  for (size_t cut = 0; cut <= whole.size(); ++cut) {
    std::filesystem::remove_all(dir / "cut");
    std::filesystem::copy(dir / "whole", dir / "cut");
    std::filesystem::resize_file(dir / "cut" + "/" + name, cut);
    Recording recording = open(dir / "cut", limits);
    ASSERT_LE(recording.durable().value, everything().size());
    ASSERT_EQ(recording.durable(), recording.end());
    const auto recovered = recording.take_recovered();
    term::Terminal expected(kSize);
    expected.feed(std::string_view(everything()).substr(0, recording.end().value));
    term::Terminal terminal = recovered ? terminal_of(*recovered) : term::Terminal(kSize);
    ASSERT_EQ(terminal.screen().text(), expected.screen().text()) << "cut at " << cut;
    feed(recording, std::move(terminal));
    check_complete(dir / "cut", cut);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(RecordingCut, AtEveryByteLosesNothing) {
  cut_everywhere({}, 1);
}

TEST(RecordingCut, AtEveryByteOfALaterPartLosesNothing) {
  cut_everywhere({300, 1u << 30, 30}, 3);
}

// The same as a direct feed: what a keyframe leaves out would show here.
TEST(RecordingCut, AKeyframeAndItsRestEqualADirectFeed) {
  TestDir dir;
  Recording recording = open(dir.path(), {});
  feed(recording, term::Terminal(kSize));
  const auto end = read_end(disk, parts_in(disk, dir.path()).back().path);
  ASSERT_TRUE(end);
  ASSERT_FALSE(end->recovered.keyframe.empty());
  ASSERT_LT(end->recovered.steps.size(), chunks().size())
      << "only what follows the keyframe is read";
  EXPECT_EQ(terminal_of(end->recovered).serialise(), undisturbed().serialise());
}

TEST(ReadEnd, SkipsDamagedLinesAndRefusesDamagedHeaders) {
  TestDir dir;
  const std::string path = part_path(dir.path(), kSession, 1);
  {
    Recording recording = open(dir.path(), {});
    recording.output(kNow, Offset{0}, "one");
    ASSERT_TRUE(recording.flush());
  }
  const std::string good = *os::read_file(path);
  ASSERT_TRUE(os::write_atomically(
      path, good + "rubbish\n[1, \"o\"]\n[2.0, \"o\", \"two\"]\n[3.0, \"o\", \"hal"));
  const auto end = read_end(disk, path);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->recovered.end, Offset{6});
  EXPECT_EQ(end->whole_bytes, os::file_size(path) - std::string("[3.0, \"o\", \"hal").size());
  EXPECT_EQ(output_of(disk, parts_in(disk, dir.path())), "onetwo");

  for (const std::string& text :
       {std::string(), std::string("{\"version\": 2"), std::string("no json\n"),
        std::string("{\"version\": 9}\n"), std::string(3, '\0') + "\n"}) {
    ASSERT_TRUE(os::write_atomically(path, text));
    EXPECT_FALSE(read_end(disk, path)) << text;
  }
  EXPECT_FALSE(read_end(disk, dir / "missing"));
}

TEST(ReadEnd, ADamagedKeyframeIsNotTaken) {
  TestDir dir;
  const std::string path = part_path(dir.path(), kSession, 1);
  {
    Recording recording = open(dir.path(), {});
    recording.output(kNow, Offset{0}, "one");
    ASSERT_TRUE(recording.flush());
  }
  for (const char* bad : {"[1.0, \"k\", \"3\"]\n", "[1.0, \"k\", \"3 ***\"]\n"}) {
    TestDir other;
    const std::string copy = part_path(other.path(), kSession, 1);
    ASSERT_TRUE(os::write_atomically(copy, *os::read_file(path) + bad));
    const auto end = read_end(disk, copy);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->recovered.end, Offset{3}) << bad << "the bytes before it still count";
  }
}

}  // namespace
}  // namespace pawl::store
