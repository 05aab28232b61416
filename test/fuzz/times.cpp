// Any bytes as a time zone file, as a rule of TZ, and as a screen that says when a limit resets: no crash, no hang, and
// what comes out is sensible. The first byte says which of the three.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/zone.h"
#include "perceive/screen/reset_time.h"

namespace {

using pawl::Civil;
using pawl::WallTime;
using pawl::Zone;

void require(bool condition) {
  if (!condition) std::abort();
}

void check_zone(const Zone& zone) {
  for (const int64_t instant : {int64_t{-9'000'000'000'000}, int64_t{-3'000'000'000}, int64_t{0},
                                int64_t{1'794'708'331}, int64_t{9'000'000'000'000}}) {
    const WallTime time{std::chrono::seconds{instant}};
    const Civil shown = zone.civil(time);
    require(zone.civil(zone.wall(shown)) == shown && zone.wall(shown) <= time);
    require(zone.civil(zone.wall_later(shown)) == shown && zone.wall_later(shown) >= time);
  }
}

void check_text(std::string_view text) {
  const auto found = pawl::find_reset_time(text);
  if (!found) return;
  const WallTime now{std::chrono::seconds{1'794'708'331}};
  const WallTime then = pawl::resolve(*found, now, *Zone::posix("CET-1CEST,M3.5.0,M10.5.0/3"));
  require(found->year || then >= now - pawl::kDateGrace);
  require(!found->in || then <= now + pawl::kLongestReset);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] == 'z') {
    if (const auto zone = Zone::parse(bytes)) check_zone(*zone);
  } else if (data[0] == 'r') {
    if (const auto zone = Zone::posix(bytes)) check_zone(*zone);
  } else {
    check_text(bytes);
  }
  return 0;
}
