#include "os/shortage.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <utility>

#include "os/oom.h"

namespace pawl::os {

Shortage::Shortage(Loop& loop, std::string root, Duration claim)
    : loop_(loop), root_(std::move(root)), claim_(claim), forget_(loop, [this] { forget(); }) {}

void Shortage::begin() {
  watch_ = {};
  known_.reset();
  const std::string file = oom_kills_file(root_);
  if (file.empty()) return;
  inotify_ = Fd(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (!inotify_ || ::inotify_add_watch(inotify_.get(), file.c_str(), IN_MODIFY) < 0) return;
  watch_ = FdWatch(loop_, inotify_.get(), [this](FdWatch::Ready) { changed(); });
  forget();
}

bool Shortage::claim() {
  const auto now = oom_kills();
  if (!known_ || !now || *now <= *known_) return false;
  ++*known_;
  return true;
}

void Shortage::changed() {
  char buffer[4096];
  while (::read(inotify_.get(), buffer, sizeof buffer) > 0) {
  }
  const auto now = oom_kills();
  if (known_ && now && *now > *known_) forget_.start(claim_);
}

std::optional<uint64_t> Shortage::oom_kills() const {
  return os::oom_kills(root_);
}

}  // namespace pawl::os
