#pragma once
// The command line's end of the local socket. Starts the daemon when there is none, as tmux does.

#include <functional>
#include <optional>
#include <string>

#include "api/frame.h"
#include "os/fd.h"

namespace pawl::cli {

// What send() and receive() fail with when the daemon ends.
inline constexpr const char* kDaemonGone = "the daemon has gone";

// How a daemon is started in the background: `pawl __daemon`, with a pipe on descriptor 3 that gets the word, or the reason
// why it cannot start.
inline constexpr const char* kBackgroundDaemon = "__daemon";
inline constexpr const char* kReadyWord = "ready";
inline constexpr int kReadyFd = 3;

class Client {
 public:
  enum class Start { yes, no };
  // Connects; with Start::yes a missing daemon is started and waited for.
  static Result<Client> connect(const std::string& home, Start start);

  // A request with our folder and, as `run` and `up` need it, our environment and configuration file.
  static Json request(const std::string& verb, Json args, bool with_environment = false);

  // Asks and waits for the reply. What comes before it goes to these.
  struct Sinks {
    std::function<void(const Json&)> event;
    std::function<void(std::string_view)> output;
  };
  Result<Json> ask(const Json& request, const Sinks& sinks = {});

  Done send(std::string_view bytes);
  // What has arrived; blocks only when `wait` is set and nothing is there. An error: the daemon is gone.
  Result<std::optional<api::Frame>> receive(bool wait);
  int fd() const { return fd_.get(); }

 private:
  explicit Client(os::Fd fd) : fd_(std::move(fd)), reader_(api::kMaxReply) {}

  os::Fd fd_;
  api::FrameReader reader_;
};

}  // namespace pawl::cli
