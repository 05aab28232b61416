#pragma once
// What a person asked for: one agent as configured, every key with its default (interfaces: "Configuration").
// A value; it never changes while the agent runs, only by another `registered` event.

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/units.h"
#include "model/words.h"

namespace pawl::model {

struct CrashLoop {
  int count = 5;
  double window_s = 900;
  bool operator==(const CrashLoop&) const = default;
};
struct Nudge {
  double base_s = 300;
  double factor = 3;
  double cap_s = 7200;
  int attempts = 3;
  double productive_s = 20;  // a turn after a nudge that is shorter was no work
  bool operator==(const Nudge&) const = default;
};
// How long a state may last that nobody can do anything about but a person (X15). Then one is told. 0: nobody is.
struct Patience {
  double unknown_s = 600;      // nobody knows what it is doing
  double starting_s = 300;     // its interface does not come
  double draft_s = 1800;       // a draft lies in its box, and something else waits for it
  double background_s = 3600;  // no turn runs, only something behind it
  bool operator==(const Patience&) const = default;
};
struct Ready {
  int quiet_ms = 150;
  int cleared_ms = 500;
  double stuck_s = 30;
  bool operator==(const Ready&) const = default;
};
struct Limit {
  std::string policy = "wait";
  double margin_s = 60;
  bool operator==(const Limit&) const = default;
};
struct Preflight {
  int transcript_max_mb = 256;
  int memory_pct = 80;
  bool operator==(const Preflight&) const = default;
};
// When the next session begins after one that ended well, by strategy.
struct Loop {
  double interval_s = 300;            // interval-poll
  double base_s = 60;                 // backoff: after the first session that found nothing to do
  double factor = 2;                  // … and after each further one
  double cap_s = 3600;                // … at most
  std::vector<std::string> schedule;  // scheduled: lines as crontab has them
  std::string time_zone;              // … on the clocks of; empty: this machine's
  bool stop_hook = false;  // its own stop hook hands it the next piece, where its program can (W14)
  bool one_task = false;   // each piece of work has a conversation of its own
  bool operator==(const Loop&) const = default;
};
// Where work comes from besides its inbox.
struct Sources {
  std::vector<std::string> folders;  // each file is a piece; nobody moves it
  std::vector<std::string> command;  // each line it prints is a piece, as long as it is printed
  double every_s = 300;              // between two runs of the command
  bool operator==(const Sources&) const = default;
};
struct Recovery {
  int resume_crashes = 3;
  double success_s =
      600;  // a session with work in it that lasted so long was a success, however it ended
  std::vector<std::string> auth_refresh;
  bool operator==(const Recovery&) const = default;
};
struct TaskHealth {
  double base_s = 30;
  double max_s = 300;
  double grace_s = 30;
  double deadline_s = 18000;
  int retries = 10;
  double dispatch_wait_s = 10;
  double stale_s =
      0;  // no output and no work for so long: it hangs; 0: agents by base_s, others never
  bool operator==(const TaskHealth&) const = default;
};
struct Budget {
  int64_t tokens_per_day = 0;
  double cost_per_day_usd = 0;
  int soft_pct = 80;  // of either: a person is told; 0: not before all of it is used
  bool operator==(const Budget&) const = default;
};

// A pane of somebody's tmux that is adopted: this one, with this process, and no other.
struct AdoptedPane {
  std::string server;  // its socket
  std::string id;      // "%3"; empty: it is not adopted
  int64_t pid = 0;
  int64_t start_ticks = 0;
  bool operator==(const AdoptedPane&) const = default;
};

struct AgentSpec {
  std::string name;
  std::string runtime = "generic";
  std::string profile;               // whose screen rules; empty: the runtime's own
  std::vector<std::string> command;  // argv; from the runtime when empty
  std::string dir;
  std::string backend = "pty";
  std::string mode;  // empty: task-only when there is a prompt, else paused
  std::string strategy = "once";
  Written<Restart> restart = Restart::never;
  std::string permission = "default";
  std::string model;
  std::string prompt;
  std::string prompt_file;
  std::string env_file;
  std::string env = "full";           // what it gets of its caller's environment; or minimal
  std::vector<std::string> env_keep;  // … and these besides: names, a * at the end is anything
  Size size{120, 40};
  std::string memory;  // of it and all it starts, "4G"; empty: no limit (model/limits.h)
  std::string cpu;     // … "200%"
  double alive_window_s = 600;
  double cooldown_s = 90;
  double settle_s = 3;
  double stop_grace_s = 10;  // between TERM and KILL
  CrashLoop crash_loop;
  Nudge nudge;
  Patience patience;
  double human_quiet_s = 120;
  Ready ready;
  Limit limit;
  std::string background = "type";  // while shells run behind its prompt; or wait for their end
  std::string dialogs = "free-rows-only";
  std::string answer_permissions = "ask";  // … a person; or deny, or allow: each request, once
  std::vector<std::string> trust_dirs;     // folders whose trust dialog is answered with yes
  std::vector<std::string> may;  // verbs that its own processes may ask for, besides the usual ones
  std::string account;           // who pays; agents of one share its limits; empty: the runtime's
  bool dry_run = false;          // decide and write down, do nothing
  bool hooks = true;             // the program is asked to tell of its turns, for this run only
  double floor_s = 60;           // between two sessions, unless there is work
  Loop loop;
  Sources work;
  Preflight preflight;
  Recovery recovery;
  TaskHealth task_health;
  Budget budget;
  std::vector<std::string> notify;
  std::vector<std::string>
      repairs;       // what its file said wrong, and what was made of it (O10); never from a file
  AdoptedPane pane;  // never from a file: by `pawl adopt`

  bool adopted() const { return !pane.id.empty(); }
  // It lives for months, one session after the other (policy/loop.cpp).
  bool loops() const { return strategy != "once" && !adopted(); }
  // The mode in force, with the default worked out.
  std::string effective_mode() const;
  bool operator==(const AgentSpec&) const = default;
};

Json to_json(const AgentSpec& spec);
AgentSpec spec_from_json(const Json& json);

}  // namespace pawl::model
