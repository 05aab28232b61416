#pragma once
// Watches the agents' folders for the files that wake or pause an agent, and has the engine look. Where the kernel allows no watch, the
// folder is looked at every few seconds instead, and `pawl doctor` says so. A task that is over is not watched: where somebody may
// still leave the file `resume`, it is looked for in the same way.

#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "core/face.h"
#include "os/loop.h"
#include "os/watch.h"

namespace pawl::daemon {

inline constexpr Duration kLookEvery = std::chrono::seconds{5};  // without a watch
inline constexpr size_t kGivenUp = 256;                          // tasks that are looked at so

class Folders {
 public:
  // `wake` asks for a turn soon.
  Folders(os::Loop& loop, core::Engine& engine, std::function<void()> wake);

  // After a turn: those of new agents are watched as well, those of tasks that are over no longer.
  void follow();
  size_t watched() const { return watch_.size(); }
  size_t unwatched() const { return unwatched_.size(); }

 private:
  Done add(const std::string& folder);
  bool watch(const std::string& agent);
  void leave(const core::OverTask& task);
  void changed(const std::string& folder, const std::string& file);
  void look();

  core::Engine& engine_;
  std::function<void()> wake_;
  os::FolderWatch watch_;
  os::Timer timer_;
  std::set<std::string> unwatched_;  // agents
  std::map<std::string, std::set<std::string>>
      work_;                                  // agents, by the folders that their work lies in
  std::map<std::string, std::string> tasks_;  // … by their task's folder
  // Tasks without a result, with their folders: their file `resume` is looked for. Older ones are resumed by `pawl task resume`.
  std::map<std::string, std::string> given_up_;
  std::deque<std::string> lately_;  // … in the order they were given up
};

}  // namespace pawl::daemon
