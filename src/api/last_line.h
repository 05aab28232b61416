#pragma once
// The last thing a program said, in one line: for lists of agents. Pure. Leaves out where people type: the input box, what stands
// under it, frames, and prompts with nothing behind them.

#include <string>

#include "perceive/screen/sight.h"
#include "term/screen.h"

namespace pawl::api {

inline constexpr size_t kLastLineBytes = 200;

// `box`: where perception sees the input box; null or not there: nobody knows. Empty when the screen says nothing.
std::string last_line(const term::Screen& screen, const perceive::Box* box = nullptr);

}  // namespace pawl::api
