#include "store/memory_disk.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>

#include "os/mount.h"

namespace pawl::store {

class MemoryAppender : public Appender {
 public:
  MemoryAppender(MemoryDisk& disk, MemoryTree::Node& node, std::string path)
      : disk_(disk), node_(node), path_(std::move(path)) {
    disk_.tree_.open(node_);
  }
  ~MemoryAppender() override { disk_.tree_.close(node_); }

  Done append(std::string_view bytes) override {
    if (bytes.empty()) return {};
    const int error = refused();
    return wrote(error != 0 ? error : disk_.tree_.grow(node_, bytes));
  }
  Done count(uint64_t bytes, std::string_view end) override {
    if (bytes == 0) return {};
    const int error = refused();
    return wrote(error != 0 ? error : disk_.tree_.count(node_, bytes, end));
  }
  Done cut(uint64_t size) override {
    if (const int error = refused(); error != 0) return fail_errno("cannot cut " + path_, error);
    disk_.tree_.cut(node_, size);
    return {};
  }

 private:
  int refused() { return disk_.fault(path_, &MemoryDisk::Fault::write); }
  Done wrote(int error) {
    if (error != 0) return fail_errno("cannot write " + path_, error);
    return {};
  }

  MemoryDisk& disk_;
  MemoryTree::Node& node_;
  std::string path_;
};

int MemoryDisk::fault(const std::string& path, int Fault::*what) {
  for (const auto& [where, fault] : faults_) {
    if (!os::below(path, where)) continue;
    if (fault.hangs) {
      if (hung_.size() < kHungKept) hung_.push_back(path);
      return ETIMEDOUT;
    }
    if (what && fault.*what != 0) return fault.*what;
  }
  return 0;
}

std::optional<Entry> MemoryDisk::look(const std::string& path, bool follow) {
  Node* node = nullptr;
  if (fault(path, nullptr) != 0 || tree_.find(path, follow, node) != 0) return std::nullopt;
  return Entry{node->kind, node->size, node->modified};
}

std::vector<std::string> MemoryDisk::list_dir(const std::string& path) {
  std::vector<std::string> out;
  Node* node = nullptr;
  if (fault(path, &Fault::read) != 0 || tree_.find(path, true, node) != 0) return out;
  out.reserve(node->names.size());
  for (const auto& [name, one] : node->names) out.push_back(name);
  return out;
}

Result<MemoryTree::Node*> MemoryDisk::open(const std::string& path, bool make) {
  const auto no = [&](int error) { return fail_errno("cannot open " + path, error); };
  if (const int error = fault(path, make ? &Fault::write : nullptr); error != 0) return no(error);
  Node* node = nullptr;
  const int error = tree_.find(path, true, node);
  if (error == 0 && node->kind != Kind::file) return os::refusal(path, node->kind);
  if (error == 0) return node;
  if (!make || error != ENOENT) return no(error);
  const auto where = tree_.place(path, true);
  if (where.error != 0) return no(where.error);
  return tree_.add(*where.folder, where.name, Kind::file);
}

Result<std::string> MemoryDisk::read(const std::string& path, size_t limit) {
  const auto node = open(path, false);
  if (!node) return tl::unexpected(node.error());
  if (const int error = fault(path, &Fault::read); error != 0)
    return fail_errno("cannot read " + path, error);
  if ((*node)->text.size() > limit)
    return fail(path + " is larger than " + std::to_string(limit) + " bytes");
  return (*node)->text;
}

std::string MemoryDisk::read_slice(const std::string& path, uint64_t offset, size_t limit) {
  const auto node = open(path, false);
  if (!node || fault(path, &Fault::read) != 0 || offset >= (*node)->text.size()) return {};
  return (*node)->text.substr(offset, limit);
}

// The old text is there until the new one is: both take their room.
Done MemoryDisk::write_atomically(const std::string& path, std::string_view text) {
  const std::string temporary = path + ".new";
  const auto no = [&](int error) { return fail_errno("cannot create " + temporary, error); };
  if (const int error = fault(path, &Fault::write); error != 0) return no(error);
  const auto half = tree_.place(temporary, false);
  if (half.error != 0) return no(half.error);
  if (half.node && half.node->kind == Kind::folder) return no(EEXIST);
  tree_.drop(*half.folder, half.name);
  int error = tree_.grow(*tree_.add(*half.folder, half.name, Kind::file), text);
  const std::string failed = error != 0 ? temporary : path;
  if (error == 0) error = tree_.rename(temporary, path);
  if (error == 0) return {};
  tree_.drop(*half.folder, half.name);
  return fail_errno("cannot write " + failed, error);
}

Done MemoryDisk::write_in_place(const std::string& path, std::string_view text) {
  const auto node = open(path, true);
  if (!node) return tl::unexpected(node.error());
  if (tree_.overwrite(**node, text) != 0) return fail("cannot write " + path, "free some space");
  return {};
}

Result<std::unique_ptr<Appender>> MemoryDisk::open_append(const std::string& path) {
  const auto node = open(path, true);
  if (!node) return tl::unexpected(node.error());
  return std::make_unique<MemoryAppender>(*this, **node, path);
}

bool MemoryDisk::touch(const std::string& path) {
  const auto node = open(path, true);
  if (node) (*node)->modified = tree_.now;
  return node.has_value();
}

int MemoryDisk::make_folder(const std::string& path) {
  const int error = fault(path, &Fault::write);
  return error != 0 ? error : tree_.make_folder(path);
}

Done MemoryDisk::make_private_dir(const std::string& path) {
  if (path.empty()) return fail("an empty folder name");
  const std::string parent = path.substr(0, std::min(path.rfind('/'), path.size()));
  if (!parent.empty() && parent != path && !is_dir(parent)) {
    if (auto made = make_private_dir(parent); !made) return made;
  }
  const int error = make_folder(path);
  if (error == 0) return {};
  if (error != EEXIST) return fail_errno("cannot create " + path, error);
  Node* there = nullptr;
  if (const int none = tree_.find(path, true, there); none != 0)
    return fail_errno("cannot look at " + path, none);
  if (there->kind != Kind::folder) return fail(path + " is not a folder", "move it away");
  return {};
}

Result<std::string> MemoryDisk::make_unique_dir(const std::string& prefix) {
  for (;;) {
    std::string path = fmt::format("{}.{:06}", prefix, ++last_unique_);
    const int error = make_folder(path);
    if (error == 0) return path;
    if (error != EEXIST) return fail_errno("cannot create " + prefix, error);
  }
}

int MemoryDisk::rename(const std::string& from, const std::string& to) {
  for (const auto* path : {&from, &to})
    if (const int error = fault(*path, &Fault::write); error != 0) return error;
  return tree_.rename(from, to);
}

bool MemoryDisk::move_file(const std::string& from, const std::string& to) {
  return rename(from, to) == 0;
}

Done MemoryDisk::move_anywhere(const std::string& from, const std::string& to) {
  if (const int error = rename(from, to); error != 0)
    return fail_errno("cannot move " + from + " to " + to, error);
  return {};
}

bool MemoryDisk::remove_file(const std::string& path) {
  if (fault(path, &Fault::write) != 0) return false;
  const auto where = tree_.place(path, false);
  if (!where.node || where.node->kind == Kind::folder) return false;
  tree_.drop(*where.folder, where.name);
  return true;
}

Done MemoryDisk::remove_tree(const std::string& path) {
  int error = fault(path, &Fault::write);
  const auto where = tree_.place(path, false);
  if (error == 0 && where.error != ENOENT) error = where.error;
  if (error != 0) return fail_errno("cannot remove " + path, error);
  if (where.node) tree_.drop(*where.folder, where.name);
  return {};
}

Result<Space> MemoryDisk::space(const std::string& path) {
  Node* node = nullptr;
  int error = fault(path, nullptr);
  if (error == 0) error = tree_.find(path, true, node);
  if (error != 0) return fail_errno("cannot look at " + path, error);
  return Space{tree_.room(), tree_.capacity};
}

Disk::MemoryStory MemoryDisk::memory_story(std::optional<int64_t> pid) {
  return {pid ? "says nothing about it" : "", false, {}, {}};
}

void MemoryDisk::put(const std::string& path, Kind kind) {
  const auto where = tree_.make_place(path);
  tree_.drop(*where.folder, where.name);
  tree_.add(*where.folder, where.name, kind);
}

void MemoryDisk::put_link(const std::string& path, const std::string& target) {
  put(path, Kind::link);
  tree_.place(path, false).node->text = target;
}

void MemoryDisk::set_modified(const std::string& path, WallTime time) {
  Node* node = nullptr;
  if (tree_.find(path, false, node) == 0) node->modified = time;
}

void MemoryDisk::break_reading(const std::string& path, int error) {
  faults_[path].read = error;
}

void MemoryDisk::break_writing(const std::string& path, int error) {
  faults_[path].write = error;
}

bool MemoryDisk::hangs(const std::string& path) const {
  return std::any_of(faults_.begin(), faults_.end(), [&](const auto& fault) {
    return fault.second.hangs && os::below(path, fault.first);
  });
}

void MemoryDisk::hang(const std::string& path) {
  faults_[path].hangs = true;
}

void MemoryDisk::mend(const std::string& path) {
  faults_.erase(path);
}

}  // namespace pawl::store
