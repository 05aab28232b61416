#include "os/watch.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

namespace pawl::os {
namespace {

constexpr uint32_t kWatched = IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM | IN_ONLYDIR;

}  // namespace

FolderWatch::FolderWatch(Loop& loop, Callback callback)
    : callback_(std::move(callback)), inotify_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
  if (inotify_)
    watch_ = FdWatch(loop, inotify_.get(), [this](FdWatch::Ready) { read(); });
  else
    refused_ = errno;
}

Done FolderWatch::add(const std::string& folder) {
  if (!inotify_) return fail_errno("cannot watch folders", refused_);
  const int watch = ::inotify_add_watch(inotify_.get(), folder.c_str(), kWatched);
  if (watch < 0) return fail_errno("cannot watch " + folder, errno);
  folders_[watch] = folder;
  watches_[folder] = watch;
  return {};
}

void FolderWatch::remove(const std::string& folder) {
  const auto it = watches_.find(folder);
  if (it == watches_.end()) return;
  ::inotify_rm_watch(inotify_.get(), it->second);
  folders_.erase(it->second);
  watches_.erase(it);
}

// The folder is gone; one of its name may be watched by now.
void FolderWatch::forget(int watch) {
  const auto it = folders_.find(watch);
  if (const auto named = watches_.find(it->second);
      named != watches_.end() && named->second == watch)
    watches_.erase(named);
  folders_.erase(it);
}

void FolderWatch::read() {
  alignas(inotify_event) char buffer[16384];
  std::vector<std::pair<std::string, std::string>> seen;
  for (;;) {
    const ssize_t n = ::read(inotify_.get(), buffer, sizeof buffer);
    if (n <= 0) break;
    for (ssize_t at = 0; at < n;) {
      inotify_event event;
      std::memcpy(&event, buffer + at, sizeof event);
      const char* name = buffer + at + sizeof event;
      at += static_cast<ssize_t>(sizeof event + event.len);
      if ((event.mask & IN_Q_OVERFLOW) != 0)
        for (const auto& [watch, folder] : folders_) seen.emplace_back(folder, "");
      const auto it = folders_.find(event.wd);
      if (it == folders_.end()) continue;
      if ((event.mask & IN_IGNORED) != 0)
        forget(it->first);
      else if (event.len > 0)
        seen.emplace_back(it->second, name);
    }
  }
  for (const auto& [folder, file] : seen) callback_(folder, file);
}

}  // namespace pawl::os
