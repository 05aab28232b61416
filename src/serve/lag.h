#pragma once
// How late the loop is: a timer says when it wanted to be called, the clock says when it was.

#include <array>
#include <string>

#include "base/clock.h"
#include "os/loop.h"

namespace pawl::serve {

class Lag {
 public:
  explicit Lag(os::Loop& loop);
  void measure(bool wanted);  // while somebody is connected
  std::string text() const;   // for Prometheus

 private:
  void called();

  static constexpr std::array<double, 10> kBounds{0.001, 0.002, 0.005, 0.01, 0.02,
                                                  0.05,  0.1,   0.2,   0.5,  1};
  std::array<uint64_t, kBounds.size() + 1> counts_{};
  double sum_s_ = 0;
  MonoTime due_{};
  os::Timer timer_;
};

}  // namespace pawl::serve
