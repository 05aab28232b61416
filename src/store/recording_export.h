#pragma once
// Parts of recordings as one plain asciicast v2, for players and for people who pass it on (`pawl export`): times go on from part to part,
// and what is Pawl's own is left out: keyframes, exact bytes, the repaint that a later part begins with. A session that follows another
// one begins with an empty terminal of its size.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/part_file.h"
#include "store/recording_reader.h"

namespace pawl::store {

inline constexpr size_t kExportSlice = 256u << 10;  // of a part, at once

class Export {
 public:
  Export(Disk& disk, std::vector<Part> parts);

  // Some more of it; nothing: that was all.
  std::optional<std::string> next();
  // Why something is missing in it; empty: nothing is, as far as it was read.
  const std::string& damage() const { return damage_; }

 private:
  void begin_part();
  std::string lines(std::string_view text);
  std::string header(std::string_view line);
  std::string event(std::string_view line);
  std::string own_event(char code, std::string_view data);

  Disk* disk_;
  std::vector<Part> parts_;
  size_t part_ = 0;
  PartFile file_;
  uint64_t at_ = 0;       // of the part
  bool repaint_ = false;  // the next output only paints what was seen already
  bool goes_on_ = false;  // this part follows the last one without a gap
  bool written_ = false;  // the header is
  WallTime begin_;        // of the whole
  double offset_ = 0;     // of this part's times
  double last_ = 0;
  Size size_;
  std::string damage_;
};

}  // namespace pawl::store
