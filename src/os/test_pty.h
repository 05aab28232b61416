#pragma once
// For tests: a real terminal with nobody in it.

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cstdint>
#include <cstdlib>

#include "os/fd.h"

namespace pawl::os {

struct TestPty {
  TestPty() : master(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    if (::unlockpt(master.get()) != 0) std::abort();
    slave.reset(::ioctl(master.get(), TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC));
    struct stat info {};
    if (::fstat(slave.get(), &info) != 0) std::abort();
    number = minor(info.st_rdev);
    device = (136u << 8) | (number & 0xff) | ((number & 0xfff00) << 12);
  }
  Fd master, slave;
  unsigned number = 0;  // /dev/pts/NUMBER
  uint32_t device = 0;  // as /proc/PID/stat writes it
};

}  // namespace pawl::os
