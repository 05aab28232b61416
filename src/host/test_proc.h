#pragma once
// For tests: made-up processes around a real terminal, in a folder that os::Proc takes for /proc.

#include <fstream>
#include <string>

#include "base/result.h"
#include "base/test_dir.h"
#include "os/file.h"
#include "os/proc.h"
#include "os/test_pty.h"

namespace pawl::host {

struct Who {
  pid_t pid, parent, group;
  std::string name;
  char state = 'S';
  int ticks = 0;
  uint64_t start = 100;
  int reaped = 0;
  bool detached = false;  // leads a session of its own, without a terminal
};

struct TestProc {
  TestProc() {
    CHECK(os::make_private_dir(dir / "thread-self"));
    write(dir / "thread-self/children", "");
  }

  // Of session 10.
  void add(const Who& who) {
    const std::string task = "/task/" + std::to_string(who.pid);
    CHECK(os::make_private_dir(of(who.pid) + task));
    write_stat(who);
    write(of(who.pid) + "/cmdline", who.name + std::string("\0-x\0", 4));
    write(of(who.pid) + task + "/children", "");
    const std::string siblings =
        of(who.parent) + "/task/" + std::to_string(who.parent) + "/children";
    if (const auto old = os::read_file(siblings))
      write(siblings, *old + std::to_string(who.pid) + " ");
  }
  void write_stat(const Who& who) const {
    std::ofstream(of(who.pid) + "/stat")
        << who.pid << " (" << who.name << ") " << who.state << " " << who.parent << " " << who.group
        << " " << (who.detached ? who.pid : 10) << " " << (who.detached ? 0 : pty.device) << " "
        << front << " 0 0 0 0 0 " << who.ticks << " 0 " << who.reaped << " 0 20 0 1 0 " << who.start
        << " 0 0";
  }
  // Not to the disk: there are hundreds.
  static void write(const std::string& path, const std::string& text) {
    std::ofstream(path) << text;
  }
  std::string of(pid_t pid) const { return dir / std::to_string(pid); }

  TestDir dir;
  os::TestPty pty;
  pid_t front = 10;  // the foreground group of whoever is added next
  os::Proc proc{dir.path()};
};

}  // namespace pawl::host
