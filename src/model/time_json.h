#pragma once
// Times in snapshots: microseconds since the epoch, exact; null for none.

#include <optional>

#include "base/clock.h"
#include "base/json.h"

namespace pawl::model {

inline Json time_json(const std::optional<WallTime>& time) {
  return time ? Json(int64_t{time->time_since_epoch().count()}) : Json();
}

inline std::optional<WallTime> time_from(const Json& json) {
  if (!json.is_integer()) return std::nullopt;
  return WallTime{Duration{json.as_int()}};
}

}  // namespace pawl::model
