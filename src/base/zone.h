#pragma once
// A time zone as a value: what clocks on the wall show at an instant, and which instant they mean.
// Used for the times that agents write on their screens ("resets 3am (Europe/Berlin)") and for showing times to people.
// Read from the bytes of a time zone file (os/zone.h finds the file), or from a rule of one line.
// Never opens a file, never asks which zone we are in or what time it is.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/civil.h"
#include "base/clock.h"
#include "base/posix_zone.h"
#include "base/result.h"

namespace pawl {

// Real files have 3 KiB at most.
inline constexpr size_t kZoneFileLimit = 64u << 10;
// East or west of UTC, at most (RFC 8536, 3.2).
inline constexpr int64_t kZoneOffsetLimit = 26 * 3600;

class Zone {
 public:
  static Zone utc() { return {}; }
  // Always so far east of UTC; up to kZoneOffsetLimit either way, more is cut to that.
  static Zone fixed(std::chrono::seconds east);
  // The bytes of a TZif file, versions 1 to 4 (RFC 9636). At most kZoneFileLimit; every count in them is checked.
  static Result<Zone> parse(std::string_view tzif_bytes);
  // "CET-1CEST,M3.5.0,M10.5.0/3"
  static Result<Zone> posix(std::string_view rule);

  // What clocks there show. Parts of a second are dropped.
  Civil civil(WallTime time) const;
  // When clocks there show this. Twice, because they were put back: the earlier instant.
  // Never, because they jumped ahead: the instant of the jump. Fields beyond their range carry over (day 32, hour -1).
  WallTime wall(const Civil& time) const;
  // The same, but the later one of two.
  WallTime wall_later(const Civil& time) const;
  std::chrono::seconds offset(WallTime time) const;  // east of UTC

  bool operator==(const Zone&) const = default;

 private:
  struct Change {
    int64_t at = 0;      // seconds since the epoch
    int64_t offset = 0;  // from then on
    bool operator==(const Change&) const = default;
  };

  int64_t offset_at(int64_t instant) const;
  std::optional<int64_t> next_change(int64_t instant) const;
  int64_t instant_shown_as(int64_t local, bool later) const;

  int64_t first_offset_ = 0;       // before the first change
  std::vector<Change> changes_;    // in order
  std::optional<PosixZone> rule_;  // after the last change
};

}  // namespace pawl
