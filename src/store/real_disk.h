#pragma once
// The machine's own files (os/file.h). Has no state: whoever needs one makes one.

#include "store/disk.h"

namespace pawl::store {

class RealDisk : public Disk {
 public:
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
  std::optional<os::MemoryUse> memory_use() override;
  MemoryStory memory_story(std::optional<int64_t> pid) override;
  std::vector<std::string> own_environment() override;
};

}  // namespace pawl::store
