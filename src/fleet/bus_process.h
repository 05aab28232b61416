#pragma once
// The daemon's end of the bus: a child `pawl-bus`, started, watched and started again. It may block, crash and be stopped; nothing
// here waits for it.
//
// It is over when it ends, says what makes no sense, or leaves kMaxPulses questions in a row unanswered (then it is killed). The link is
// down then, everything unanswered is told as `unknown`, and the next one is started after a pause that grows. What is asked while
// the link is down, or while too much is on its way, is told as `unknown` without being sent.

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/frame.h"
#include "fleet/bus_wire.h"
#include "fleet/parting.h"
#include "os/child.h"
#include "os/fd.h"
#include "os/loop.h"

namespace pawl::fleet {

inline constexpr Duration kPulses = std::chrono::seconds{2};
inline constexpr int kMaxPulses = 5;
inline constexpr int kSteadyPulses =
    30;  // the link was up for so long: the next pause is short again
inline constexpr Duration kBusStartsFirst =
    std::chrono::milliseconds{500};  // … again; then twice as long
inline constexpr Duration kBusStartsLast = std::chrono::seconds{30};
inline constexpr size_t kMaxUnanswered = 4096;
inline constexpr size_t kMaxBusSending = 8u << 20;

// Beside our own executable, in ../libexec/pawl, or where PAWL_BUS says.
Result<std::string> find_pawl_bus();

class BusProcess {
 public:
  using Heard = std::function<void(const BusNews&)>;

  // `argv`: the program; empty: find_pawl_bus() says, at every start. `heard` is never called from a call of ours.
  BusProcess(os::Loop& loop, Parting& parting, BusJoin join, Heard heard,
             std::vector<std::string> argv = {});
  ~BusProcess();
  BusProcess(const BusProcess&) = delete;
  BusProcess& operator=(const BusProcess&) = delete;

  void ask(const BusAsk& ask);
  bool up() const { return up_; }
  size_t unanswered() const { return unanswered_.size(); }
  size_t sending() const { return out_.size(); }
  std::optional<pid_t> pid() const;

 private:
  void begin();
  Done start();
  void ready(os::FdWatch::Ready what);
  void read();
  void take(FromBus said);
  void linked(const BusLink& link, uint64_t number);
  void pulse();
  void send(const std::string& frame);
  void write();
  void watch();
  void over(std::string because);
  void down(std::string because);
  void tell_queued();

  os::Loop& loop_;
  Parting& parting_;
  BusJoin join_;
  Heard heard_;
  std::vector<std::string> argv_;
  std::unique_ptr<os::Child> child_;
  os::Fd fd_;
  std::string out_;
  std::optional<api::FrameReader> reader_;
  bool up_ = false;
  uint64_t link_ = 0;    // its number, as its program counts
  std::string because_;  // told last
  std::set<uint64_t> unanswered_;
  std::deque<BusNews> queued_;  // told in the next turn
  uint64_t pulses_ = 0;
  bool* gone_ = nullptr;  // while it is told
  int silent_ = 0, steady_ = 0;
  Duration pause_ = kBusStartsFirst;
  os::Timer timer_;  // the next pulse, or the next start
  os::Soon soon_;
  os::FdWatch watch_;
};

}  // namespace pawl::fleet
