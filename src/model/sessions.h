#pragma once
// What is remembered of the sessions of an agent: one begins with a start of its program and ends with that program. The loop
// (policy/loop.cpp) and recovery by stages live on it. A part of the fold: it outlives the daemon and the machine.

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "model/event.h"

namespace pawl::model {

enum class SessionEnd {
  none,    // none has ended yet
  clean,   // by itself, with 0
  crash,   // with anything else
  login,   // … for want of one
  memory,  // … killed, as programs are when memory runs out
  unseen,  // nobody was there: a reboot
};
std::string_view word(SessionEnd end);

struct Sessions {
  std::optional<WallTime> began, ended;  // the last one
  SessionEnd last = SessionEnd::none;    // how it ended
  bool worked = false;                   // it did something
  bool archived = false;                 // what recovery wants out of the way was put away
  int crashes = 0;                       // in a row, of whichever kind but logins
  int starved = 0;                       // in a row, for want of memory
  int given = 0;                         // pieces of work, to the one under way
  int took = 0;                          // … of them done, by it or the last one
  int left = 0;  // in a row that began only for work that earlier ones had left
  int idle = 0;  // in a row that ended well and found nothing to do
  std::vector<std::string> transcripts;  // of its conversations, the newest last
  Duration unseen{};                     // since the last one ended: nobody was there
  bool operator==(const Sessions&) const = default;
};

// When the last one ended, for what counts from there.
std::optional<WallTime> counted_end(const Sessions& sessions);
// `left`: nothing waits but work that an earlier one left.
void session_began(Sessions& sessions, bool left, WallTime at);
void work_done(Sessions& sessions);
// `locked_out`: its login did not work at the end.
void session_ended(Sessions& sessions, const AgentSpec& spec, const Ending& ending, bool locked_out,
                   WallTime at);

inline constexpr size_t kTranscriptsKept = 64;
void session_kept_in(Sessions& sessions, const std::string& transcript);

Json to_json(const Sessions& sessions);
Sessions sessions_from(const Json& json);

}  // namespace pawl::model
