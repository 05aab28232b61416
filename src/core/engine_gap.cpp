// After a time in which nobody was there (core/heart.h).

#include "core/engine.h"

namespace pawl::core {

void Engine::slept(const Clock& now, const Slept& gap) {
  queue_.push_front(gap);
  task_runs_.skip(gap.length);
  deliveries_.slept(now.wall, gap.length);
  if (gap.clock < Duration{0}) perception_.clock_set_back(now, gap.clock);
  if (gap.length > gap.clock) caught_up_at_ = now.mono + kCatchUp;
}

bool Engine::catches_up(const Clock& now) {
  if (!caught_up_at_) return false;
  if (now.mono < *caught_up_at_) return true;
  caught_up_at_.reset();
  return false;
}

}  // namespace pawl::core
