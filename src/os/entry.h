#pragma once
// What can lie at a path, as one look tells it. The real disk and the one in memory (store/disk.h) share this: the same kinds, and
// the same words when one of them is no file.

#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/result.h"

namespace pawl::os {

inline constexpr size_t kFileBytes = 64u << 20;  // no file that is read whole is larger

enum class Kind : uint8_t { file, folder, link, pipe, socket, device };
const char* words(Kind kind);  // "a named pipe", "a folder"

struct Entry {
  Kind kind = Kind::file;
  uint64_t size = 0;  // of a file
  WallTime modified = {};
};

struct Space {
  uint64_t free_bytes = 0;
  uint64_t total_bytes = 0;
};

// Why what is no file is neither read nor written.
tl::unexpected<Error> refusal(const std::string& path, Kind kind);

}  // namespace pawl::os
