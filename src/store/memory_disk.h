#pragma once
// A whole file system in memory, for the simulated world (and its faults) and for tests: folders, files, links, and pipes, sockets
// and devices that are refused with the words of the real ones. What it does and says is held to the real disk by disk_test.cpp.
//
// Time is what it was told last. A look at a known path costs a fraction of a microsecond, a file a few hundred bytes beside its
// text. Names are sorted everywhere: the same calls give the same answers. It never touches a descriptor or a clock.
//
// Not here: modes and owners (a refusal is break_writing(path, EACCES)), hard links, other file systems below a path.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "store/memory_tree.h"

namespace pawl::store {

inline constexpr size_t kHungKept = 100;  // paths that somebody would have waited for

class MemoryDisk : public Disk {
 public:
  // keep_recordings = false: of recordings only the size is kept (Appender::count). To keep what a killed daemon needs to go on, and
  // hardly more, keep them and give the engine RecordingLimits{1, 1}: a new part with every keyframe, and no old one stays.
  explicit MemoryDisk(bool keep_recordings = true) : keep_recordings_(keep_recordings) {}
  MemoryDisk(const MemoryDisk&) = delete;
  MemoryDisk& operator=(const MemoryDisk&) = delete;

  // What is written from now on has this time.
  void set_time(WallTime now) { tree_.now = now; }
  // Less than used(): full, until something is removed or it is larger again.
  void set_capacity(uint64_t bytes) { tree_.capacity = bytes; }
  uint64_t used() const { return tree_.used(); }

  // Somebody else's doing, with parents, in place of what was there: a folder, a pipe, a socket, a device, or an empty file.
  void put(const std::string& path, Kind kind);
  void put_link(const std::string& path, const std::string& target);

  // Faults of a path and everything below it, until it is mended. Reading what is there, or changing it, fails with this errno.
  void break_reading(const std::string& path, int error);
  void break_writing(const std::string& path, int error);
  // A mount whose server is gone: nobody can wait here, so it is an error at once (ETIMEDOUT), and hung() has the path. The real
  // one would have stopped the daemon for good: a checker wants this list empty.
  void hang(const std::string& path);
  void mend(const std::string& path);
  bool hangs(const std::string& path) const;
  const std::vector<std::string>& hung() const { return hung_; }

  // What it says of the machine.
  std::optional<os::MemoryUse> memory = {};
  std::vector<std::string> environment = {};

  std::optional<Entry> look(const std::string& path, bool follow) override;
  std::vector<std::string> list_dir(const std::string& path) override;
  Result<std::string> read(const std::string& path, size_t limit) override;
  std::string read_slice(const std::string& path, uint64_t offset, size_t limit) override;
  Done write_atomically(const std::string& path, std::string_view text) override;
  Done write_in_place(const std::string& path, std::string_view text) override;
  Result<std::unique_ptr<Appender>> open_append(const std::string& path) override;
  bool touch(const std::string& path) override;
  void set_modified(const std::string& path, WallTime time) override;
  Done make_private_dir(const std::string& path) override;
  Result<std::string> make_unique_dir(const std::string& prefix) override;
  bool move_file(const std::string& from, const std::string& to) override;
  Done move_anywhere(const std::string& from, const std::string& to) override;
  bool remove_file(const std::string& path) override;
  Done remove_tree(const std::string& path) override;
  Result<Space> space(const std::string& path) override;
  bool keeps_recordings() const override { return keep_recordings_; }
  std::optional<os::MemoryUse> memory_use() override { return memory; }
  MemoryStory memory_story(std::optional<int64_t> pid) override;
  std::vector<std::string> own_environment() override { return environment; }

 private:
  using Node = MemoryTree::Node;
  struct Fault {
    int read = 0, write = 0;
    bool hangs = false;
  };
  friend class MemoryAppender;

  int fault(const std::string& path, int Fault::*what);
  int make_folder(const std::string& path);
  int rename(const std::string& from, const std::string& to);
  Result<Node*> open(const std::string& path, bool make);

  bool keep_recordings_;
  MemoryTree tree_;
  uint64_t last_unique_ = 0;
  std::map<std::string, Fault> faults_;
  std::vector<std::string> hung_;
};

}  // namespace pawl::store
