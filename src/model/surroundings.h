#pragma once
// What a look around sees before an agent's program is started.

#include <cstdint>
#include <string>

namespace pawl::model {

struct Surroundings {
  bool dir = true;            // its folder is there
  bool resumable = true;      // there is a conversation to go on with
  int64_t transcript_mb = 0;  // the largest of its conversations
  int memory_pct = -1;        // used of what there is; not known: -1
  std::string memory_of;      // … of what: "the container's 2048 MB"
  int64_t disk_mb = -1;       // free where its files are; not known: -1
  bool operator==(const Surroundings&) const = default;
};

// Of what is too large: a transcript is large, and too much where memory is short (O2).
inline constexpr int kLargePart = 4;

}  // namespace pawl::model
