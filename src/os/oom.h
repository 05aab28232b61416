#pragma once
// What the kernel says about processes that it killed for want of memory.

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

namespace pawl::os {

struct KernelWord {
  bool readable = false;  // the kernel's log may be closed to us
  std::string text;       // its line about the process; empty: there is none
};
KernelWord oom_record(pid_t pid, const std::string& log = "/dev/kmsg");

// How many it killed in our container since that began; nothing: not known.
std::optional<uint64_t> oom_kills(const std::string& root = "");
std::string oom_kills_file(const std::string& root = "");  // where it is counted; empty: nowhere

// The most memory that our container ever used, in MB; nothing: not known.
std::optional<uint64_t> memory_peak_mb(const std::string& root = "");

}  // namespace pawl::os
