#include "cli/next_daemon.h"

namespace pawl::cli {

void NextDaemon::lost(MonoTime now, bool announced) {
  while (!losses_.empty() && now - losses_.front() >= kLostWithin) losses_.pop_front();
  losses_.push_back(now);
  announced_ = announced;
}

NextDaemon::Do NextDaemon::what(MonoTime now) const {
  if (losses_.size() >= kDaemonsLost || now - losses_.back() >= kNextDaemon) return Do::give_up;
  return announced_ || now - losses_.back() < kLeftToOthers ? Do::wait : Do::start;
}

std::string NextDaemon::waiting() const {
  return announced_ ? "the daemon was ended; the agent keeps running; waiting 30 s for the next "
                      "daemon; Ctrl-\\ detaches"
                    : "the daemon has gone; the agent keeps running; one moment; Ctrl-\\ detaches";
}

std::string NextDaemon::given_up() const {
  if (losses_.size() >= kDaemonsLost)
    return "[the daemon goes again and again: look at pawl doctor; the agent keeps running]";
  return announced_ ? "[the daemon was ended; the agent keeps running]"
                    : "[the daemon has gone; the agent keeps running]";
}

}  // namespace pawl::cli
