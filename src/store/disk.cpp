#include "store/disk.h"

namespace pawl::store {

bool Disk::is_dir(const std::string& path) {
  const auto seen = look(path, true);
  return seen && seen->kind == Kind::folder;
}

bool Disk::is_link(const std::string& path) {
  const auto seen = look(path, false);
  return seen && seen->kind == Kind::link;
}

uint64_t Disk::file_size(const std::string& path) {
  const auto seen = look(path, true);
  return seen ? seen->size : 0;
}

std::optional<Entry> Disk::plain_file(const std::string& path) {
  const auto seen = look(path, false);
  return seen && seen->kind == Kind::file ? seen : std::nullopt;
}

std::optional<std::string> Disk::not_a_file(const std::string& path) {
  const auto seen = look(path, true);
  if (!seen || seen->kind == Kind::file) return std::nullopt;
  return os::words(seen->kind);
}

}  // namespace pawl::store
