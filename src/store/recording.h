#pragma once
// Every byte a terminal printed, as asciicast v2 files (doc/recording.md): AGENT/rec/SESSION-PART.cast.
//
// The recording is also the daemon's memory of the output: bytes are acknowledged to the holder only when they are in the
// file, and after a kill -9 the file says at which offset to go on. A keyframe (the whole terminal) every 256 KiB of
// output keeps that look short.
//
// A part that is finished may be compressed by others (recording_pack.h); the one that is written never is. One that is written again
// after all, because a terminal lives longer than was thought, is made plain first.
//
// On a disk that does not keep recordings (the simulated world's, when it is asked to save memory) everything is the same, sizes and
// parts as well, but for what is in the file: its header, and how far it has come. Who opens it again finds the offset, and an empty
// screen.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/units.h"
#include "store/disk.h"
#include "term/cast.h"

namespace pawl::store {

inline constexpr uint64_t kKeyframeEvery = 256u << 10;  // bytes of output
inline constexpr uint64_t kPartLimit = 8u << 20;        // bytes of file before the next part
inline constexpr size_t kBufferLimit =
    1u << 20;  // lines not yet written; then bytes are left with the holder

struct RecordingLimits {
  uint64_t part_bytes = kPartLimit;
  uint64_t agent_bytes = 512u << 20;  // all parts of one agent; the oldest go first
  double max_age_days = 30;
};

// What a recording of an earlier life of the daemon says about the terminal now.
struct Recovered {
  struct Step {
    std::string bytes;         // output …
    std::optional<Size> size;  // … or a resize
  };
  Offset end;            // of the recorded output
  Size first_size;       // of the terminal at the keyframe, or at the start
  std::string keyframe;  // empty: start with an empty terminal
  std::vector<Step> steps;
  double last_t = 0;
};

class Recording {
 public:
  // Starts a recording, or goes on with the one of that session after its last whole line.
  static Result<Recording> open(Disk& disk, const std::string& dir, const std::string& agent,
                                SessionId session, Size size, WallTime now,
                                RecordingLimits limits = {});

  // The state of the earlier recording, once; nothing for a new one.
  std::optional<Recovered> take_recovered() { return std::exchange(recovered_, std::nullopt); }

  // Output from `offset` on. What is known already is skipped; what leaves a gap, or is too much at once, is not taken:
  // the caller sees end() stay behind and asks the holder again after a flush.
  void output(WallTime now, Offset offset, std::string_view bytes);
  // The bytes before `offset` are gone for ever (somebody deleted the files they were in): goes on after them.
  // `terminal` as for keyframe().
  void skip_to(WallTime now, Offset offset, std::string_view terminal);
  void resized(WallTime now, Size size);
  void exited(WallTime now, int exit_code);

  bool keyframe_due() const { return end_.value - last_keyframe_.value >= kKeyframeEvery; }
  // `terminal` is the terminal exactly at end(). Also starts the next part when this one is full; `repaint` is what
  // a person's player needs to show it.
  Done keyframe(WallTime now, std::string_view terminal, std::string_view repaint);

  // Why the next part could not be begun when it was due: this one grows, and it is tried again with the next keyframe.
  const std::optional<Error>& part_trouble() const { return part_trouble_; }

  // Everything so far into the file. After a failure the file ends with a whole line and nothing is lost: try again.
  Done flush();

  Offset end() const { return end_; }          // taken
  Offset durable() const { return durable_; }  // in the file
  bool dirty() const { return waiting() > 0; }
  // False: its program has ended, everything is in the file, and the file is closed.
  bool writing() const { return file_ != nullptr; }
  // Since the last call a part was finished, by the next one or by the end.
  bool take_finished() { return std::exchange(finished_, false); }
  size_t waiting() const { return buffer_.size() + counted_; }

 private:
  explicit Recording(Disk& disk) : disk_(&disk), counts_(!disk.keeps_recordings()) {}
  Done begin_part(WallTime now, std::string_view terminal, std::string_view repaint);
  Done resume(const std::string& path);
  double seconds(WallTime now);
  void put(std::string_view lines);
  Done reopen();
  Done write_lines();
  void add_keyframe(WallTime now, std::string_view terminal);
  void drop_old_parts(WallTime now);

  Disk* disk_;
  bool counts_;  // what is written is not kept
  std::string dir_, agent_;
  SessionId session_;
  RecordingLimits limits_;
  Size size_;
  int part_ = 0;
  std::unique_ptr<Appender> file_;  // none: it is over and closed
  bool over_ = false;               // the program has ended
  bool finished_ = false;
  std::string path_;
  uint64_t file_bytes_ = 0;
  WallTime part_start_;
  double last_t_ = 0;
  term::CastEncoder encoder_;
  std::string buffer_;
  size_t counted_ = 0;  // … or only how long it would be
  Offset end_, durable_, last_keyframe_;
  std::optional<Recovered> recovered_;
  std::optional<Error> part_trouble_;
};

}  // namespace pawl::store
