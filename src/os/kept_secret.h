#pragma once
// A secret in a file of ours, which outlives the daemon (0600, as everything in the home).

#include <string>

#include "base/result.h"

namespace pawl::os {

// Read, or made when it is not there. `renew`: another one in any case. `fix` is told when the file holds none.
Result<std::string> kept_secret(const std::string& path, bool renew, const std::string& fix);

}  // namespace pawl::os
