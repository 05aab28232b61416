#pragma once
// Secrets on disk. A file that others own, may read or have put a link in place of is not used: what it holds may be known, or not
// be what was written. Nothing is changed about it; the words say what a person can do.

#include <string>

#include "base/result.h"

namespace pawl::os {

// A regular file of ours that nobody else may read or write (0600 or less), not through a link.
Result<std::string> read_private(const std::string& path, size_t limit);

// A secret that was put there for us, perhaps mounted into a pod: a link and another owner are fine, and a group's reading, but what
// everybody on this machine can read is not secret.
Result<std::string> read_given_secret(const std::string& path, size_t limit);

// Makes the folder, 0700. One that is there has to be ours, no link, and nobody else may write in it.
Done hold_private_dir(const std::string& path);

}  // namespace pawl::os
