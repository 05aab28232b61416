#include "daemon/folders.h"

#include <fmt/format.h>

#include <cstdio>

#include "os/file.h"

namespace pawl::daemon {

Folders::Folders(os::Loop& loop, core::Engine& engine, std::function<void()> wake)
    : engine_(engine),
      wake_(std::move(wake)),
      watch_(loop,
             [this](const std::string& folder, const std::string& file) {
               const auto other = others_.find(folder);
               const bool inbox = other != others_.end() && folder.ends_with("/inbox");
               if (!inbox && !file.empty() && file != store::kWakeupName &&
                   file != store::kPauseName && file != store::kResumeName)
                 return;
               engine_.look_for_wakeup(other != others_.end()
                                           ? other->second
                                           : folder.substr(folder.rfind('/') + 1));
               wake_();
             }),
      timer_(loop, [this] { look(); }) {}

bool Folders::watch(const std::string& agent) {
  auto watched = watch_.add(engine_.files().dir(agent));
  const std::string inbox = engine_.files().inbox(agent);
  if (watched && os::make_private_dir(inbox)) {
    others_[inbox] = agent;
    watched = watch_.add(inbox);
  }
  if (const auto* known = engine_.fleet().find(agent); watched && known && known->task) {
    const std::string& dir = known->task->order.dir;
    others_[dir] = agent;
    watched = watch_.add(dir);
  }
  if (watched) return unwatched_.erase(agent), true;
  if (unwatched_.empty())
    fmt::print(stderr, "pawl: {}; wake-up files are looked for every {} s instead\n",
               text_of(watched.error()),
               std::chrono::duration_cast<std::chrono::seconds>(kLookEvery).count());
  unwatched_.insert(agent);
  return false;
}

void Folders::follow() {
  const auto fresh = engine_.take_folders();
  for (const auto& agent : fresh) {
    if (!engine_.fleet().find(agent)) continue;
    watch(agent);
    engine_.look_for_wakeup(agent);  // it may have come before the watch
  }
  if (!fresh.empty()) wake_();
  if (!unwatched_.empty() && !timer_.armed()) timer_.start(kLookEvery);
}

// A watch may be had by now.
void Folders::look() {
  const std::set<std::string> agents = unwatched_;
  for (const auto& agent : agents) {
    if (!engine_.fleet().find(agent)) {
      unwatched_.erase(agent);
      continue;
    }
    watch(agent);
    engine_.look_for_wakeup(agent);
  }
  if (!unwatched_.empty()) timer_.start(kLookEvery);
  wake_();
}

}  // namespace pawl::daemon
