#pragma once
// An agent on its way to another machine (`pawl move`, api/mover.h). Each step is in the journal before it is done, so that every daemon
// that comes after a kill knows who may run the conversation: never both machines at once.

#include <string>

#include "base/json.h"
#include "model/asker.h"

namespace pawl::model {

struct Agent;
struct Event;

enum class MoveStep {
  leaving,  // it is ended here and its conversation is sent; nobody starts it
  given,    // that machine is told to start it: from now on it may run there
  gone,     // it was seen running there
  back,     // it is this machine's again, because of something
  came,     // that machine sent it to us
};
std::string_view word(MoveStep step);

struct Moved {
  MoveStep step = MoveStep::leaving;
  std::string machine;       // the other one
  std::string move;          // which move: nobody can guess it
  std::string there = {};    // what it is called there
  std::string because = {};  // of `back`
  Asker by = {};             // who asked for it
  bool operator==(const Moved&) const = default;
};

Json to_json(const Moved& fact);  // a line of the journal, and of a snapshot
Moved moved_from(const Json& json);
void fold(Agent& agent, const Event& event, const Moved& fact);

// It is not this machine's: leaving, given or gone. Empty: it is; else "docs has moved to gpu".
std::string away_text(const Agent& agent);
// … and what to do about it.
std::string away_todo(const Agent& agent);

}  // namespace pawl::model
