#pragma once
// One part of a recording as text, whichever way it lies on the disk: plain, as SESSION-PART.cast, or compressed when it was finished,
// as SESSION-PART.cast.zst (recording_pack.h). Everybody who reads parts reads them here, by their plain name; a part that is compressed
// while it is read goes on at the same place. When both are there the plain one counts: a kill came between making one and removing the
// other.
//
// A compressed part may be cut or damaged: what can be read before that is given, and damage() says so.

#include <optional>
#include <string>

#include "base/result.h"
#include "os/zstd.h"
#include "store/disk.h"

namespace pawl::store {

inline constexpr const char* kPackedEnding = ".zst";
inline constexpr size_t kMaxPartBytes = 256u << 20;  // a part is 8 MiB and a line; more is not ours
inline constexpr size_t kMaxUnpacked = 64u << 20;    // … and larger ones are not compressed

// What lies there: the plain file, or else the compressed one.
std::optional<Entry> look_at_part(Disk& disk, const std::string& path);
// In either form; true: one was there.
bool remove_part(Disk& disk, const std::string& path);
// All of it. `damage`: where to say what is wrong with it.
Result<std::string> read_part(Disk& disk, const std::string& path, std::string* damage = nullptr);
// Its first bytes, at most `limit`, without unpacking the rest.
std::string part_head(Disk& disk, const std::string& path, size_t limit);

// For who reads on and on. Holds one compressed part, and one unpacked frame of it.
class PartFile {
 public:
  PartFile() = default;
  PartFile(Disk& disk, std::string path) : disk_(&disk), path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  // At most `limit` bytes from `offset` of the text on; empty: there are none (any more).
  std::string read(uint64_t offset, size_t limit);
  uint64_t size();
  // Why it cannot be read to its end, as far as is known by now; empty: it can.
  const std::string& damage() const { return damage_; }

 private:
  bool plain() const { return disk_->exists(path_); }
  bool load();
  const std::string& frame(size_t number);

  Disk* disk_ = nullptr;
  std::string path_;
  std::string packed_;  // all of it, when it is not plain
  os::ZstdIndex index_;
  bool loaded_ = false;
  std::optional<size_t> held_;  // the frame that is unpacked
  std::string frame_;
  std::string damage_;
};

}  // namespace pawl::store
