#pragma once
// The agent itself: idle, busy, asking or at its limit, driven by a scene's steps and by keys.

#include <string>

#include "panel.h"

namespace demo {

struct Options {
  std::string scene = "idle";
  bool loop = false;
  double speed = 1;
  double seconds = 0;  // --for: leave by itself after this long
  int exit_code = 0;
  Panel::Options panel;
};

// Plays until the scene ends or somebody leaves; the exit code. Dies of SIGTERM after tidying the
// terminal up.
int play_scene(const Options& options);

}  // namespace demo
