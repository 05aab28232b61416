#include "store/part_file.h"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::store {
namespace {

constexpr size_t kHeadPacked = 64u << 10;  // compressed bytes read for a head

std::string packed_path(const std::string& path) {
  return path + kPackedEnding;
}

std::string damage_words(const std::string& path, const std::string& damage, uint64_t read) {
  const std::string name = packed_path(path.substr(path.rfind('/') + 1));
  return fmt::format("the compressed recording {} is {}: its first {} bytes could be read", name,
                     damage, read);
}

}  // namespace

std::optional<Entry> look_at_part(Disk& disk, const std::string& path) {
  const auto plain = disk.look(path, true);
  return plain ? plain : disk.look(packed_path(path), true);
}

bool remove_part(Disk& disk, const std::string& path) {
  const bool packed = disk.remove_file(packed_path(path));
  return disk.remove_file(path) || packed;
}

Result<std::string> read_part(Disk& disk, const std::string& path, std::string* damage) {
  auto text = disk.read(path, kMaxPartBytes);
  if (text || disk.exists(path)) return text;
  const auto packed = disk.read(packed_path(path), kMaxUnpacked);
  if (!packed) return disk.exists(packed_path(path)) ? packed : text;
  auto unpacked = os::zstd_text(*packed, kMaxUnpacked);
  if (damage && !unpacked.damage.empty())
    *damage = damage_words(path, unpacked.damage, unpacked.text.size());
  return std::move(unpacked.text);
}

std::string part_head(Disk& disk, const std::string& path, size_t limit) {
  std::string head = disk.read_slice(path, 0, limit);
  if (!head.empty() || disk.exists(path)) return head;
  return os::zstd_text(disk.read_slice(packed_path(path), 0, kHeadPacked), limit).text;
}

bool PartFile::load() {
  if (loaded_) return true;
  auto packed = disk_->read(packed_path(path_), kMaxUnpacked);
  if (!packed && disk_->exists(packed_path(path_))) damage_ = text_of(packed.error());
  if (!packed) return false;
  packed_ = std::move(*packed);
  index_ = os::zstd_index(packed_, kMaxUnpacked);
  if (!index_.damage.empty()) damage_ = damage_words(path_, index_.damage, index_.plain);
  return loaded_ = true;
}

const std::string& PartFile::frame(size_t number) {
  if (held_ == number) return frame_;
  const auto& found = index_.frames[number];
  auto unpacked =
      os::zstd_text(std::string_view(packed_).substr(found.at, found.bytes), found.plain);
  frame_ = std::move(unpacked.text);
  held_ = number;
  if (!unpacked.damage.empty() && damage_.empty())
    damage_ = damage_words(path_, unpacked.damage, found.plain_at + frame_.size());
  return frame_;
}

// What a damaged frame lacks is the end: nobody knows how what follows belongs together.
std::string PartFile::read(uint64_t offset, size_t limit) {
  std::string text = disk_->read_slice(path_, offset, limit);
  if (!text.empty() || plain() || !load()) return text;
  for (size_t i = 0; i < index_.frames.size() && text.size() < limit; ++i) {
    const auto& one = index_.frames[i];
    const uint64_t from = offset + text.size();
    if (from >= one.plain_at + one.plain) continue;
    const std::string& whole = frame(i);
    const uint64_t skip = from - one.plain_at;
    if (skip < whole.size()) text.append(whole, skip, limit - text.size());
    if (whole.size() < one.plain) break;
  }
  return text;
}

uint64_t PartFile::size() {
  if (const auto there = disk_->look(path_, true)) return there->size;
  return load() ? index_.plain : 0;
}

}  // namespace pawl::store
