#pragma once
// How full the memory is that a program started now would get: that of the container (cgroup v2) when it has a limit, else the
// machine's. What the kernel could take back at once is not counted as used.

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

namespace pawl::os {

struct MemoryUse {
  int percent = 0;
  std::string of;  // "the container's 2048 MB", "the machine's 24064 MB", for people
};

// `root`: where /proc and /sys are; tests have their own.
std::optional<MemoryUse> memory_use(const std::string& root = "");

// Of one process, in bytes. What is mapped from files is not counted: the kernel can take it back.
struct ProcessMemory {
  uint64_t own = 0;     // memory of no file
  uint64_t shared = 0;  // … that others may have as well
};
std::optional<ProcessMemory> process_memory(pid_t pid, const std::string& proc = "/proc");

// What was freed in the middle of our own heap goes back to the kernel. Nothing else happens meanwhile: a few milliseconds. A large heap
// is left alone, where it takes tenths of a second.
inline constexpr size_t kTidiedHeap = 64u << 20;
void give_back_memory();

}  // namespace pawl::os
