#include "os/clock.h"

#include <ctime>

namespace pawl::os {
namespace {

Duration read(clockid_t id) {
  timespec time{};
  clock_gettime(id, &time);
  return std::chrono::duration_cast<Duration>(std::chrono::seconds{time.tv_sec} +
                                              std::chrono::nanoseconds{time.tv_nsec});
}

}  // namespace

Clock read_clock() {
  return {MonoTime{read(CLOCK_MONOTONIC)}, WallTime{read(CLOCK_REALTIME)}};
}

}  // namespace pawl::os
