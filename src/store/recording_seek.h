#pragma once
// A part of a recording as far as some instant: for `screen --at`. A part has many megabytes, so it is read in slices: first the
// heads of its lines, to find the last keyframe before that instant, then what was printed after it. Reads files and nothing else;
// the terminal is made by the caller (core/parts/live_terminal.h).

#include <optional>
#include <string>

#include "base/clock.h"
#include "store/part_file.h"
#include "store/recording_reader.h"

namespace pawl::store {

inline constexpr size_t kSeekSlice = 1u << 20;  // bytes of file whose lines are glanced at, at once
inline constexpr size_t kPlaySlice = 128u << 10;  // … and whose lines are read
inline constexpr size_t kLongestLine = 16u << 20;

// When a part begins; nothing when its header cannot be read.
std::optional<WallTime> part_begins(Disk& disk, const std::string& path);

class PartSeek {
 public:
  // Up to `until`, which is not before the part begins.
  PartSeek(Disk& disk, std::string path, WallTime until)
      : file_(disk, std::move(path)), until_(until) {}

  // One slice more.
  struct Piece {
    Recovered found;     // nothing, or the keyframe to start with, or steps that follow
    bool first = false;  // found begins: `first_size`, `keyframe`
    bool over = false;   // that was all
  };
  Result<Piece> next();
  // Of the last thing found.
  WallTime shown() const { return shown_; }
  // Why it could not read on; empty: it did.
  const std::string& damage() const { return file_.damage(); }

 private:
  enum class Stage { header, seek, play };
  std::string_view whole_lines(std::string& buffer, size_t limit);
  Result<Piece> read_header();
  Piece seek();
  Piece play();
  WallTime time_of(double t) const;

  PartFile file_;
  WallTime until_;
  Stage stage_ = Stage::header;
  WallTime start_, shown_;
  uint64_t at_ = 0;    // the next byte of the file
  uint64_t from_ = 0;  // where the keyframe's line begins, or the first event's
  bool keyframe_ = false;
  bool repaint_ = false;  // the first output of the part is none
  bool begun_ = false;
  Size size_, size_at_keyframe_;
  term::CastDecoder decoder_;
};

}  // namespace pawl::store
