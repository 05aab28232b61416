#pragma once
// A night, written down: who is there, how they behave, and everything that people, senders and faults do, with times. Drawn from a
// seed (draw.h) or read from a file; played by Night; shortened by shrink. What programs do by themselves follows from their own
// seeds, so that whoever is left out changes nothing for the others.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "model/event.h"
#include "model/spec.h"
#include "sim/world/agents/behaviour.h"
#include "sim/world/agents/task_ways.h"

namespace pawl::sim {

enum class Does : uint8_t {
  // people at a terminal
  types,    // `text` into its box, without Enter
  submits,  // … and with it
  clears,   // the box is empty again
  presses,  // a key: "!", "C-o", "Escape"
  befalls,  // nobody's doing: an order of the program, "ask command rm -rf tmp", "oom" (Program::order)
  answers,  // the row `number` of what it asks, through Pawl; with kKeep as `text`: that is to be a rule
  // people and programs through Pawl
  sends,       // a text
  gives_work,  // a file `text` in its inbox
  rewrites,    // … written again
  takes_back,  // … and gone
  wakes,       // the file wakeup_pending
  pauses,
  resumes,
  stops,
  starts,
  restarts,
  runs_task,     // one of the night's, by the name of its agent: `pawl task start`
  cancels_task,  // `pawl task cancel`
  resumes_task,  // `pawl task resume`; with a `text`: by the file resume in its folder
  loses_folder,  // a task that is not over: `rm -r` of its folder
  loses_lease,   // … of the fleet: somebody else has its unit
  // the world
  kills_daemon,  // after `number` more things it does; it is away for `length`
  kills_holder,  // one of `number`
  suspends,      // for `length`
  sets_clock,    // by `length`
  fills_disk,
  frees_disk,
  breaks_reading,
  mends_reading,  // of its folder
  puts_pipe,      // where a file of its folder is read
  slows_host,     // by `length`
  quickens_host,
  hangs_kernel,
  wakes_kernel,
  deletes_home,
  limits_account,  // of everybody with this account, for `length`
  service_fails,
  service_works,
  reboots,      // the machine is down for `length`
  hangs_mount,  // with its folder, and what work is there
  mends_mount,
  cuts_bus,  // of the fleet, for `length`: no lease is renewed
  calms      // all faults are over
};
std::string_view word(Does does);  // "sends", "kills daemon"
std::optional<Does> does_from(std::string_view word);
// Only a task can be meant.
constexpr bool of_task(Does does) {
  return does == Does::runs_task || does == Does::cancels_task || does == Does::resumes_task ||
         does == Does::loses_folder || does == Does::loses_lease;
}
inline constexpr size_t kDoings = static_cast<size_t>(Does::calms) + 1;

inline constexpr std::string_view kKeep = "keep";

struct Doing {
  Duration at{};  // after the night began
  Does does = Does::sends;
  std::string agent = {};  // empty: nobody's
  std::string text = {};
  Duration length{};
  size_t number = 0;
  // Not at that time: `after` the next decision of this kind about `agent` (or about anybody, when that is empty). Where two things
  // meet within a moment, this is how they do.
  std::optional<model::Action> upon = {};
  Duration after{};
};

struct Actor {
  std::string model;  // of its program: find_model()
  model::AgentSpec spec;
  Behaviour behaviour;
  uint64_t seed = 0;
  bool stays =
      false;  // its behaviour stays as it is when everything else calms down: one thing is odd for ever
};

// A task that somebody may run in the night.
struct TaskActor {
  std::string program;  // "claude": it tells of its turn in records; "plain": it is a command
  model::AgentSpec spec;
  TaskWays ways;
  uint64_t seed = 0;
  bool stays = false;   // as that of an actor
  bool leased = false;  // the fleet gave it to us (leases.cpp)
  // What people call it: its agent's name without what it runs.
  std::string name() const { return spec.name.substr(spec.name.find('-') + 1); }
};

struct NightStory {
  uint64_t seed = 0;
  Duration length{};
  std::vector<Actor> actors;
  std::vector<TaskActor> tasks;
  std::vector<Doing> doings;  // in the order of time
};

}  // namespace pawl::sim
