#pragma once
// Another place where agents run, as this daemon sees it: a machine by ssh (fleet/machines.h), or whatever else has a daemon that can be
// spoken with. Whoever asks several places (places_asked.h, places_followed.h, places_awaited.h, passed_on.h) knows this of one, and
// nothing of how it is reached. Tests put made-up ones here: places_test.cpp, places_random_test.cpp.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "base/result.h"
#include "model/asker.h"

namespace pawl::api {

// One conversation with a daemon, in frames (frame.h). It never waits: when something arrived, the daemon's next turn comes soon, and
// somebody hears it then. To let go of it is to hang up.
class Talk {
 public:
  virtual ~Talk() = default;
  virtual void say(std::string_view frames) = 0;
  // What arrived since, in whatever pieces. Who does not listen holds the other side up, and loses nothing.
  virtual std::string hear() = 0;
  // Nothing more comes after what was heard, and why.
  virtual std::optional<Error> over() const = 0;
};

// Whether a place can be spoken with, as far as this daemon knows without asking.
struct Standing {
  bool online = false;
  WallTime since = {};       // of that
  std::string because = {};  // not online, and what to do
  std::string version = {};  // of its pawl, as it said last; empty: it never did
  // Nobody knows yet: it is tried for the first time, since then.
  std::optional<MonoTime> first_try = {};
};

class Place {
 public:
  virtual ~Place() = default;
  virtual Standing standing() const = 0;
  // As `ls` lists them, as it told them last.
  virtual const std::vector<Json>& agents() const = 0;
  virtual uint64_t told()
      const = 0;  // how often it has told them: the same number, the same agents
  // `from`: who asks, as the far side is told (from_of).
  virtual std::unique_ptr<Talk> talk(const std::string& from) = 0;
  // The command that brings a newer pawl there; empty: there is none.
  virtual std::string update() const { return {}; }
};
using Places = std::map<std::string, Place*>;  // by name

// As they are this very moment; null: it is not there (any more).
Place* place_named(const std::function<Places()>& places, const std::string& name);
// An error: nobody knows a machine of that name.
Error no_such_place(const std::string& name);

// A list waits so long for those who do not answer, and then goes without them.
inline constexpr Duration kPlacesWithin = std::chrono::seconds{2};

// "laptop/person", "laptop/agent docs", "laptop/web operator (token) from 127.0.0.1".
std::string from_of(const model::Asker& asker);

// May this one be spoken for elsewhere? Who comes from another machine may not: machines are reached from where somebody sits.
Done may_go_on(const model::Asker& asker);

// "machine gpu is not reached since …: …"
Error not_reached(const std::string& place, const Standing& standing);

// {"name", "online", "since", "because"}: a row about the place itself.
Json row_of(const std::string& place, const Standing& standing);

// Versions may differ by one minor. Empty: these two do not differ more; else what to tell about the other one.
std::string skew_of(const std::string& ours, const std::string& theirs);

// A request as another machine gets it: with these arguments, and without what means nothing there.
Json abroad(const Json& request, const Json& args);

// The command that brings a newer pawl to a machine by ssh.
std::string update_of(const std::string& machine, const std::string& url);

// What the far side said, in our words where it is too old for the verb.
Error said_by(const std::string& place, const std::string& version, const std::string& update,
              const std::string& verb, Error error);

}  // namespace pawl::api
