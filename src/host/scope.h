#pragma once
// A scope of systemd's beside the service that the daemon is. Groups with limits are made there: systemd could not start the service
// again while its own cgroup had them (os/cgroup.h). It is asked for with `systemd-run --scope`, so nothing is linked for it, and
// where that does not work `why` says so and everything is as without it.
//
// What runs in the scope for us is `cat`, at the other end of a socket of ours. It gives our byte back as soon as the scope is there, and
// ends when we do, however that happens. systemd removes a scope with its last process: one in which tasks run stays until they end,
// and is not used again, because the next daemon has one of its own beside it.
//
// Nothing waits for systemd: `settled` is called, from the loop, when it has answered or kScopeAnswers has passed. Asked again after a
// minute, two … an hour; at once when a scope that was there for a minute was lost. Made and used by limits.h alone.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "os/child.h"
#include "os/fd.h"
#include "os/loop.h"

namespace pawl::host {

constexpr Duration kScopeAnswers = std::chrono::seconds(10);
constexpr Duration kScopeAgain = std::chrono::minutes(1);  // the first time, then twice that …
constexpr Duration kScopeAgainMost = std::chrono::hours(1);

// The command that asks for it; empty: this is no service of this user's systemd. Nobody else's is asked: what an administrator's
// service may do on the network and with devices holds for its own cgroup alone. `service`: the folder of its cgroup. `newer`: with
// what only systemd 253 knows.
std::vector<std::string> scope_line(const std::string& service, const std::string& unit,
                                    bool newer);

class Scope {
 public:
  // `mark`: of this home, how its name begins. `root`: where /proc and /sys are.
  Scope(os::Loop& loop, std::string mark, std::function<void()> settled, std::string root = "",
        Duration answers = kScopeAnswers);

  // For this service, from now on.
  void want(const std::string& service);
  bool asking() const { return state_ == State::asking; }
  const std::string& dir() const { return dir_; }  // of its cgroup; empty: it is not there
  const std::string& why() const { return why_; }

 private:
  enum class State { resting, asking, there };
  void ask();
  void start();
  std::string free_name();
  void answered();
  void silent();
  void part();
  void over(const os::ChildEnd& end);
  void fail(std::string why);
  void settle(State state, const std::string& dir);
  void again();

  os::Loop& loop_;
  std::string mark_, root_;
  Duration answers_;
  std::function<void()> settled_;
  std::string service_, unit_, dir_, why_;
  State state_ = State::resting;
  bool newer_ = true;   // it may know what systemd 253 knows
  unsigned asked_ = 0;  // in its name
  Duration wait_{0};    // before it is asked again
  os::Fd fd_;
  std::unique_ptr<os::Child> child_, parting_;
  os::FdWatch watch_;
  os::Timer limit_, again_;
};

}  // namespace pawl::host
