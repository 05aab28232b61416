#include "store/recording_seek.h"

#include <gtest/gtest.h>

#include "base/test_dir.h"
#include "base/text.h"
#include "os/file.h"
#include "store/real_disk.h"

namespace pawl::store {
namespace {

RealDisk disk;

using std::chrono::seconds;

const WallTime kStart{seconds{1'000'000'000}};

// A recording of one part.
struct Tape {
  TestDir dir;
  std::string path = part_path(dir.path(), SessionId{1}, 1);

  explicit Tape(const std::string& lines) {
    term::CastHeader header;
    header.size = {20, 5};
    header.extra = Json::object({{"start_us", int64_t{kStart.time_since_epoch().count()}},
                                 {"repaint", false},
                                 {"offset", 0}});
    EXPECT_TRUE(os::write_atomically(path, term::cast_line(header) + lines));
  }
  // Everything found, as one text: "[keyframe]" and output and sizes; empty steps are left out.
  std::string until(double s, WallTime* shown = nullptr) const {
    PartSeek seek(disk, path,
                  kStart + std::chrono::round<Duration>(std::chrono::duration<double>(s)));
    std::string out;
    for (int i = 0; i < 1000; ++i) {
      const auto piece = seek.next();
      if (!piece) return text_of(piece.error());
      if (piece->first) out += std::to_string(piece->found.first_size.cols) + ":";
      if (!piece->found.keyframe.empty()) out += "[" + piece->found.keyframe + "]";
      for (const auto& step : piece->found.steps)
        out += step.size ? "<" + std::to_string(step.size->cols) + ">" : step.bytes;
      if (shown) *shown = seek.shown();
      if (piece->over) return out;
    }
    return "endless";
  }
};

std::string o(double t, const std::string& text) {
  return term::cast_line(t, 'o', text);
}
std::string k(double t, const std::string& terminal) {
  return term::cast_line(t, 'k', "7 " + base64(terminal));
}

TEST(PartSeek, StopsAtTheInstant) {
  const Tape tape(o(1, "a") + o(2, "b") + o(3, "c"));
  WallTime shown;
  EXPECT_EQ(tape.until(0.5), "20:");
  EXPECT_EQ(tape.until(1), "20:a");
  EXPECT_EQ(tape.until(2.5, &shown), "20:ab");
  EXPECT_EQ(shown, kStart + seconds{2});
  EXPECT_EQ(tape.until(99), "20:abc");
  EXPECT_EQ(part_begins(disk, tape.path), kStart);
}

TEST(PartSeek, BeginsWithTheLastKeyframeBeforeIt) {
  const Tape tape(o(1, "a") + term::cast_line(2, 'r', "30x5") + k(3, "K1") + o(4, "b") +
                  k(5, "K2") + o(6, "c"));
  EXPECT_EQ(tape.until(2.5), "20:a<30>");
  EXPECT_EQ(tape.until(3), "30:[K1]");
  EXPECT_EQ(tape.until(4.5), "30:[K1]b");
  EXPECT_EQ(tape.until(7), "30:[K2]c");
}

TEST(PartSeek, BytesThatAreNoText) {
  const Tape tape(term::cast_line(1, 'b', base64("\xff\xfe")) + o(1, "??") + o(2, "z"));
  EXPECT_EQ(tape.until(3), "20:\xff\xfez");
}

TEST(PartSeek, LongFilesComeInSlicesAndLoseNothing) {
  std::string lines, all;
  for (int i = 0; i < 5000; ++i) {
    const std::string text = std::to_string(i) + std::string(static_cast<size_t>(i % 1000), 'x');
    lines += o(i, text);
    if (i > 2000) all += text;
    if (i == 2000) lines += k(i, "K");
  }
  const Tape tape(lines);
  ASSERT_GT(lines.size(), 2 * kSeekSlice);
  EXPECT_EQ(tape.until(9999), "20:[K]" + all);
}

TEST(PartSeek, ALineLongerThanASlice) {
  const std::string much(kSeekSlice + 12345, 'y');
  const Tape tape(o(1, "a") + o(2, much) + o(3, "b"));
  EXPECT_EQ(tape.until(5), "20:a" + much + "b");
}

TEST(PartSeek, DamagedLinesAndHalfLinesAreLeftOut) {
  const Tape tape(o(1, "a") + "what is this\n[, \"o\"\n[2\n" + o(3, "b") + "[4.0, \"o\", \"cut");
  EXPECT_EQ(tape.until(9), "20:ab");
  TestDir dir;
  const std::string path = dir.path() + "/x.cast";
  EXPECT_FALSE(part_begins(disk, path));
  ASSERT_TRUE(os::write_atomically(path, "{\"version\":2,\"width\":80,\"height\":24}\n"));
  EXPECT_FALSE(part_begins(disk, path)) << "nobody knows when it began";
  EXPECT_FALSE(PartSeek(disk, path, kStart).next());
}

}  // namespace
}  // namespace pawl::store
