#pragma once
// Parts of recordings that are finished are compressed: SESSION-PART.cast becomes SESSION-PART.cast.zst, of frames that stand alone. Who
// reads them (part_file.h) does not notice.
//
// In two steps, for a daemon that does not wait (daemon/packer.h): what takes a while makes a file beside the part, on another thread;
// then the loop, which writes recordings, looks whether the part is still what it was, and puts the new file in its place. Killed in
// between, the plain part is there and counts, and everything is done again. A part that is written again after all, because its
// terminal lives, is unpacked first.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "store/recording_reader.h"

namespace pawl::store {

// What was written a moment ago may be read or gone on with at once.
inline constexpr Duration kPackAfter = std::chrono::seconds{60};
inline constexpr size_t kFrameBytes = 1u
                                      << 20;  // of text: what a look at one instant has to unpack
inline constexpr int kPackLevel = 3;
// … and of short ones, of which there is little to be alike: a few hundredths of a second.
inline constexpr uint64_t kShortPart = 256u << 10;
inline constexpr int kShortPackLevel = 19;

struct ToPack {
  std::vector<Part> now;          // oldest first
  std::optional<WallTime> later;  // when the next one may be
};
// The finished parts in `dir` that are not compressed. The last part of an `open` session is not finished. Removes what a kill left.
ToPack parts_to_pack(Disk& disk, const std::string& dir, const std::set<SessionId>& open,
                     WallTime now);

struct Packed {
  std::string path;  // of the part
  uint64_t plain_bytes = 0, packed_bytes = 0;
};
// The first step: reads the part and writes a file of its own. The part stays as it is.
Result<Packed> pack_beside(Disk& disk, const std::string& path);
// The second step. An error: the part has changed meanwhile, or the disk does not let us; it stays plain.
Done put_packed(Disk& disk, const Packed& packed);
// It was not wanted after all.
void drop_packed(Disk& disk, const Packed& packed);

// The part is plain again, as far as it can be read. A damaged file is kept aside (….zst.damaged).
Done unpack(Disk& disk, const std::string& path);

}  // namespace pawl::store
