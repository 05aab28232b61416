#pragma once
// Whether the kernel has just killed a program of ours for want of memory. Its log is closed to ordinary users, but it counts in our
// cgroup, and tells when that changes: a program that was killed right then was the one. What nobody claims in time was a child of
// some program, and is forgotten. Costs nothing while nothing happens.

#include <cstdint>
#include <optional>
#include <string>

#include "base/units.h"
#include "os/fd.h"
#include "os/loop.h"

namespace pawl::os {

constexpr Duration kShortageClaim = std::chrono::seconds(10);

class Shortage {
 public:
  explicit Shortage(Loop& loop, std::string root = "", Duration claim = kShortageClaim);

  // In the cgroup that we are in now; what was counted before is nobody's.
  void begin();
  // A program was killed: was it for memory? Each that the kernel killed is claimed once.
  bool claim();

 private:
  void changed();
  void forget() { known_ = oom_kills(); }
  std::optional<uint64_t> oom_kills() const;

  Loop& loop_;
  std::string root_;
  Duration claim_;
  Fd inotify_;
  FdWatch watch_;
  Timer forget_;
  std::optional<uint64_t>
      known_;  // forgotten or claimed; nothing: it is not counted here, or not told
};

}  // namespace pawl::os
