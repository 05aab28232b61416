#pragma once
// `crash.log` in an agent's folder: one entry per bad end of its program, for a person. The older half goes to `crash.log.1`.

#include <string>

#include "base/result.h"
#include "store/disk.h"

namespace pawl::store {

inline constexpr uint64_t kCrashLogBytes = 1u << 20;

Done append_crash(Disk& disk, const std::string& path, const std::string& entry);

}  // namespace pawl::store
