#pragma once
// One tmux server, as its clients see it: questions go in, their lines come out. Each batch of questions is one short-lived
// `tmux source-file -`; there is never a control client (it can take the whole server down), never more than one of ours at a
// time, and the server is never started from here. Owned by TmuxHost, driven by the daemon's loop.
//
// A server that does not answer within kAnswerLimit hangs: our client is ended, not the server.

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "os/child.h"
#include "os/loop.h"

namespace pawl::host {

constexpr Duration kAnswerLimit = std::chrono::seconds(5);
constexpr size_t kAnswerBytes = 16u << 20;  // of one batch
constexpr size_t kBatch = 64;               // questions in one
constexpr size_t kQuestionsWaiting = 4096;

class TmuxServer {
 public:
  enum class Health { unknown, up, gone, hung };
  using Lines = std::vector<std::string>;
  // Null: nobody answered (health() says why).
  using Answered = std::function<void(const Lines*)>;

  TmuxServer(os::Loop& loop, std::string socket);

  // Commands as in tmux_text.h. Called back in their order, from the loop. False: too many wait.
  bool ask(std::string script, Answered then);

  const std::string& socket() const { return socket_; }
  Health health() const { return health_; }
  std::string why() const;  // the health, for people

 private:
  struct Question {
    std::string script;
    Answered then;
  };

  void run();
  void ended(const os::ChildEnd& end);
  Health judged(const os::ChildEnd& end, bool whole) const;

  os::Loop& loop_;
  std::string socket_;
  Health health_ = Health::unknown;
  std::deque<Question> waiting_;
  std::vector<Question> asked_;  // of the client that runs
  std::string mark_;             // no screen can print it by accident
  std::unique_ptr<os::Child> client_;
  os::Soon soon_;
};

// What any client of ours is run with: nothing that describes the terminal or the server of whoever started the daemon.
std::vector<std::string> client_environment();

}  // namespace pawl::host
