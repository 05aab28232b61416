#pragma once
// What the core concluded, intended and saw done: the journal's rows and the feed's lines (interfaces: "pawl events").
// The state of the fleet is the fold of these and of nothing else (fleet.h).

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "base/units.h"
#include "model/asker.h"
#include "model/dialog.h"
#include "model/move.h"
#include "model/notice.h"
#include "model/retention.h"
#include "model/spec.h"
#include "model/spending.h"
#include "model/state.h"
#include "model/task.h"
#include "model/words.h"

namespace pawl::model {

enum class Action {
  start,
  restart,
  stop,
  remove,
  send,
  keys,
  wake,
  answer,
  // by rules only
  nudge,         // a text to an idle agent
  interrupt,     // a key that ends what it is stuck in
  leave,         // a key that leads from a shell mode or a page back to its prompt
  park,          // leave it alone until a person says otherwise
  escalate,      // tell a person
  limit_wait,    // its usage limit ends at a known time
  refresh_auth,  // run the command that renews its credentials
  finish,        // a task came to its end
  abandon,       // a task is given up
  archive,       // put its conversation, or all of them, out of the way
  // panes of somebody's tmux
  adopt,
  release,
};
std::string_view word(Action action);
std::optional<Action> action_from(std::string_view text);

// refused: the program heard of a text, and a hook of its own said no.
enum class Verdict { confirmed, failed, unverified, refused };
inline constexpr Verdict kVerdicts[] = {Verdict::confirmed, Verdict::failed, Verdict::unverified,
                                        Verdict::refused};
std::string_view word(Verdict verdict);
// It is certain that nothing came of it.
inline bool in_vain(Verdict verdict) {
  return verdict == Verdict::failed || verdict == Verdict::refused;
}

// A process with its start time (os::ProcessId without the kernel).
struct Process {
  int64_t pid = 0;
  uint64_t start_ticks = 0;
  bool operator==(const Process&) const = default;
};

// How a program ended. `known` is false when nobody saw it.
struct Ending {
  int exit_code = -1;
  int signal = 0;
  bool known = true;
  bool clean() const { return known && signal == 0 && exit_code == 0; }
  bool operator==(const Ending&) const = default;
};
// "exit code 3", "signal 9 (Killed)", "its end was not seen"
std::string text_of(const Ending& ending);
Json to_json(const Ending& ending);
Ending ending_from(const Json& json);

struct StateChanged {
  State from = State::unknown;
  State to = State::unknown;
  std::string kind;
  std::optional<Tier> tier;  // none: nobody says
  std::string because;
  double confidence = 1;
  std::optional<Ending> ending;  // with exited and crashed
  std::vector<Notice> notices = {};
  std::optional<Dialog> dialog = {};  // with waiting, when its rows are seen
  int64_t tokens = 0;                 // of context, when its program told
  std::string input = {};  // what the keyboard reaches in place of the prompt: shell, agents, …
  int background = 0;      // shells that run behind its prompt
  bool operator==(const StateChanged&) const = default;
};
// An intent. On disk before its effect; its Seq is also the id of the terminal a start opens.
struct Decided {
  Action action = Action::start;
  std::string because;
  int attempt = 1;
  uint64_t item = 0;  // what of the agent's outbox is delivered; 0: nothing of it
  // Of a rule's decision.
  std::string rule = {};    // its name; empty: somebody asked for it
  std::string matter = {};  // the trouble it deals with
  std::string how = {};     // by the action: a word of words.h; a row; a key; the name of the work
  std::optional<WallTime> until = {};  // what is waited for
  bool dry = false;                    // only written down
  Asker by = {};                       // who asked for it; not known: a rule, or nobody did
  bool operator==(const Decided&) const = default;
};
// Closes exactly one intent.
struct Finished {
  Action action = Action::start;
  Seq decision;
  Verdict verdict = Verdict::unverified;
  std::string witness;
  int64_t took_ms = 0;
  std::optional<Process> process;  // of a start
  bool kept = false;               // nothing was typed: the item stays in the outbox
  bool operator==(const Finished&) const = default;
};
struct Alerted {
  Severity severity = Severity::info;
  std::string text;
  std::string matter = {};  // what it is about: a person is told once
  std::string todo = {};    // what that person can do
  std::string screen = {};  // the end of what the agent shows
  bool operator==(const Alerted&) const = default;
};
// A person typed into the terminal.
struct HumanSeen {
  std::string where = "attach";
  std::optional<WallTime> seen = {};  // when, if not just now
  bool operator==(const HumanSeen&) const = default;
};
// Somebody asked for something; what came of it follows. For the audit: nothing of the fleet depends on it.
struct Requested {
  std::string verb;
  Asker by;
  bool refused = false;  // that asker may not
  std::string args =
      {};  // how it was asked: a JSON object, texts by size and digest; empty: plainly
  bool operator==(const Requested&) const = default;
};
struct Registered {
  AgentSpec spec;
  bool operator==(const Registered&) const = default;
};
struct Removed {
  bool operator==(const Removed&) const = default;
};

// The program told which conversation it is in, or was told: what a later start may resume. Empty: it is not known any more.
struct Learned {
  std::string session_id;  // its own id for it
  std::string transcript;  // the file it is kept in; may be empty
  bool named = false;      // by us, when it was started
  bool operator==(const Learned&) const = default;
};

// A text waits in the agent's outbox to be typed. The text itself is a file in the agent's folder and never in the journal.
struct Queued {
  uint64_t item = 0;  // its number, and the file's name; later ones are larger
  Action action = Action::send;
  uint64_t bytes = 0;
  std::string from;  // who sent it; empty: an operator
  bool now = false;  // does not wait for the agent to be ready, nor for a person to be done
  Asker by = {};
  bool eager() const { return now || action == Action::wake; }
  bool operator==(const Queued&) const = default;
};
Json to_json(const Queued& one);
Queued queued_from(const Json& json);
// … and will not be typed any more.
struct Dropped {
  uint64_t item = 0;
  std::string because;
  bool operator==(const Dropped&) const = default;
};

// Whose program it is, as its process, its title or its screen showed.
struct Recognised {
  std::string runtime;
  std::vector<std::string> argv = {};  // of its process, when that is known
  bool operator==(const Recognised&) const = default;
};

// Nobody was there for a while: a suspend, a stopped daemon, one that was not running. It counts as nothing (X10). Or the clock was
// set: all times before are moved with it, so that what took a minute still took a minute.
struct Gap {
  Duration length{};
  std::string because;
  Duration clock{};  // the part of it by which the clock was set; may be negative
  bool operator==(const Gap&) const = default;
};
// An operator, or a file, halts what rules do to an agent, or lets them go on.
struct Paused {
  bool paused = true;
  std::string by;
  bool operator==(const Paused&) const = default;
};
// A turn of the daemon did not come to its end because of this agent: nothing is done about it until a person says so.
struct Quarantined {
  std::string because;
  bool operator==(const Quarantined&) const = default;
};
// What a person chose in a dialog is a rule from now on; or none of it is any more.
struct AnswerKept {
  bool kept = true;
  Answer answer = {};
  bool operator==(const AnswerKept&) const = default;
};
// Something for the agent to do, as it lies there.
struct WorkSeen {
  std::string name, from;
  std::string fingerprint;  // "mtime:size"
  int priority = 0;         // 1 high, -1 low
  bool operator==(const WorkSeen&) const = default;
};
// What the agent was given is done with, or waits again.
struct WorkSettled {
  std::string name;
  bool done = true;
  bool again = false;  // it may have been seen
  std::string because;
  bool operator==(const WorkSettled&) const = default;
};
// It is not there any more, and the agent did not have it.
struct WorkGone {
  std::string name;
  bool operator==(const WorkGone&) const = default;
};

// What was looked at before its program was started.
struct Check {
  std::string what;  // folder, resume, transcript, memory, disk, login, permission
  bool fine = true;
  std::string text;
  bool operator==(const Check&) const = default;
};
struct Prepared {
  std::vector<Check> checks;
  bool resume = false;  // it goes on with its conversation
  bool operator==(const Prepared&) const = default;
};

// The agent is there for a task; what its run has told of itself; how the task ended; somebody has read the result.
struct TaskGiven {
  TaskOrder order;
  bool operator==(const TaskGiven&) const = default;
};
struct TaskTold {
  TaskReport report;
  bool operator==(const TaskTold&) const = default;
};
struct TaskEnded {
  TaskStatus status = TaskStatus::failed;
  std::string reason;  // of one that was given up: a word
  std::optional<int> exit_code;
  std::string detail = {};  // … and what led to it
  bool operator==(const TaskEnded&) const = default;
};
struct TaskRead {
  bool operator==(const TaskRead&) const = default;
};
// Everything of a task that is over is on disk: it is a row of the journal's table of tasks (store/journal.h), and in the fleet no
// longer. Or it is wanted again: the agent as that row had it, in JSON.
struct TaskFiled {
  bool operator==(const TaskFiled&) const = default;
};
struct TaskRecalled {
  std::string record;
  bool operator==(const TaskRecalled&) const = default;
};

// What was too old or too much goes (model/retention.h): written before it is done. Of tasks, their rows go in the same
// transaction. Or, with `upto`: those unread results will go, and people are told of it.
struct Forgotten {
  Forget what = Forget::tasks;
  Bound why = Bound::age;
  std::vector<std::string> names = {};    // of agents; with `upto` the first of them
  std::vector<std::string> folders = {};  // of tasks
  uint64_t count = 0, bytes = 0;
  std::optional<WallTime> upto = {};
  bool operator==(const Forgotten&) const = default;
};

// What the fleet knows of an account's usage limit: until when nobody uses it, as that node saw it, and when the first agent here goes
// on. Neither: it is free, or not known to be limited any more.
struct AccountSeen {
  std::string account;
  std::string node = {};
  std::optional<WallTime> until = {};
  std::optional<WallTime> turn = {};
  bool operator==(const AccountSeen&) const = default;
};

using FactKinds =
    std::variant<StateChanged, Decided, Finished, Alerted, HumanSeen, Registered, Removed,
                 Recognised, Learned, Queued, Dropped, Gap, Paused, WorkSeen, WorkSettled, WorkGone,
                 AnswerKept, Prepared, TaskGiven, TaskTold, TaskEnded, TaskRead, Spent, Requested,
                 Quarantined, TaskFiled, TaskRecalled, Forgotten, AccountSeen, Moved>;

// Copied and ended in event.cpp only: unrolled over all kinds in every source, that was a third of what the compiler did.
struct Fact : FactKinds {
  using FactKinds::FactKinds;
  Fact();
  Fact(const Fact& other);
  Fact(Fact&& other) noexcept;
  Fact& operator=(const Fact& other);
  Fact& operator=(Fact&& other) noexcept;
  ~Fact();
  bool operator==(const Fact& other) const;
};

struct Event {
  Seq seq;
  WallTime at;
  std::string agent;  // empty: the fleet
  Fact fact;
  // Of a task that the fleet gave us (Lease): which unit, and under which token.
  std::string unit = {};
  uint64_t fence = 0;
  bool operator==(const Event& other) const;
};

// "state", "decision", "outcome", "alert", "human", "config", "queue", "work", "preflight", "task", "usage", "request", "retention", "account", "move"
std::string_view type_of(const Fact& fact);
Json to_json(const Event& event);  // the line users see
Json body_of(const Fact& fact);    // without seq, at, agent, type …
Json body_of(
    const Event& event);  // … with unit and fence, where it has them: what the journal stores
void read_fence(const Json& body, Event& event);
Result<Fact> fact_from(std::string_view type, const Json& body);

}  // namespace pawl::model
