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

// Of this process, whose loop has one thread.
LivedTime& lived() {
  static LivedTime time;
  return time;
}

}  // namespace

Clock read_clock() {
  return {lived().of(MonoTime{read(CLOCK_MONOTONIC)}), WallTime{read(CLOCK_REALTIME)},
          BootTime{read(CLOCK_BOOTTIME)}};
}

Duration thread_time() {
  return read(CLOCK_THREAD_CPUTIME_ID);
}

void expect_to_read(MonoTime by) {
  lived().expect(by);
}

Pulse read_pulse() {
  return {read(CLOCK_BOOTTIME), lived().stopped()};
}

}  // namespace pawl::os
