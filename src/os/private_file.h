#pragma once
// Whether a file that is believed may be believed: nobody else can have written it.

#include <string>

#include "base/result.h"

namespace pawl::os {

// Fine: nothing is there, or a file that is ours alone (0600). Else why not: a link, somebody else's, open to others.
Done check_private(const std::string& path);

}  // namespace pawl::os
