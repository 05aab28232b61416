#pragma once
// For what becomes another program: signals as a program expects to find them, whoever started us.

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace pawl::host {

// By the kernel's own calls: the C library keeps 32 and 33 to itself and would leave them as whoever started us had them (ignored,
// when that was posix_spawn). All zero is SIG_DFL, no flags and an empty mask on every 64-bit Linux.
inline void default_signals() {
  constexpr int kLastSignal = 64;
  constexpr size_t kMaskBytes = 8;
  const unsigned long nothing[4] = {};
  for (int number = 1; number <= kLastSignal; ++number)
    syscall(SYS_rt_sigaction, number, nothing, nullptr, kMaskBytes);
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, nothing, nullptr, kMaskBytes);
}

}  // namespace pawl::host
