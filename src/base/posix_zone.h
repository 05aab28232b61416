#pragma once
// The rule of a time zone in one line, as in the variable TZ and at the end of every time zone file:
// "CET-1CEST,M3.5.0,M10.5.0/3". Used by Zone only; everybody else asks a Zone.
// Reads POSIX and the extension of RFC 8536 (hours of a change from -167 to 167). Never looks at files.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace pawl {

// The day and time of the year at which clocks change.
struct ZoneChange {
  enum class Kind {
    julian,   // day 1..365, and February 29 is never counted
    ordinal,  // day 0..365, and February 29 is counted
    weekday,  // the week-th (5 = last) day 0..6 (0 = Sunday) of a month
  };
  Kind kind = Kind::weekday;
  int month = 0;
  int week = 0;
  int day = 0;
  int64_t time = 7200;  // seconds after local midnight, before the change

  bool operator==(const ZoneChange&) const = default;
};

struct PosixZone {
  struct Summer {
    int64_t offset = 0;
    ZoneChange begins;
    ZoneChange ends;
    bool operator==(const Summer&) const = default;
  };
  int64_t standard = 0;  // seconds east of UTC
  std::optional<Summer> summer;

  // Seconds east of UTC at an instant (seconds since the epoch).
  int64_t offset_at(int64_t instant) const;
  // The first change after the instant, when there ever is one.
  std::optional<int64_t> next_change(int64_t instant) const;

  bool operator==(const PosixZone&) const = default;
};

inline constexpr size_t kPosixZoneLimit = 128;  // bytes; longer is refused

Result<PosixZone> parse_posix_zone(std::string_view text);

}  // namespace pawl
