#pragma once
// Waiting for agents or tasks of several machines at once: until each machine says that its own are so far, or, with `any`, one of
// them does. A machine that goes away is waited for, and it is told; when it is back it is asked again, for the time that is left.

#include <map>
#include <vector>

#include "api/kept_line.h"
#include "api/stream.h"

namespace pawl::api {

struct WaitAsk {
  Json request;
  std::map<std::string, Json> at;  // by machine, "" is this one: the arguments
  std::string from;                // who asks
  std::optional<MonoTime> deadline = {};
};

class PlacesAwaited {
 public:
  PlacesAwaited(core::Engine& engine, Server& server, const Caller& caller, WaitAsk ask,
                const Clock& now);
  StreamEnd pump(StreamContext& context);
  void answered(const Clock& now, const core::Answer& answer);
  std::optional<MonoTime> wake_at() const;

 private:
  struct Party {
    std::string machine;
    Json args;
    std::optional<KeptLine> kept = {};  // of another one
    int greeted = 0;                    // the number of the line that has answered at all
    std::optional<Json> answer = {};
  };
  std::optional<Frame> next(Party& party, StreamContext& context);
  std::vector<Json> opening(const Party& party, const Clock& now) const;
  StreamEnd take(Party& party, const Frame& frame, StreamContext& context);
  Json whole() const;
  Error late() const;

  WaitAsk ask_;
  std::string verb_;
  const std::function<Places()>* places_;
  bool any_;
  std::optional<Line> own_;
  std::vector<Party> parties_;
};

}  // namespace pawl::api
