#include "store/real_disk.h"

#include "os/file.h"
#include "os/oom.h"
#include "os/process.h"

namespace pawl::store {
namespace {

class RealAppender : public Appender {
 public:
  RealAppender(os::Fd fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}
  Done append(std::string_view bytes) override { return os::write_all(fd_.get(), bytes, path_); }
  Done cut(uint64_t size) override { return os::cut_file(fd_.get(), size, path_); }
  Done count(uint64_t, std::string_view) override {
    return fail("cannot write " + path_ + ": this disk keeps what it is given");
  }

 private:
  os::Fd fd_;
  std::string path_;
};

}  // namespace

std::optional<Entry> RealDisk::look(const std::string& path, bool follow) {
  return os::look(path, follow);
}

std::vector<std::string> RealDisk::list_dir(const std::string& path) {
  return os::list_dir(path);
}

Result<std::string> RealDisk::read(const std::string& path, size_t limit) {
  return os::read_file(path, limit);
}

std::string RealDisk::read_slice(const std::string& path, uint64_t offset, size_t limit) {
  return os::read_slice(path, offset, limit);
}

Done RealDisk::write_atomically(const std::string& path, std::string_view text) {
  return os::write_atomically(path, text);
}

Done RealDisk::write_in_place(const std::string& path, std::string_view text) {
  return os::write_in_place(path, text);
}

Result<std::unique_ptr<Appender>> RealDisk::open_append(const std::string& path) {
  auto fd = os::open_append(path);
  if (!fd) return tl::unexpected(fd.error());
  return std::make_unique<RealAppender>(std::move(*fd), path);
}

bool RealDisk::touch(const std::string& path) {
  return os::touch(path);
}

void RealDisk::set_modified(const std::string& path, WallTime time) {
  os::set_modified(path, time);
}

Done RealDisk::make_private_dir(const std::string& path) {
  return os::make_private_dir(path);
}

Result<std::string> RealDisk::make_unique_dir(const std::string& prefix) {
  return os::make_unique_dir(prefix);
}

bool RealDisk::move_file(const std::string& from, const std::string& to) {
  return os::move_file(from, to);
}

Done RealDisk::move_anywhere(const std::string& from, const std::string& to) {
  return os::move_anywhere(from, to);
}

bool RealDisk::remove_file(const std::string& path) {
  return os::remove_file(path);
}

Done RealDisk::remove_tree(const std::string& path) {
  return os::remove_tree(path);
}

Result<Space> RealDisk::space(const std::string& path) {
  return os::disk_space(path);
}

std::optional<os::MemoryUse> RealDisk::memory_use() {
  return os::memory_use();
}

Disk::MemoryStory RealDisk::memory_story(std::optional<int64_t> pid) {
  MemoryStory story;
  story.peak_mb = os::memory_peak_mb();
  if (!pid) return story;
  story.kills = os::oom_kills();
  const auto word = os::oom_record(static_cast<pid_t>(*pid));
  story.for_memory = word.readable && !word.text.empty();
  story.kernel = !word.readable      ? "its log cannot be read"
                 : word.text.empty() ? "says nothing about it"
                                     : word.text;
  return story;
}

std::vector<std::string> RealDisk::own_environment() {
  return os::own_environment();
}

}  // namespace pawl::store
