#pragma once
// What a person is shown before a configuration file is run for the first time: every agent with what it would run and may do. The
// file may be a stranger's: nothing in it moves the cursor, hides a word or turns the order of letters around. Pure.

#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/json.h"
#include "base/zone.h"
#include "cli/style.h"

namespace pawl::cli {

inline constexpr size_t kValueShown =
    600;  // bytes of one command or text; the middle of a longer one is left out
inline constexpr size_t kAgentsShown = 100;  // the rest is counted

// Control, bidirectional and invisible characters as what they are: "\n", "\u{202e}".
std::string harmless(std::string_view text);

// "08:32:26" today, else "Nov 15 20:40", and the year when it is another one.
std::string time_for_people(WallTime time, WallTime now, const Zone& zone);

// "/x/pawl.toml was never approved", "… changed since you approved it on Nov 15 20:40".
std::string standing_line(const Json& preview, WallTime now, const Zone& zone);
// The agents of the reply to `preview`. Lines end with \n.
std::string first_use_page(const Json& preview, const Look& look);

}  // namespace pawl::cli
