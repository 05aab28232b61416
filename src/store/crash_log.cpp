#include "store/crash_log.h"

#include "os/file.h"

namespace pawl::store {

Done append_crash(const std::string& path, const std::string& entry) {
  if (os::file_size(path) + entry.size() > kCrashLogBytes) (void)os::move_file(path, path + ".1");
  auto file = os::open_append(path);
  if (!file) return tl::unexpected(file.error());
  return os::write_all(file->get(), entry, path);
}

}  // namespace pawl::store
