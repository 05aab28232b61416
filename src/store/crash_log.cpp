#include "store/crash_log.h"

namespace pawl::store {

Done append_crash(Disk& disk, const std::string& path, const std::string& entry) {
  if (disk.file_size(path) + entry.size() > kCrashLogBytes) (void)disk.move_file(path, path + ".1");
  auto file = disk.open_append(path);
  if (!file) return tl::unexpected(file.error());
  return (*file)->append(entry);
}

}  // namespace pawl::store
