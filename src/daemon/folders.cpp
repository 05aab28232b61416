#include "daemon/folders.h"

#include <fmt/core.h>

#include <cstdio>

#include "core/intent.h"
#include "os/file.h"
#include "store/agent_files.h"
#include "store/task_files.h"
#include "store/unreadable.h"

namespace pawl::daemon {

Folders::Folders(os::Loop& loop, core::Engine& engine, std::function<void()> wake)
    : engine_(engine),
      wake_(std::move(wake)),
      watch_(loop,
             [this](const std::string& folder, const std::string& file) { changed(folder, file); }),
      timer_(loop, [this] { look(); }) {}

void Folders::changed(const std::string& folder, const std::string& file) {
  if (const auto work = work_.find(folder); work != work_.end()) {
    for (const auto& agent : work->second) engine_.look_for_wakeup(agent);
    return wake_();
  }
  if (!file.empty() && file != store::kWakeupName && file != store::kPauseName &&
      file != store::kModeName && file != store::kSeenName && file != store::kResumeName)
    return;
  const auto task = tasks_.find(folder);
  engine_.look_for_wakeup(task != tasks_.end() ? task->second
                                               : folder.substr(folder.rfind('/') + 1));
  wake_();
}

// To watch a folder that does not answer would hang: it is looked at again and again instead.
Done Folders::add(const std::string& folder) {
  if (const auto silent = store::silent_folder(engine_.files().disk(), folder))
    return fail(silent->text, silent->todo);
  return watch_.add(folder);
}

bool Folders::watch(const std::string& agent) {
  auto watched = watch_.add(engine_.files().dir(agent));
  const auto* known = engine_.fleet().find(agent);
  std::vector<std::string> work = known ? known->spec.work.folders : std::vector<std::string>{};
  if (os::make_private_dir(engine_.files().inbox(agent)))
    work.push_back(engine_.files().inbox(agent));
  for (const auto& folder : work) {
    if (!watched) break;
    work_[folder].insert(agent);
    watched = add(folder);
  }
  if (watched && known && known->task) {
    const std::string& dir = known->task->order.dir;
    tasks_[dir] = agent;
    watched = add(dir);
  }
  if (watched) return unwatched_.erase(agent), true;
  if (unwatched_.empty())
    fmt::print(stderr, "pawl: {}; wake-up files are looked for every {} s instead\n",
               text_of(watched.error()),
               std::chrono::duration_cast<std::chrono::seconds>(kLookEvery).count());
  unwatched_.insert(agent);
  return false;
}

// Nothing will be found in its folders any more, but perhaps the file that has it gone on with.
void Folders::leave(const core::OverTask& task) {
  const auto* known = engine_.fleet().find(task.agent);
  if (known && !core::over(*known)) return;
  watch_.remove(engine_.files().dir(task.agent));
  watch_.remove(task.dir);
  tasks_.erase(task.dir);
  unwatched_.erase(task.agent);
  std::vector<std::string> work = task.work;
  work.push_back(engine_.files().inbox(task.agent));
  for (const auto& folder : work) {
    const auto it = work_.find(folder);
    if (it == work_.end() || it->second.erase(task.agent) == 0 || !it->second.empty()) continue;
    work_.erase(it);
    watch_.remove(folder);
  }
  if (!task.given_up || given_up_.contains(task.agent)) return;
  if (lately_.size() == kGivenUp) {
    given_up_.erase(lately_.front());
    lately_.pop_front();
  }
  given_up_[task.agent] = task.dir;
  lately_.push_back(task.agent);
}

void Folders::follow() {
  const auto fresh = engine_.take_folders();
  for (const auto& agent : fresh) {
    if (!engine_.fleet().find(agent)) continue;
    watch(agent);
    engine_.look_for_wakeup(agent);  // it may have come before the watch
  }
  for (const auto& task : engine_.take_finished()) leave(task);
  if (!fresh.empty()) wake_();
  if ((!unwatched_.empty() || !given_up_.empty()) && !timer_.armed()) timer_.start(kLookEvery);
}

// A watch may be had by now; a task may be wanted again.
void Folders::look() {
  bool news = !unwatched_.empty();
  const std::set<std::string> agents = unwatched_;
  for (const auto& agent : agents) {
    if (!engine_.fleet().find(agent)) {
      unwatched_.erase(agent);
      continue;
    }
    watch(agent);
    engine_.look_for_wakeup(agent);
  }
  std::erase_if(given_up_, [&](const auto& one) {
    const auto& [task, dir] = one;
    const auto* known = engine_.fleet().find(task);
    const bool gone = known ? !core::over(*known) : !engine_.files().disk().is_dir(dir);
    if (gone) std::erase(lately_, task);
    if (gone || !engine_.files().disk().exists(dir + "/" + store::kResumeName)) return gone;
    if (!engine_.recall(task)) return false;
    engine_.look_for_wakeup(task);
    news = true;
    return false;
  });
  if (!unwatched_.empty() || !given_up_.empty()) timer_.start(kLookEvery);
  if (news) wake_();
}

}  // namespace pawl::daemon
