#include "store/recording_pack.h"

#include <algorithm>

#include "store/part_file.h"

namespace pawl::store {
namespace {

constexpr std::string_view kAside = ".packing";
constexpr std::string_view kHalf = ".packing.new";  // while that is written

std::string aside(const std::string& path) {
  return path + std::string(kAside);
}

Result<std::string> packed_text(Disk& disk, const std::string& path, uint64_t size) {
  std::string packed;
  const int level = size <= kShortPart ? kShortPackLevel : kPackLevel;
  for (uint64_t at = 0; at < size;) {
    const std::string text = disk.read_slice(path, at, kFrameBytes);
    if (text.empty()) return fail("cannot read " + path + " to its end");
    const std::string frame = os::zstd_frame(text, level);
    if (os::zstd_text(frame, kFrameBytes).text != text)
      return fail("cannot compress " + path, "the memory of this machine may be damaged");
    packed += frame;
    at += text.size();
  }
  return packed;
}

}  // namespace

ToPack parts_to_pack(Disk& disk, const std::string& dir, const std::set<SessionId>& open,
                     WallTime now) {
  for (const auto& name : disk.list_dir(dir))
    if (name.ends_with(kAside) || name.ends_with(kHalf)) disk.remove_file(dir + "/" + name);
  ToPack out;
  const auto parts = parts_in(disk, dir);
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool last = i + 1 == parts.size() || parts[i + 1].session != parts[i].session;
    if (last && open.contains(parts[i].session)) continue;
    const auto seen = disk.look(parts[i].path, true);
    if (!seen || seen->size == 0 || seen->size > kMaxUnpacked) continue;
    const WallTime due = seen->modified + kPackAfter;
    if (due <= now || seen->modified > now)  // the clock was set back: it may be any time ago
      out.now.push_back(parts[i]);
    else
      out.later = std::min(out.later.value_or(due), due);
  }
  return out;
}

Result<Packed> pack_beside(Disk& disk, const std::string& path) {
  const auto seen = disk.look(path, true);
  if (!seen) return fail(path + " is gone");
  const auto packed = packed_text(disk, path, seen->size);
  if (!packed) return tl::unexpected(packed.error());
  if (auto written = disk.write_atomically(aside(path), *packed); !written)
    return tl::unexpected(written.error());
  disk.set_modified(aside(path), seen->modified);  // its age stays
  return Packed{path, seen->size, packed->size()};
}

Done put_packed(Disk& disk, const Packed& packed) {
  const auto seen = disk.look(packed.path, true);
  if (!seen || seen->size != packed.plain_bytes) {
    drop_packed(disk, packed);
    return fail(packed.path + " has changed");
  }
  if (!disk.move_file(aside(packed.path), packed.path + kPackedEnding))
    return fail("cannot create " + packed.path + kPackedEnding);
  disk.remove_file(packed.path);
  return {};
}

void drop_packed(Disk& disk, const Packed& packed) {
  disk.remove_file(aside(packed.path));
}

Done unpack(Disk& disk, const std::string& path) {
  if (disk.exists(path)) return {};
  std::string damage;
  const auto text = read_part(disk, path, &damage);
  if (!text) return tl::unexpected(text.error());
  if (auto written = disk.write_atomically(path, *text); !written) return written;
  const std::string packed = path + kPackedEnding;
  if (damage.empty() || !disk.move_file(packed, packed + ".damaged")) disk.remove_file(packed);
  return {};
}

}  // namespace pawl::store
