#pragma once
// For tests: we are a service of this user's systemd, in a made-up tree of /proc and /sys, and systemd-run is a script of ours.

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "base/test_dir.h"
#include "os/file.h"

namespace pawl::host {

class TestSystemd {
 public:
  TestSystemd() : slice("/user.slice/user@" + std::to_string(::geteuid()) + ".service/app.slice") {
    write("sys/fs/cgroup/cgroup.controllers", "cpu memory\n");
    write("proc/self/cgroup", "0::" + slice + "/pawl.service\n");
    for (const char* name : {"cgroup.procs", "cgroup.events"})
      write("sys/fs/cgroup" + slice + "/pawl.service/" + name, "");
    (void)os::make_private_dir(dir / "bin");
    ::setenv("PATH", (dir / "bin" + ":" + path_before).c_str(), 1);
  }
  ~TestSystemd() { ::setenv("PATH", path_before.c_str(), 1); }

  void write(const std::string& path, const std::string& text) {
    const std::string whole = dir / path;
    (void)os::make_private_dir(whole.substr(0, whole.rfind('/')));
    std::ofstream(whole) << text;
  }
  // `before`: what it does first; $unit and $line (all it was told) are known.
  void answers_with(const std::string& before) {
    const std::string root = dir.path(), groups = root + "/sys/fs/cgroup" + slice;
    write("bin/systemd-run",
          "#!/bin/sh\nline=\"$*\"\nfor word; do case $word in --unit=*) unit=${word#--unit=};; "
          "esac; done\n" +
              before + "\nmkdir -p " + groups + "/$unit " + root + "/proc/$$\necho cpu memory >" +
              groups + "/$unit/cgroup.controllers; : >" + groups +
              "/$unit/cgroup.subtree_control; echo $$ >" + groups +
              "/$unit/cgroup.procs\necho \"0::" + slice + "/$unit\" >" + root +
              "/proc/$$/cgroup\nwhile [ \"$1\" != -- ]; do shift; done; shift; exec \"$@\"\n");
    ::chmod((dir / "bin/systemd-run").c_str(), 0755);
  }
  std::string service() const { return group("pawl.service"); }
  std::string group(const std::string& name) const {
    return dir / ("sys/fs/cgroup" + slice + "/" + name);
  }

  const std::string path_before = std::getenv("PATH");
  const std::string slice;
  TestDir dir;
};

}  // namespace pawl::host
