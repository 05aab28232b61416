#include "fleet/outlook.h"

#include <algorithm>

namespace pawl::fleet {

Outlook::Do Outlook::call(MonoTime now) {
  phase_ = Phase::calling;
  tried_ = now;
  due_.reset();
  return Do::call;
}

Outlook::Do Outlook::ask(MonoTime now) {
  phase_ = Phase::asked;
  due_ = now + kAnswersWithin;
  return Do::ask;
}

Outlook::Do Outlook::opened(MonoTime now) {
  return phase_ == Phase::calling ? ask(now) : Do::nothing;
}

Outlook::Do Outlook::pass(MonoTime now) {
  if (!due_ || now < *due_) return Do::nothing;
  switch (phase_) {
    case Phase::calling:
      return Do::nothing;
    case Phase::asked:
      due_.reset();
      return Do::give_up;
    case Phase::resting:
      return ask(now);
    case Phase::away:
      return call(now);
  }
  return Do::nothing;
}

Outlook::Do Outlook::wanted(MonoTime now) {
  wanted_ = now;
  if (phase_ != Phase::away || now - tried_ < kTriesFirst) return Do::nothing;
  pause_ = kTriesFirst;
  return call(now);
}

bool Outlook::told(const Clock& now, std::vector<Json> agents, std::string version) {
  if (phase_ != Phase::asked) return false;
  phase_ = Phase::resting;
  settled_ = true;
  heard_ = now.mono;
  ++answers_;
  agents_ = std::move(agents);
  version_ = std::move(version);
  pause_ = kTriesFirst;
  due_ = now.mono + (wanted_ && now.mono - *wanted_ < kAsksAgain ? kLooks : kLooksAtRest);
  if (std::exchange(online_, true)) return false;
  since_ = now.wall;
  because_.clear();
  return true;
}

bool Outlook::lost(const Clock& now, std::string because) {
  phase_ = Phase::away;
  because_ = std::move(because);
  due_ = now.mono + pause_;
  pause_ = std::min(2 * pause_, kTriesLast);
  const bool first = !std::exchange(settled_, true);
  if (!std::exchange(online_, false)) return first;
  since_ = now.wall;
  return true;
}

}  // namespace pawl::fleet
