#pragma once
// A connection of the interface: questions go out one after the other, answers and what is said besides come in, and nothing ever waits.
// Whoever polls calls hear().

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "cli/client.h"

namespace pawl::cli {

class UiLine {
 public:
  using Answer = std::function<void(const Result<Json>&)>;
  struct Sinks {
    std::function<void(std::string_view)> output = {};
    std::function<void(const Json&)> said = {};  // what is no answer: events, sizes
  };

  bool open(const std::string& home);
  void close();
  bool is_open() const { return client_.has_value(); }
  int fd() const { return client_ ? client_->fd() : -1; }

  // At most kMaxAsked wait; further ones are left out: the asker asks again when something changes.
  static constexpr size_t kMaxAsked = 64;
  void ask(const std::string& verb, Json args, MonoTime now, Answer answer);
  // What has come. False: the daemon has gone, and so is the line.
  bool hear(MonoTime now, const Sinks& sinks);
  // Since when the oldest question waits.
  std::optional<MonoTime> waiting_since() const;

 private:
  struct Question {
    Json request;
    Answer answer;
    MonoTime asked;
  };
  bool send_next(MonoTime now);

  std::optional<Client> client_;
  std::deque<Question> questions_;  // the first one is asked, the others wait
};

}  // namespace pawl::cli
