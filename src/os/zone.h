#pragma once
// Time zones by name: finds the file and hands its bytes to base/zone.h. Called by the daemon when an agent shows a time
// with a zone, or without one (then the zone is that of the agent's process), and by the command line.
// Reads $TZDIR or /usr/share/zoneinfo, regular files of at most kZoneFileLimit bytes. Never outside of it for a name.

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/zone.h"

namespace pawl::os {

// "Europe/Berlin", or whatever base/zone_names.h knows ("UTC", "PST", "GMT+1"), which works without any file.
// The name may come from a screen: [A-Za-z0-9_+/-], 64 bytes at most, no ".." and no slash in front.
Result<Zone> load_zone(std::string_view name);

// The zone that a program with this TZ uses: "Europe/Berlin", ":Europe/Berlin", "/a/file" or a POSIX rule.
// Empty (TZ not set) is /etc/localtime, and UTC when that is missing. The last argument is for tests.
Result<Zone> local_zone(std::string_view tz_variable,
                        const std::string& localtime_file = "/etc/localtime");

}  // namespace pawl::os
