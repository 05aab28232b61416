#pragma once
// One request to several machines at the same time, and one answer of all of them (merged.h). Every list of all machines, and acts on
// agents of several.
//
// A list has its answer within kPlacesWithin: who did not answer is a row that says so, never an error for the others. An act is not
// given up: whoever was told to do it may be doing it, and a place that is lost meanwhile says that nobody knows.

#include <map>
#include <string>
#include <vector>

#include "api/line.h"
#include "api/merged.h"
#include "api/stream.h"

namespace pawl::api {

struct PlacesAsk {
  Json request;                    // as it came; what each machine is asked differs in "args"
  std::map<std::string, Json> at;  // … by machine, "" is this one
  bool list = false;               // nothing is changed by it
  std::string from;                // who asks
};

class PlacesAsked {
 public:
  PlacesAsked(core::Engine& engine, Server& server, const Caller& caller, PlacesAsk ask,
              const Clock& now);
  StreamEnd pump(StreamContext& context);
  void answered(const Clock& now, const core::Answer& answer);
  std::optional<MonoTime> wake_at() const;

 private:
  struct Party {
    std::string machine;  // empty: this one
    Json args;
    std::optional<Line> line = {};
    std::optional<Result<Json>> answer = {};
  };
  void open(Party& party, const Clock& now);
  void listen(Party& party, const Clock& now, size_t room);
  void give_up(Party& party) const;
  Result<Json> whole() const;
  Json row(const Party& party) const;
  Part part_of(const Party& party) const;

  Server* server_;
  PlacesAsk ask_;
  std::string verb_;
  MonoTime until_;
  std::vector<Party> parties_;
};

}  // namespace pawl::api
