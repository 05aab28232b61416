#pragma once
// A conversation that is another place's: what the client says goes there, what comes back goes to the client, until that place has
// answered. Terminals as well. Who is slow is not read ahead for.

#include "api/line.h"
#include "api/stream.h"

namespace pawl::api {

struct PassAsk {
  std::string machine;
  Json request;  // with the names that the agents have there
  std::string from;
  // It waits for a place that is not reached, for this reason (later.h); null: it does not.
  std::function<Result<Json>(const Clock& now, const Error& why)> keep = {};
};

class PassedOn {
 public:
  PassedOn(const std::function<Places()>& places, PassAsk ask, const Clock& now);
  StreamEnd pump(StreamContext& context);
  // What else the client says: keys, sizes, control.
  void say(const Clock& now, const Frame& frame);
  std::optional<MonoTime> wake_at() const;

 private:
  std::optional<Error> open(const Clock& now);

  const std::function<Places()>* places_;
  PassAsk ask_;
  MonoTime patience_;  // for a place that is tried for the first time
  std::optional<Line> line_;
};

}  // namespace pawl::api
