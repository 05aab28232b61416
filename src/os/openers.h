#pragma once
// Who still has a file open that was removed: a lock on it holds, and nobody who looks at the path can see that.

#include <sys/types.h>

#include <string>
#include <vector>

namespace pawl::os {

// Processes of our own user, not ourselves, whose program's name begins with `program`. One of another pid namespace is not seen.
std::vector<pid_t> openers_of_removed(const std::string& path, const std::string& program);

}  // namespace pawl::os
