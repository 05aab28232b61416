#include "os/mount.h"

#include <charconv>

#include "base/text.h"
#include "os/file.h"

namespace pawl::os {
namespace {

constexpr size_t kListBytes = 4u << 20;
constexpr size_t kMountField = 4;

// The kernel writes a space as \040.
std::string plain(std::string_view field) {
  std::string out;
  for (size_t i = 0; i < field.size(); ++i) {
    unsigned code = 0;
    const auto digits = field.substr(i + 1, 3);
    if (field[i] == '\\' && digits.size() == 3 &&
        std::from_chars(digits.data(), digits.data() + 3, code, 8).ptr == digits.data() + 3) {
      out += static_cast<char>(code);
      i += 3;
    } else {
      out += field[i];
    }
  }
  return out;
}

}  // namespace

bool below(std::string_view path, std::string_view folder) {
  if (folder == "/") return path.starts_with('/');
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

std::string mount_in(std::string_view list, const std::string& path) {
  std::string best = "/";
  for (const auto& line : split(list, '\n')) {
    const auto fields = split(line, ' ');
    if (fields.size() <= kMountField) continue;
    std::string at = plain(fields[kMountField]);
    if (at.size() > best.size() && below(path, at)) best = std::move(at);
  }
  return best;
}

std::string mount_of(const std::string& path) {
  return mount_in(read_stream("/proc/self/mountinfo", kListBytes).value_or(""), path);
}

}  // namespace pawl::os
