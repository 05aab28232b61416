#pragma once
// The zones that need no file: UTC by its many names, offsets ("GMT+1", "+02:00", "Z"), and the abbreviations that
// programs print after a time ("3:04 PM PST"). For os/zone.h, and for perception to tell a zone from the next word.
//
// An abbreviation is what was shown, so it is one fixed offset and not a place: PST is -8 in summer as well.
// PT, MT, CT and ET name a place's clocks and change with them. Where several countries use the same letters, the
// meaning in ICU's English comes first: CST is Chicago, BST is London, IST is India.
// The sign is that of people and ISO 8601 (GMT+1 is east), not that of POSIX or of the files Etc/GMT+1.

#include <optional>
#include <string_view>

#include "base/zone.h"

namespace pawl {

// Letters may be small, except in the two-letter names, which would be words.
std::optional<Zone> builtin_zone(std::string_view name);

}  // namespace pawl
