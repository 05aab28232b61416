#pragma once
// Text to zstd and back: for recordings (store/part_file.h, cli/classify). What is compressed here are frames that stand alone, one after
// the other: whoever wants the end of a long text unpacks the frames it is in. What is read may be anybody's: cut, damaged, or made to
// fill the memory. Nothing here grows above the limit it is given, and what can be read before the damage is read.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::os {

bool is_zstd(std::string_view begin);  // by its first bytes

// One frame, with its size and a checksum in it.
std::string zstd_frame(std::string_view text, int level);

struct Unpacked {
  std::string text;
  std::string damage;  // why there is no more of it; empty: that is all
};
Unpacked zstd_text(std::string_view packed, size_t limit);

// Where the frames are, found without unpacking them (but one that is cut, or does not say its size).
struct ZstdIndex {
  struct Frame {
    size_t at = 0, bytes = 0;          // of what is packed
    uint64_t plain_at = 0, plain = 0;  // of the text
  };
  std::vector<Frame> frames;
  uint64_t plain = 0;
  std::string damage;
};
ZstdIndex zstd_index(std::string_view packed, uint64_t limit);

}  // namespace pawl::os
