#pragma once
// How somebody asked, for the journal: names, numbers and choices as they are, texts by size and digest. What was typed may be a
// secret, and is never written down. Pure.

#include <string>

#include "base/json.h"

namespace pawl::api {

inline constexpr size_t kNotedBytes = 2048;  // of one request; then only which arguments there were

// A JSON object, or empty: there were no arguments worth a word. Names of agents are left out: the event has them.
std::string noted_arguments(const Json& args);

}  // namespace pawl::api
