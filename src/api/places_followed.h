#pragma once
// The events of several machines in one stream, each with its "machine". With `follow` as they come: those of one machine in its own
// order, each once; when a machine goes away and comes back that is an event, too, and it goes on after the last one it told. Without
// it: all there are, by their times; who says nothing for kPlacesWithin is left out, and the last answer says so.

#include <deque>
#include <list>

#include "api/kept_line.h"
#include "api/stream.h"

namespace pawl::api {

struct EventsAsk {
  Json request;
  std::string from;  // who asks
  bool follow = false;
  std::string since;  // for the others: our numbers mean nothing there
};

class PlacesFollowed {
 public:
  PlacesFollowed(core::Engine& engine, Server& server, Caller caller, EventsAsk ask,
                 const Clock& now);
  StreamEnd pump(StreamContext& context);
  void answered(const Clock& now, const core::Answer& answer) { own_.answered(now, answer); }
  std::optional<MonoTime> wake_at() const;

 private:
  struct Party {
    std::optional<KeptLine> kept = {};  // none: this machine
    int64_t last = 0;                   // the number of the last event that it told
    std::deque<Json> heads = {};        // that were not passed on yet
    int greeted = 0;  // the number of the line that has said where its journal ends
    bool over = false;
    std::string because = {};  // it was left out
    MonoTime heard{};
  };
  std::vector<Json> opening(const Party& party) const;
  void hear_own(const Clock& now, size_t room);
  void hear(Party& party, const Clock& now);
  void take(Party& party, const Clock& now, const Json& said);
  void greet(Party& party, const Json& status);
  void told(Party& party, const Json& reply, const Clock& now);
  void look_at(Party& party, const Clock& now);
  bool pass_on(StreamContext& context, size_t limit);
  Party* next_of_all();
  Json rows() const;

  EventsAsk ask_;
  Line own_;
  std::list<Party> parties_;  // this machine's first
  std::optional<Error> wrong_;
};

// What "since" means on other machines: an event's number here is its time there.
Result<std::string> since_abroad(core::Engine& engine, const Clock& now, const std::string& since);

}  // namespace pawl::api
