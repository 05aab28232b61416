#pragma once
// For tests: writes time zone files, good ones and broken ones.

#include <cstdint>
#include <string>
#include <vector>

namespace pawl {

struct TestTzif {
  struct Change {
    int64_t at;
    int type;
  };
  struct Leap {
    int64_t at;
    int64_t sum;
  };
  char version = '2';
  std::vector<int64_t> offsets{0};  // of the types
  std::vector<Change> changes;
  std::vector<Leap> leaps;
  std::string footer;
  uint32_t extra_times = 0;  // claimed in the header and not there

  static std::string number(int64_t value, int size) {
    std::string out;
    for (int shift = (size - 1) * 8; shift >= 0; shift -= 8)
      out += static_cast<char>(value >> shift & 0xff);
    return out;
  }

  std::string part(int time_size) const {
    std::string out = "TZif" + std::string(1, version) + std::string(15, '\0');
    out += number(0, 4) + number(0, 4) + number(static_cast<int64_t>(leaps.size()), 4);
    out += number(static_cast<int64_t>(changes.size()) + extra_times, 4);
    out += number(static_cast<int64_t>(offsets.size()), 4) + number(4, 4);
    for (const auto& change : changes) out += number(change.at, time_size);
    for (const auto& change : changes) out += static_cast<char>(change.type);
    for (const auto offset : offsets) out += number(offset, 4) + std::string(2, '\0');
    out += std::string("ABC\0", 4);
    for (const auto& leap : leaps) out += number(leap.at, time_size) + number(leap.sum, 4);
    return out;
  }

  std::string bytes() const {
    if (version == '\0') return part(4);
    TestTzif first{version, {0}, {}, {}, "", 0};
    return first.part(4) + part(8) + "\n" + footer + "\n";
  }
};

}  // namespace pawl
