#pragma once
// Inside of Inject: what its files share.

#include <string>

#include "act/inject.h"
#include "term/keys.h"

namespace pawl::act {

inline Step wait(MonoTime until) {
  Step step;
  step.again = until;
  return step;
}

inline std::string key(const char* name, const View& view) {
  return term::key_bytes(name, view.modes).value_or("");
}

inline bool stable(const View& view) {
  return view.now - view.box_moved >= kBoxStable;
}

// The bytes of a text, as its program takes it for one.
std::string typed(const std::string& text, const View& view, bool plain);

}  // namespace pawl::act
