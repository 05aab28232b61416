#pragma once
// Files that appear in folders (inotify): written and closed, or moved there; and that go away. Costs nothing while nothing happens. For daemon/,
// which is told of wake-ups that way. libuv's own watcher does not tell when a file is closed, and one that is read while it
// is being written is half a file.

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "os/fd.h"
#include "os/loop.h"

namespace pawl::os {

class FolderWatch {
 public:
  // Told the folder and the file's name; the name is empty when the kernel lost count and anything may have happened there.
  using Callback = std::function<void(const std::string& folder, const std::string& file)>;

  FolderWatch(Loop& loop, Callback callback);

  // Fine when it is watched already; one that was removed and made anew has to be added anew. Fails when it is not there, or
  // when the kernel allows no more (fs.inotify.max_user_watches).
  Done add(const std::string& folder);
  // Nothing is told of it any more. Fine when it is not watched.
  void remove(const std::string& folder);
  size_t size() const { return folders_.size(); }

 private:
  void read();
  void forget(int watch);

  Callback callback_;
  Fd inotify_;
  int refused_ = 0;                     // errno of its creation
  std::map<int, std::string> folders_;  // by watch
  std::map<std::string, int> watches_;  // by folder
  FdWatch watch_;
};

}  // namespace pawl::os
