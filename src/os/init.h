#pragma once
// The first process of a container: everything that loses its parent becomes its child. Reaps them, forwards signals to the one
// program it is there for, and when that has ended, ends what is left.

#include <functional>
#include <string_view>

#include "base/clock.h"

namespace pawl::os {

inline constexpr Duration kLastGrace =
    std::chrono::seconds{5};  // from TERM to KILL, for what is left

// Runs `program` in a child and gives its exit code (128 and the signal that ended it). `keeper`: what processes are called that
// are there only for the sake of others; when nobody else is left, they are not waited for.
int as_init(const std::function<int()>& program, std::string_view keeper);

}  // namespace pawl::os
