#pragma once
// For tests: a program called ssh, and a loop that is run until something is true. What ssh does is said by the test, as a shell script.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <functional>

#include "base/test_dir.h"
#include "fleet/link.h"
#include "os/clock.h"
#include "os/file.h"

namespace pawl::fleet {

// What the far side says when it is there.
inline constexpr const char* kGreets = "printf 'pawl-relay 1 9.9\\n'; ";

struct FakeSsh {
  TestDir dir;
  os::Loop loop;
  Parting parting;
  Machine machine{"gpu", "ssh://gpu", {"", "gpu", 0}, ""};

  FakeSsh() {
    const char* path = std::getenv("PATH");
    before_ = path ? path : "";
    ::setenv("PATH", (dir.path() + ":" + before_).c_str(), 1);
  }
  ~FakeSsh() { ::setenv("PATH", before_.c_str(), 1); }

  void does(const std::string& script) {
    std::ofstream(dir / "ssh") << "#!/bin/sh\n" + script + "\n";
    std::filesystem::permissions(dir / "ssh", std::filesystem::perms::owner_all);
  }
  // False: not within the limit.
  bool until(const std::function<bool()>& fine, Duration limit = std::chrono::seconds{20}) {
    const MonoTime end = os::read_clock().mono + limit;
    os::Timer look(loop, [&] {
      if (fine() || os::read_clock().mono >= end) return loop.stop();
      look.start(std::chrono::milliseconds{2});
    });
    look.start(Duration{});
    loop.run();
    return fine();
  }

 private:
  std::string before_;
};

}  // namespace pawl::fleet
