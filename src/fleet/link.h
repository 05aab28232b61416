#pragma once
// One connection to a machine's daemon: a child `ssh … pawl __relay` whose standard input and output are that daemon's local socket.
// Until the relay has said its line, which tells its version, nothing of what the other shell prints is taken for an answer.
//
// Nothing here waits. What is sent before it is open is kept; who does not open within kOpens is given up.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "fleet/parting.h"
#include "fleet/ssh.h"
#include "os/child.h"
#include "os/fd.h"
#include "os/loop.h"

namespace pawl::fleet {

// What the relay says first: this, its version and a line end.
inline constexpr std::string_view kRelaySays = "pawl-relay 1 ";
inline constexpr Duration kOpens = std::chrono::seconds{10};
inline constexpr size_t kMaxBefore = 64u << 10;  // of what a shell prints by itself
inline constexpr size_t kMaxSending = 1u << 20;  // then whoever gives it more has to wait

class Link {
 public:
  // `changed`: it is open, has bytes, has room again, or is over. It is never called from a call of ours.
  Link(os::Loop& loop, Parting& parting, const Machine& machine, const SshCall& call,
       const std::string& dir, std::function<void()> changed);
  ~Link();
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  bool open() const { return !version_.empty() && !end_; }
  const std::string& version() const { return version_; }   // of the pawl there
  const std::optional<Error>& end() const { return end_; }  // why it is over

  void send(std::string_view bytes);
  size_t sending() const { return out_.size(); }
  std::string take() { return version_.empty() ? "" : std::exchange(in_, {}); }
  void rest(bool rests);  // what arrives is left where it is

 private:
  void begin(const SshCall& call, const std::string& dir);
  void ready(os::FdWatch::Ready what);
  bool read();
  void greet();
  void write();
  void watch();
  void over(const os::ChildEnd& end);
  void give_up(Error why);

  os::Loop& loop_;
  Parting& parting_;
  Machine machine_;
  std::function<void()> changed_;
  os::Fd fd_;
  std::string in_, out_, version_;
  bool rests_ = false, closed_ = false;
  std::optional<Error> end_;
  std::unique_ptr<os::Child> child_;
  os::Timer opens_;
  os::Soon tell_;
  os::FdWatch watch_;
};

}  // namespace pawl::fleet
