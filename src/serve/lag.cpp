#include "serve/lag.h"

#include <fmt/core.h>

#include <algorithm>

#include "api/metrics.h"
#include "os/clock.h"

namespace pawl::serve {
namespace {

constexpr Duration kEvery = std::chrono::milliseconds{50};

}  // namespace

Lag::Lag(os::Loop& loop) : timer_(loop, [this] { called(); }) {}

void Lag::measure(bool wanted) {
  if (wanted == timer_.armed()) return;
  if (!wanted) return timer_.cancel();
  due_ = os::read_clock().mono + kEvery;
  timer_.start(kEvery);
}

void Lag::called() {
  const MonoTime now = os::read_clock().mono;
  // libuv counts in milliseconds: being one late is being in time.
  const double late = std::max(0.0, std::chrono::duration<double>(now - due_).count() - 0.001);
  size_t at = 0;
  while (at < kBounds.size() && late > kBounds[at]) ++at;
  ++counts_[at];
  sum_s_ += late;
  due_ = now + kEvery;
  timer_.start(kEvery);
}

std::string Lag::text() const {
  std::string out = api::metric_head("pawl_loop_lag_seconds", "histogram",
                                     "how late the daemon's loop was, while somebody looked");
  uint64_t all = 0;
  for (size_t i = 0; i <= kBounds.size(); ++i) {
    all += counts_[i];
    const std::string bound = i < kBounds.size() ? fmt::format("{}", kBounds[i]) : "+Inf";
    out +=
        api::metric_line("pawl_loop_lag_seconds_bucket", {{"le", bound}}, static_cast<double>(all));
  }
  return out + api::metric_line("pawl_loop_lag_seconds_sum", {}, sum_s_) +
         api::metric_line("pawl_loop_lag_seconds_count", {}, static_cast<double>(all));
}

}  // namespace pawl::serve
