#include "store/recording_export.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "store/memory_disk.h"
#include "store/recording_pack.h"

namespace pawl::store {
namespace {

using std::chrono::seconds;

constexpr Size kSize{20, 5};
const std::string kDir = "/home/somebody/agents/a/rec";
const WallTime kNow{seconds{1'794'000'000}};

struct Shelf {
  MemoryDisk disk;

  Shelf() { disk.set_time(kNow); }
  Recording open(SessionId session, int second, Size size = kSize) {
    auto recording = Recording::open(disk, kDir, "a", session, size, kNow + seconds{second},
                                     RecordingLimits{1, 1u << 30, 30});
    EXPECT_TRUE(recording);
    return std::move(*recording);
  }
  std::string all(std::string* damage = nullptr) {
    Export reader(disk, parts_in(disk, kDir));
    std::string out;
    while (const auto more = reader.next()) out += *more;
    if (damage) *damage = reader.damage();
    return out;
  }
};

// "time code data", a line each, without the header.
std::string events(const std::string& text) {
  std::string out;
  for (const auto& line : split(text, '\n')) {
    const auto event = term::parse_cast_event(line);
    if (event) out += std::to_string(static_cast<int>(event->t)) + event->code + event->data + "\n";
  }
  return out;
}

// Every keyframe begins a part.
void two_parts(Shelf& shelf) {
  Recording one = shelf.open(SessionId{1}, 0);
  one.output(kNow + seconds{1}, Offset{0}, "one\xff");
  ASSERT_TRUE(one.keyframe(kNow + seconds{5}, "TERMINAL", "REPAINT"));
  one.output(kNow + seconds{6}, one.end(), "two");
  one.resized(kNow + seconds{7}, {30, 5});
  one.exited(kNow + seconds{8}, 0);
  ASSERT_TRUE(one.flush());
}

TEST(Export, PartsBecomeOneAsciicast) {
  Shelf shelf;
  two_parts(shelf);
  ASSERT_EQ(parts_in(shelf.disk, kDir).size(), 2u);
  const std::string text = shelf.all();
  const auto header = Json::parse(text.substr(0, text.find('\n')));
  ASSERT_TRUE(header);
  EXPECT_EQ((*header)["version"].as_int(), 2);
  EXPECT_EQ((*header)["width"].as_int(), 20);
  EXPECT_FALSE(header->has("pawl"));
  EXPECT_EQ(events(text), "1oone\xEF\xBF\xBD\n6otwo\n7r30x5\n");
}

TEST(Export, AnotherSessionBeginsWithAnEmptyTerminalOfItsSize) {
  Shelf shelf;
  two_parts(shelf);
  {
    Recording next = shelf.open(SessionId{2}, 100, {40, 5});
    next.output(kNow + seconds{101}, Offset{0}, "three");
    ASSERT_TRUE(next.flush());
  }
  EXPECT_EQ(events(shelf.all()),
            "1oone\xEF\xBF\xBD\n6otwo\n7r30x5\n100o\x1b"
            "c\n100r40x5\n101othree\n");
}

TEST(Export, WhatIsLeftOfARecordingBeginsWithItsRepaint) {
  Shelf shelf;
  two_parts(shelf);
  remove_part(shelf.disk, part_path(kDir, SessionId{1}, 1));
  EXPECT_EQ(events(shelf.all()), "0oREPAINT\n1otwo\n2r30x5\n");
}

TEST(Export, CompressedPartsAreTheSameAndDamagedOnesAreSaid) {
  Shelf shelf;
  two_parts(shelf);
  const std::string before = shelf.all();
  for (const auto& part : parts_in(shelf.disk, kDir))
    ASSERT_TRUE(put_packed(shelf.disk, *pack_beside(shelf.disk, part.path)));
  std::string damage;
  EXPECT_EQ(shelf.all(&damage), before);
  EXPECT_EQ(damage, "");
  const std::string first = part_path(kDir, SessionId{1}, 1) + kPackedEnding;
  const std::string packed = *shelf.disk.read(first, 1u << 20);
  ASSERT_TRUE(shelf.disk.write_atomically(first, packed.substr(0, packed.size() - 6)));
  EXPECT_NE(shelf.all(&damage).find("two"), std::string::npos) << "the other parts are there";
  EXPECT_NE(damage.find("cut off"), std::string::npos) << damage;
}

}  // namespace
}  // namespace pawl::store
