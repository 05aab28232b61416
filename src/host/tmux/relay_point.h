#pragma once
// Where tmux panes meet us: a private socket in the Pawl home, and the two small programs (of our own executable) that come
// to it from inside tmux.
//
//   pawl __relay SOCKET TOKEN   run by pipe-pane: hands over its standard input, tmux's end of the pane's pipe, and leaves.
//                               The pane's bytes then come straight to us, without a process in between.
//   pawl __gate SOCKET TOKEN    run as the first program of a pane of our own server: waits until its output is watched from
//                               the first byte on, gets what to run, and becomes that. Nothing of it is on a command line.

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

#include "base/result.h"
#include "host/host.h"
#include "os/fd.h"
#include "os/loop.h"

namespace pawl::host {

constexpr size_t kCallersAtOnce = 256;

class RelayPoint {
 public:
  struct Handlers {
    std::function<void(const std::string& token, os::Fd stream)> relayed;
    std::function<void(const std::string& token, os::Fd connection)> waiting;  // a gate
  };

  RelayPoint(os::Loop& loop, std::string dir, Handlers handlers);
  Done listen();  // once, at the first need

  // The shell commands that tmux is to run.
  std::string relay_command(const std::string& pawl, const std::string& token) const;
  std::string gate_command(const std::string& pawl, const std::string& token) const;

 private:
  struct Caller {
    os::Fd fd;
    os::FdWatch watch;
  };
  void accept();
  void hear(int key);

  os::Loop& loop_;
  std::string dir_;
  Handlers handlers_;
  os::Fd listener_;
  os::FdWatch watch_;
  int last_ = 0;
  std::unordered_map<int, std::unique_ptr<Caller>> callers_;
};

// Lets a gate go on. Its connection then ends when the program runs, or carries a wire::OpenFailed before.
Done open_gate(int connection, const Launch& launch);

// The two programs; argv as above.
int relay_main(int argc, char** argv);
int gate_main(int argc, char** argv);

}  // namespace pawl::host
