#pragma once
// A short command of ours: started, fed, listened to, and ended when it takes too long. The loop never waits for it. For
// daemon/: programs that tell a person, and commands of rules.
//
// It runs in a session of its own, without a terminal, with our signals undone and none of our descriptors. What cannot be
// started ends like in a shell: with exit code 127 (no such program) or 126 (no such folder), and says so in its output.
// At the time limit its whole process group gets KILL. What it leaves running in the background when it ends by itself is
// left alone and not waited for.

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "os/fd.h"
#include "os/loop.h"

namespace pawl::os {

inline constexpr size_t kChildOutput = 16u << 10;

struct ChildOrder {
  std::vector<std::string> argv;  // argv[0] is looked for in the PATH of its own environment
  std::vector<std::string> environment = {};  // empty: ours
  std::string dir = "/";
  std::string input = {};  // what it reads; then, or without any, end of file
  int talks = -1;  // a socket: its standard input and output. What it says on stderr is kept then
  Duration limit = std::chrono::seconds{10};  // 0: none
  size_t keep = kChildOutput;                 // bytes of its output: the last ones
};

struct ChildEnd {
  int exit_code = -1;  // when there is no signal
  int signal = 0;
  bool late = false;   // the limit passed: it was killed
  std::string output;  // stdout and stderr, the end of it
  bool fine() const { return exit_code == 0 && signal == 0 && !late; }
};
// The last line of the output that is not blank, one that a person can be shown.
std::string last_line(const ChildEnd& end);

class Child {
 public:
  using Callback = std::function<void(const ChildEnd&)>;

  // Calls back once, from the loop, at its end; that may destroy the Child.
  static Result<std::unique_ptr<Child>> start(Loop& loop, const ChildOrder& order,
                                              Callback callback);
  ~Child();  // kills it if it still runs, and does not wait: for the end of our own process, which ends its zombie as well
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }
  void end_within(Duration limit) { limit_.start(limit); }  // else it is killed
  // From now on this hears of its end.
  void tell(Callback callback) { callback_ = std::move(callback); }

 private:
  Child(Loop& loop, pid_t pid, Fd handle, Fd output, Callback callback);
  void listen();
  void kill_all() const;
  void ended();

  pid_t pid_;
  bool over_ = false;
  Fd handle_;  // a pidfd: readable at its end
  Fd output_;
  Callback callback_;
  ChildEnd end_;
  size_t keep_ = kChildOutput;
  Timer limit_;
  FdWatch watch_output_;
  FdWatch watch_end_;
};

// Where a name is found in this PATH; empty: nowhere. A name with a '/' is looked at as it is.
std::string find_program(const std::string& name, const std::string& path);

}  // namespace pawl::os
