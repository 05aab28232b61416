#include "base/zone.h"

#include <algorithm>

namespace pawl {
namespace {

using std::chrono::floor;
using std::chrono::seconds;

int64_t instant_of(WallTime time) {
  return floor<seconds>(time.time_since_epoch()).count();
}

// Dates that a WallTime cannot hold become the last one that it can.
int64_t clamp_to_wall(int64_t instant) {
  constexpr int64_t limit = std::chrono::duration_cast<seconds>(Duration::max()).count();
  return std::clamp(instant, -limit, limit);
}

WallTime wall_of(int64_t instant) {
  return WallTime{seconds{clamp_to_wall(instant)}};
}

}  // namespace

Zone Zone::fixed(seconds east) {
  Zone zone;
  zone.first_offset_ =
      std::clamp(static_cast<int64_t>(east.count()), -kZoneOffsetLimit, kZoneOffsetLimit);
  return zone;
}

Result<Zone> Zone::posix(std::string_view rule) {
  auto read = parse_posix_zone(rule);
  if (!read) return tl::unexpected(read.error());
  Zone zone;
  zone.rule_ = *read;
  return zone;
}

int64_t Zone::offset_at(int64_t instant) const {
  if (rule_ && (changes_.empty() || instant >= changes_.back().at))
    return rule_->offset_at(instant);
  const auto next = std::upper_bound(changes_.begin(), changes_.end(), instant,
                                     [](int64_t t, const Change& change) { return t < change.at; });
  return next == changes_.begin() ? first_offset_ : std::prev(next)->offset;
}

std::optional<int64_t> Zone::next_change(int64_t instant) const {
  const auto next = std::upper_bound(changes_.begin(), changes_.end(), instant,
                                     [](int64_t t, const Change& change) { return t < change.at; });
  if (next != changes_.end()) return next->at;
  return rule_ ? rule_->next_change(instant) : std::nullopt;
}

seconds Zone::offset(WallTime time) const {
  return seconds{offset_at(instant_of(time))};
}

Civil Zone::civil(WallTime time) const {
  const int64_t instant = instant_of(time);
  return civil_of_seconds(instant + offset_at(instant));
}

// Walks the stretches between changes, over all instants that could be meant. In one stretch the offset is fixed: the
// instant is `local - offset`, if it lies in there. If it lies before the stretch, clocks jumped over it.
int64_t Zone::instant_shown_as(int64_t local, bool later) const {
  std::optional<int64_t> found, jump;
  std::optional<int64_t> begin = local - kZoneOffsetLimit;
  while (begin && *begin <= local + kZoneOffsetLimit) {
    const int64_t meant = local - offset_at(*begin);
    const auto end = next_change(*begin);
    if (meant < *begin) {
      if (!jump) jump = begin;
    } else if (!end || meant < *end) {
      found = meant;
      if (!later) break;
    }
    begin = end;
  }
  CHECK(found || jump);
  return found ? *found : *jump;
}

WallTime Zone::wall(const Civil& time) const {
  return wall_of(instant_shown_as(clamp_to_wall(civil_seconds(time)), false));
}

WallTime Zone::wall_later(const Civil& time) const {
  return wall_of(instant_shown_as(clamp_to_wall(civil_seconds(time)), true));
}

}  // namespace pawl
