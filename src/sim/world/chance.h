#pragma once
// Chance of the simulated world: a small seeded generator (splitmix64) whose draws are the same on every machine and with every
// standard library, which std::uniform_int_distribution's are not. Everything in the world that is left to chance asks one of
// these. It never reads a clock or the system's own randomness.

#include <cstddef>
#include <cstdint>

#include "base/clock.h"

namespace pawl::sim {

class Chance {
 public:
  explicit Chance(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // From 0 to limit - 1; of 0, which has none, 0. The last remainder of 2^64 makes no difference to a simulation.
  size_t below(size_t limit) { return limit == 0 ? 0 : static_cast<size_t>(next() % limit); }
  // With this likelihood, from 0 to 1. What never happens draws nothing.
  bool happens(double likelihood) {
    if (likelihood <= 0) return false;
    return static_cast<double>(next() >> 11) * 0x1p-53 < likelihood;
  }
  Duration between(Duration from, Duration to) {
    if (to <= from) return from;
    return from + Duration{static_cast<int64_t>(below(static_cast<size_t>((to - from).count())))};
  }
  // Of its own, for a part of the world whose draws must not shift those of the others.
  Chance another() { return Chance(next()); }

 private:
  uint64_t state_;
};

}  // namespace pawl::sim
