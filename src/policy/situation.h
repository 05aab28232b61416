#pragma once
// What a rule sees, and what it says. Rules are pure: an agent as the journal knows it, its configuration, the time. No
// screen, no socket, no clock. The first rule that claims a situation decides it; what the rules before it said is kept, so
// that every decision explains itself.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/zone.h"
#include "model/fleet.h"
#include "model/surroundings.h"

namespace pawl::policy {

using model::Action;
using model::Agent;
using model::Launch;
using model::Restart;
using model::State;

// Signs of life of a run, as the one who hears it knows them. Time without a daemon is no silence.
struct Signs {
  std::optional<WallTime> launched;    // the run under way
  std::optional<WallTime> wrote;       // … something, or worked, the last time; none: nothing yet
  std::optional<WallTime> idle = {};   // the last look since then that found no work either
  std::optional<WallTime> asked = {};  // the last look that found its question on its terminal
};

struct Situation {
  WallTime now;
  const Agent& agent;
  const model::Fleet& fleet;          // for what others of the same account know
  std::optional<bool> auto_continue;  // CC_AUTO_CONTINUE of its env file; none: not said there
  Signs signs = {};
  std::string compact = {};  // what makes its program shorten its context; empty: nothing does
  bool leavable = false;     // a key is known that leads back to its prompt
  bool own_text = false;     // what Pawl typed last is known, and can be taken out of the box again
  std::optional<model::Surroundings> before =
      {};                         // of an agent that lives in a loop, while it is not running
  std::optional<Zone> zone = {};  // of its schedule
  std::string held = {};          // why the first text of its outbox may not be typed now
  std::string lease = {};  // why nothing may be begun for this task of the fleet; empty: it may
  const std::set<std::string>* limited = nullptr;  // who is at a limit; null: to be looked for
};

// What to do now (an action), or when to look again (until), or nothing until something happens.
struct Choice {
  std::optional<Action> action;
  std::string because;
  int attempt = 1;
  std::string matter = {};             // see model::Matter
  std::string how = {};                // see model::Decided
  std::optional<WallTime> until = {};  // with an action: what is waited for; else: look again then
  std::string todo = {};               // of a park or escalate: what a person can do
};

inline Choice nothing(std::string because) {
  Choice choice;
  choice.because = std::move(because);
  return choice;
}
inline Choice wait(WallTime until, std::string because) {
  Choice choice = nothing(std::move(because));
  choice.until = until;
  return choice;
}
inline Choice act(Action action, std::string because) {
  Choice choice = nothing(std::move(because));
  choice.action = action;
  return choice;
}

inline Duration seconds(double s) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(s));
}

}  // namespace pawl::policy
