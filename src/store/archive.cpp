#include "store/archive.h"

#include "base/text.h"

namespace pawl::store {
namespace {

constexpr const char* kOrigin = "origin";
constexpr size_t kPathBytes = 8u << 10;
constexpr int kSameInstant = 1000;

std::string base_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

// "2026-11-15T021531.204Z", which sorts and is a file's name anywhere.
std::string stamp(WallTime now) {
  std::string text = rfc3339(now);
  std::erase(text, ':');
  return text;
}

}  // namespace

bool Archive::can_put(const std::string& path) const {
  return disk_->exists(path);
}

Result<Archived> Archive::put(const std::string& path, WallTime now) const {
  if (!disk_->plain_file(path)) return fail("there is no file " + path);
  std::string id = stamp(now) + "-" + base_name(path);
  for (int n = 2; disk_->exists(dir_ + "/" + id) && n < kSameInstant; ++n)
    id = stamp(now) + "-" + std::to_string(n) + "-" + base_name(path);
  Archived out{id, path, dir_ + "/" + id + "/" + base_name(path), disk_->file_size(path)};
  if (auto made = disk_->make_private_dir(dir_ + "/" + id); !made)
    return tl::unexpected(made.error());
  // First where it came from: a file without that could not be put back.
  if (auto said = disk_->write_atomically(dir_ + "/" + id + "/" + kOrigin, path + "\n"); !said)
    return tl::unexpected(said.error());
  if (auto moved = disk_->move_anywhere(path, out.path); !moved)
    return tl::unexpected(moved.error());
  return out;
}

std::vector<Archived> Archive::list() const {
  std::vector<Archived> out;
  for (const auto& id : disk_->list_dir(dir_)) {
    const auto origin = disk_->read(dir_ + "/" + id + "/" + kOrigin, kPathBytes);
    if (!origin) continue;
    const std::string from(trim(*origin));
    const std::string path = dir_ + "/" + id + "/" + base_name(from);
    if (disk_->exists(path)) out.push_back({id, from, path, disk_->file_size(path)});
  }
  return out;
}

Result<std::string> Archive::restore(const std::string& id) const {
  for (const auto& one : list()) {
    if (one.id != id) continue;
    if (disk_->exists(one.origin))
      return fail(one.origin + " is there already", "move it away first, or take " + one.path);
    if (auto made = disk_->make_private_dir(one.origin.substr(0, one.origin.rfind('/'))); !made)
      return tl::unexpected(made.error());
    if (auto moved = disk_->move_anywhere(one.path, one.origin); !moved)
      return tl::unexpected(moved.error());
    (void)disk_->remove_tree(dir_ + "/" + id);
    return one.origin;
  }
  return fail("nothing named '" + id + "' is archived", "pawl archive ls NAME shows what is");
}

}  // namespace pawl::store
