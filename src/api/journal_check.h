#pragma once
// Whether the journal can be read, for whoever is not the daemon.

#include <cstdint>
#include <string>

#include "base/result.h"

namespace pawl::api {

// The number of its last event. Nothing is changed; one that a daemon writes meanwhile can be looked at, too.
Result<uint64_t> check_journal(const std::string& path);

}  // namespace pawl::api
