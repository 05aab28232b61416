#pragma once
// How much memory and CPU a program and everything it starts may have, as people write it and read it.
// Who keeps it: host/limits.h.

#include <cstdint>
#include <string>

#include "base/result.h"

namespace pawl::model {

constexpr uint64_t kLeastMemory = 4u << 20;  // less is a mistake: nothing runs in it
constexpr int kMostCpu = 100'000;            // percent of one processor

// "512M", "4G", "1.5GiB": powers of 1024. An empty text is no limit: 0.
Result<uint64_t> memory_limit(const std::string& text);
// "200%" is two processors. An empty text is no limit: 0.
Result<int> cpu_limit(const std::string& text);

// "3.1 GiB", "100 MiB".
std::string memory_text(uint64_t bytes);

}  // namespace pawl::model
