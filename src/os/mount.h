#pragma once
// Where a path is mounted, as the kernel lists it: nothing is looked at that could hang.

#include <string>
#include <string_view>

namespace pawl::os {

// "/srv/far" of "/srv/far/project": by the letters of the path, links are not followed. "/" when nothing else fits.
std::string mount_of(const std::string& path);
// It is that folder, or in it: by the letters, too.
bool below(std::string_view path, std::string_view folder);
// The mount in a list such as /proc/self/mountinfo.
std::string mount_in(std::string_view list, const std::string& path);

}  // namespace pawl::os
