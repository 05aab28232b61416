#pragma once
// What the rules (policy/) remember of an agent. A part of the fold like everything else: it outlives the daemon, and the
// same history gives the same memory.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "model/dialog.h"
#include "model/sessions.h"
#include "model/spec.h"
#include "model/spending.h"
#include "model/state.h"
#include "model/work.h"

namespace pawl::model {

// A trouble that is being dealt with, one at a time. People are told of it once.
struct Matter {
  std::string id;  // "nudge", "limit", "auth", "dialog Do you want to …"; empty: none
  int tries = 0;
  std::optional<WallTime> last;  // … of them
  bool told = false;             // a person knows
  bool operator==(const Matter&) const = default;
};

inline constexpr size_t kRestartsKept = 64;

struct Memory {
  std::optional<WallTime> rested;   // idle from here on: the end of a turn, or the last nudge
  std::optional<WallTime> working;  // the turn under way began
  std::optional<WallTime> nudged;   // the last time
  std::optional<WallTime> woken;    // … because its limit was over, or might be
  std::optional<WallTime> swept;    // a text of ours was to be taken out of its box again
  std::optional<WallTime> human;    // a person's last key, for the gate
  std::vector<WallTime> restarts;   // by a rule, the newest last
  bool seen = false;                // its interface, since it was started
  bool resumed = false;             // the last start was to go on with its conversation
  bool named = false;               // … began a conversation under a name of ours
  bool nameless = false;   // it did not come up with a name: the next conversation gets none
  bool told = false;       // it has been given something to do since it was started
  bool dismissed = false;  // it ended because somebody asked for that
  Matter matter;
  Sessions sessions;
  Desk desk;
  Spending spending;
  Duration
      task_unseen{};  // since its task was given: nobody was there, or its account was at its limit
  std::optional<Answer> answered;  // by a person, the last time
  std::vector<Answer> answers;     // kept as rules
  bool operator==(const Memory&) const = default;
};

// It went from one state to another.
void remember(Memory& memory, const AgentSpec& spec, State from, State to, WallTime at);
// Before its interface was there: it may not know the argument that gives its conversation a name. When it does not come up
// without one either, that was not why.
void ended_before_seen(Memory& memory, const Ending& ending);
// A turn that is no answer to a nudge counts when it is longer than a flicker.
inline constexpr double kFlickerS = 2;
// … and the answer to one begins within this.
inline constexpr double kAnswerS = 60;

// Nobody was there for so long: it counts neither as idle nor as dead (X10).
void forget_gap(Memory& memory, Duration gap);
// The clock was set: what is kept as a time of the world goes with it.
void move_clock(Memory& memory, Duration by);

Json to_json(const Memory& memory);
Memory memory_from(const Json& json);

}  // namespace pawl::model
