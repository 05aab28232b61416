#pragma once
// For tests of rules: an instant, and so many seconds after it.

#include "policy/situation.h"

namespace pawl::policy {

inline const WallTime kStart{std::chrono::seconds{1'700'000'000}};
inline WallTime at(double s) {
  return kStart + seconds(s);
}

}  // namespace pawl::policy
