#pragma once
// A prompt that is to end in a truthful result, whatever dies in between. A task is an agent with one more promise: it ends,
// in exactly one of these ways, and says why. What is in its folder (store/task_files.h) is written from this.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "model/asker.h"
#include "model/lease.h"

namespace pawl::model {

enum class TaskStatus {
  running,
  completed,
  completed_with_denials,  // it came to its end, and was refused something on the way
  failed,                  // it said so itself, or ended without a result
  crashed,                 // … and is started again
  hung,                    // … and is ended and started again
  limited,                 // waits for its account
  abandoned,               // given up: nobody is working on it any more
  cancelled
};
std::string_view word(TaskStatus status);
std::optional<TaskStatus> task_status_from(std::string_view text);
// Nothing will happen to it any more.
bool final(TaskStatus status);
// … and its result is whole: `done` stands in its folder.
bool has_result(TaskStatus status);

// What a run has said about itself, so far.
struct TaskReport {
  bool spoke = false;             // a record of it came: its command line is one it understands
  bool answered = false;          // the model said something: the run is no mere start
  bool finished = false;          // its last record came
  bool failed = false;            // … and says that it failed
  std::string trouble;            // limit, auth, context, overload, model or error; empty: none
  std::string message;            // of it, in the program's words
  std::optional<WallTime> until;  // the limit ends
  int denials = 0;                // tools it was refused
  std::string denied;             // the first of them
  int background = 0;             // jobs of its own that still ran when it ended
  int64_t tokens = 0;
  double cost_usd = 0;
  bool operator==(const TaskReport&) const = default;
};
Json to_json(const TaskReport& report);
TaskReport report_from(const Json& json);

inline constexpr size_t kPromptBytes = 64u << 20;
// Where the command line leaves a prompt for the daemon, so that every byte of it arrives. `name` is nobody's else.
std::string prompt_place(const std::string& home, const std::string& name);

// What was asked for.
struct TaskOrder {
  std::string name;
  std::string dir;  // the task's own folder
  // The command line, and the one that goes on with a conversation (empty: it starts over); {session_id} is filled in.
  std::vector<std::string> start, resume;
  std::string
      format;  // of what it prints: "plain", or whose records it has (perceive/records/headless.h)
  bool interactive = false;  // an agent with an interface, at which a person may sit down
  std::string worktree;      // made for it; empty: it works where it was told to
  int64_t max_tokens = 0;    // 0: no bound
  double max_cost_usd = 0;
  Asker by = {};                   // who started it
  std::string prompt_sha256 = {};  // of the prompt as it was given, in hex
  Lease lease = {};                // the fleet gave it to us, and only for a while
  // It tells of its turn in records, not only by its exit code.
  bool structured() const { return !format.empty() && format != "plain"; }
  bool operator==(const TaskOrder&) const = default;
};
Json to_json(const TaskOrder& order);
TaskOrder order_from(const Json& json);

struct Task {
  TaskOrder order;
  TaskStatus status = TaskStatus::running;
  std::string reason;  // of one that was given up: a word
  std::string detail;  // … and what led to it
  WallTime started;
  std::optional<WallTime> finished;
  std::optional<int> exit_code;
  int retries = 0;     // runs after the first that count (R11)
  int failures = 0;    // … one after the other, without an answer of the model in between (R10)
  int renewals = 0;    // of its credentials
  int fresh = 0;       // starts without its conversation, because that was full or not there
  int64_t tokens = 0;  // of the runs before
  double cost_usd = 0;
  TaskReport report;  // of the run under way, or the last one
  bool read = false;  // somebody has had its result

  int64_t all_tokens() const { return tokens + report.tokens; }
  double all_cost() const { return cost_usd + report.cost_usd; }
  bool operator==(const Task&) const = default;
};
Json to_json(const Task& task);
Task task_from(const Json& json);

// Another run begins.
void begin_run(Task& task);

}  // namespace pawl::model
