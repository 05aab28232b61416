#pragma once
// Numbers nobody can guess, from the kernel. For names that must not be met twice; nothing that is decided depends on them.

#include <string>

namespace pawl::os {

std::string random_uuid();  // version 4, small letters

}  // namespace pawl::os
