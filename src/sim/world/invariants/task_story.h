#pragma once
// What the world knows of one task: what was ordered, and what its runs really did. Kept by the checker `tasks`.

#include <optional>
#include <string>
#include <string_view>

#include "model/spec.h"
#include "model/task.h"
#include "sim/world/agents/log.h"

namespace pawl::sim {

// When there was a daemon.
struct Attendance {
  MonoTime died{}, came{};  // the last one, and its successor
  Duration away{};          // of all of them, until `came`
};

struct TaskStory {
  // As it was given.
  model::TaskOrder order;
  model::TaskHealth health;
  double margin_s = 0;
  MonoTime given{};
  Duration away{};  // of the daemon, until then
  // Its runs.
  int runs = 0, free = 0;                // free: of those before, that cost no try
  std::optional<MonoTime> began, ended;  // the last one; ended: unless it runs
  MonoTime spoke{}, works{}, works_until{};
  std::string words;                    // its last record: Entry::told
  std::optional<model::Ending> ending;  // where anybody can know it
  WallTime limit{};
  uint64_t printed = 0;
  Duration limited{};  // waited for limits, until the last run …
  MonoTime waits{};    // … and since then
  Duration away_then{};
  // What was decided, and by whom.
  int tries = 0, asks = 0;
  MonoTime asked{}, decided{}, told{}, held{}, finished{};
  bool by_rule = false, cancelled = false, over = false;
  bool said = false;  // a violation: once is enough

  void heard(const Entry& entry, const Attendance& daemon);
  // Another run is decided on. What it waited for until then is none of its time.
  void begins_again(MonoTime now, const Attendance& daemon);
  bool runs_now() const { return began && !ended; }
  // It came to a good end, and how; none: it did not.
  std::optional<model::TaskStatus> success() const;
  bool waits_for_limit(WallTime now) const;
  // Of its time; what it waited for a limit, and what nobody saw, is none of it.
  Duration used(MonoTime now, const Attendance& daemon) const;
  // How long it may say nothing.
  double patience_s() const;
  // `kernel`: until then it said nothing of what processes do.
  MonoTime last_life(MonoTime now, MonoTime kernel) const;
  std::string last_words() const;
  // What is wrong with its output.log; empty: nothing. `whole`: all that its last run printed was heard.
  std::string misprinted(std::string_view output, bool whole) const;
};

}  // namespace pawl::sim
