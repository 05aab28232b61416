#pragma once
// The command line's end of the local socket. Starts the daemon when there is none, as tmux does. Never waits for a daemon that gives
// no sign of life, or says that it does (pulse.h).

#include <functional>
#include <optional>
#include <string>

#include "api/frame.h"
#include "cli/pulse.h"
#include "os/fd.h"

namespace pawl::cli {

// What send() and receive() fail with when the daemon ends.
inline constexpr const char* kDaemonGone = "the daemon has gone";

// How a daemon is started in the background: `pawl __daemon`, with a pipe on descriptor 3 that gets the word, or the reason
// why it cannot start.
inline constexpr const char* kBackgroundDaemon = "__daemon";
inline constexpr const char* kReadyWord = "ready";
inline constexpr int kReadyFd = 3;

// How to wait for a daemon that gives no sign of life: not at all, or by a clock of one's own, saying so.
struct Patience {
  bool own_clock = false;
  std::optional<Duration> at_most = {};  // … which ends here: exit code 124
};

// A daemon of this home that lives, though it cannot be reached by the socket: it starts, or its socket or the whole home was
// removed under it.
struct Unreachable {
  pid_t pid = 0;  // 0: not known yet
  enum class Why { starting, socket_gone, home_gone, silent } why = Why::starting;
  std::string text() const;  // "the socket of the daemon (pid 7) is gone …"
};
std::optional<Unreachable> unreachable_daemon(const std::string& home);

class Client {
 public:
  enum class Start { yes, no };
  enum class Wait { yes, no };
  enum class Environment { left_out, given };
  // Connects; with Start::yes a missing daemon is started and waited for. One that lives and cannot be reached is waited for in
  // any case, as long as it takes to make its socket again.
  static Result<Client> connect(const std::string& home, Start start);

  // A request with our folder and, as `run` and `up` need it, our environment and configuration file.
  static Json request(const std::string& verb, Json args,
                      Environment environment = Environment::left_out);

  // Asks and waits for the reply. What comes before it goes to these.
  struct Sinks {
    std::function<void(const Json&)> event;
    std::function<void(std::string_view)> output;
  };
  Result<Json> ask(const Json& request, const Sinks& sinks = {}, const Patience& patience = {});

  Done send(std::string_view bytes);
  // As much as is taken now, from the front; false: the daemon is gone.
  bool send_some(std::string& bytes);
  // What has arrived; blocks only with Wait::yes when nothing is there. An error: the daemon is gone, or silent.
  Result<std::optional<api::Frame>> receive(Wait wait, const Patience& patience = {});
  int fd() const { return fd_.get(); }
  Pulse& pulse() { return pulse_; }

 private:
  Client(const std::string& home, os::Fd fd);
  Done wait(short events, const Patience& patience);
  Done note_silence(MonoTime now, const Patience& patience);

  os::Fd fd_;
  api::FrameReader reader_;
  Pulse pulse_;
  std::optional<MonoTime> until_;  // the own clock's end
  bool told_ = false;              // the person, that it is silent
};

}  // namespace pawl::cli
