#pragma once
// Files, as far as the store needs them: the third seam. The daemon's is the machine's (store/real_disk.h). The simulated world's
// is in memory (store/memory_disk.h): a thousand agents' folders for a night of made-up time, a disk that is full and empty again,
// files that cannot be read, pipes where files should be, a home that somebody deleted. disk_test.cpp holds the two to the same list
// of promises and words.
//
// Nobody waits here: what is no file is refused, never opened (os/file.h). Everything written is private, and whole where it says so.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "os/entry.h"
#include "os/memory.h"

namespace pawl::store {

using os::Entry;
using os::Kind;
using os::Space;

// A file that is written at its end. Closed with the object. It goes on when its name is taken away, as an open file does.
class Appender {
 public:
  virtual ~Appender() = default;
  // All of it, or an error; the file may then hold a part.
  virtual Done append(std::string_view bytes) = 0;
  // What is longer is cut off.
  virtual Done cut(uint64_t size) = 0;
  // Only on a disk that does not keep recordings: the file is longer by so many bytes, which are dropped. Who reads it finds what
  // was appended before anything was counted, and `end` behind it.
  virtual Done count(uint64_t bytes, std::string_view end) = 0;
};

class Disk {
 public:
  virtual ~Disk() = default;

  // False: it did not when it was asked last (patient_disk.h), and what is said of it may be old.
  virtual bool answers(const std::string& path) { return (void)path, true; }

  // What lies there; nothing: there is nothing. `follow`: a link is what it leads to.
  virtual std::optional<Entry> look(const std::string& path, bool follow) = 0;
  bool exists(const std::string& path) { return look(path, true).has_value(); }
  bool is_dir(const std::string& path);
  bool is_link(const std::string& path);
  uint64_t file_size(const std::string& path);  // 0 when it is gone
  // A file, and not a pipe, a folder or a link to somewhere: what it is safe to open.
  std::optional<Entry> plain_file(const std::string& path);
  // "a named pipe", "a folder": why it is not read. Nothing: it is a file, or nothing is there.
  std::optional<std::string> not_a_file(const std::string& path);
  // Sorted names; empty when it cannot be read.
  virtual std::vector<std::string> list_dir(const std::string& path) = 0;

  virtual Result<std::string> read(const std::string& path, size_t limit) = 0;
  Result<std::string> read_file(const std::string& path) { return read(path, os::kFileBytes); }
  // At most `limit` bytes from `offset` on; empty when there are none, the file is gone, or it is none.
  virtual std::string read_slice(const std::string& path, uint64_t offset, size_t limit) = 0;

  // A reader sees the old text or the new one.
  virtual Done write_atomically(const std::string& path, std::string_view text) = 0;
  // Over the file's first bytes, all at once; what is longer keeps its end.
  virtual Done write_in_place(const std::string& path, std::string_view text) = 0;
  // Made when it is missing.
  virtual Result<std::unique_ptr<Appender>> open_append(const std::string& path) = 0;
  // Makes it when it is not there; its time is now.
  virtual bool touch(const std::string& path) = 0;
  virtual void set_modified(const std::string& path, WallTime time) = 0;

  // With its parents. Fine when it is there already.
  virtual Done make_private_dir(const std::string& path) = 0;
  // A new one with that beginning and a dot; gives its path.
  virtual Result<std::string> make_unique_dir(const std::string& prefix) = 0;
  virtual bool move_file(const std::string& from, const std::string& to) = 0;  // within one disk
  // Also to another disk: then it is copied, and the original goes when the copy is safe there.
  virtual Done move_anywhere(const std::string& from, const std::string& to) = 0;
  virtual bool remove_file(const std::string& path) = 0;  // true: it was there, and is gone
  virtual Done remove_tree(const std::string& path) = 0;
  virtual Result<Space> space(const std::string& path) = 0;

  // False: recordings are counted, not kept (Appender::count).
  virtual bool keeps_recordings() const { return true; }

  // What else the store asks the machine, which a made-up night must not depend on.
  virtual std::optional<os::MemoryUse> memory_use() = 0;
  struct MemoryStory {
    std::string kernel;       // its word about the end of `pid`
    bool for_memory = false;  // … which was for want of memory
    std::optional<uint64_t> kills, peak_mb;
  };
  virtual MemoryStory memory_story(std::optional<int64_t> pid) = 0;  // none: nothing was killed
  virtual std::vector<std::string> own_environment() = 0;
};

}  // namespace pawl::store
