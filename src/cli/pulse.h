#pragma once
// Whether the daemon lives while we wait for it. A verb may take as long as it likes; when nothing was heard for a while, a second
// connection asks for the status, and any answer to it is a sign of life. That needs nothing of the daemon: one of any version
// answers, and one that is stopped or hangs does not.
//
// Pure bookkeeping but for that connection: whoever waits polls fd() along with its own, and calls go_on().

#include <sys/types.h>

#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "os/fd.h"

namespace pawl::cli {

inline constexpr Duration kSilence = std::chrono::seconds{5};        // a question without an answer
inline constexpr Duration kStartSilence = std::chrono::seconds{30};  // … of a daemon that starts
inline constexpr Duration kAskAfter = std::chrono::seconds{2};       // of nothing heard

class Pulse {
 public:
  Pulse(std::string home, pid_t daemon) : home_(std::move(home)), daemon_(daemon) {}

  // Something is asked: an answer is due. Without this only its own questions count.
  void asked();
  void heard();  // it said something
  void expect(Duration silence) { silence_ = silence; }

  int fd() const { return question_ ? question_.get() : -1; }
  // When to call go_on() again, in any case.
  int wait_ms() const;
  void go_on(MonoTime now);
  bool silent() const { return silent_; }

  pid_t daemon() const { return daemon_; }
  // What is to be said about it, and what to do.
  Error complaint() const;

 private:
  void ask();
  bool answered();
  Duration limit() const;

  std::string home_;
  pid_t daemon_;
  os::Fd question_;
  bool owed_ = false;         // our own request was not answered yet
  bool unreachable_ = false;  // there is no socket to ask at
  Duration quiet_{0};         // while we were awake
  Duration planned_{0};
  Duration silence_ = kSilence;
  std::optional<MonoTime> last_;
  bool silent_ = false;
};

// Its daemon has not been ready yet: the lock is younger than the sign of life.
bool starting(const std::string& home);
// A process that does not answer: stopped, or at something that does not end.
Error silent_daemon(const std::string& home, pid_t daemon);

}  // namespace pawl::cli
