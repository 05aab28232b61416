#pragma once
// The environment a child gets: what its caller had, made true for the terminal it really runs in.
// Pure.

#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace pawl::host {

// "PAWL_SESSION=<home>-<id>": marks everything a session starts, however it detaches itself (see
// leftovers.h).
std::string session_cookie(std::string_view home, SessionId session);

// Sets TERM, COLORTERM and the cookie, keeps TZ or sets it to `zone` (when not empty), and removes
// what describes another terminal: sizes, multiplexers, the caller's terminal program. The last of
// several equal names wins; entries without '=' are dropped. `terminal` describes this terminal and is added after that.
std::vector<std::string> terminal_environment(const std::vector<std::string>& from,
                                              const std::string& cookie, std::string_view zone,
                                              const std::vector<std::string>& terminal = {});

// The machine's zone by name ("Europe/Zurich"), "UTC" when it has none.
std::string system_zone();

}  // namespace pawl::host
