#pragma once
// What happens to the fleet, as values: the only way anything reaches the supervisor. Each comes stamped with a Clock.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "act/outcome.h"
#include "base/result.h"
#include "base/units.h"
#include "model/event.h"
#include "model/spec.h"
#include "policy/situation.h"

namespace pawl::core {

// An operator's wish for one agent. `request` is answered once, when the wish is fulfilled or refused (0: nobody waits).
struct RunAsked {
  RequestId request;
  model::AgentSpec spec;
  std::vector<std::string>
      environment;  // of the command that asked; kept in the agent's folder, never in the journal
  std::string because;
};
// Declared, not started.
struct RegisterAsked {
  RequestId request;
  model::AgentSpec spec;
  std::vector<std::string> environment;
};
// A prompt that is to end in a result (model/task.h).
struct TaskAsked {
  RequestId request;
  model::AgentSpec spec;
  model::TaskOrder order;
  std::vector<std::string> environment;
  BootTime until = {};  // its lease lasts until then, when it has one
};
// The lease of a task that the fleet gave us: it was confirmed (anew), or is ours no longer. In every life of the daemon nothing is
// begun for such a task before this was heard.
struct LeaseSeen {
  std::string agent;
  uint64_t token = 0;   // of which claim: what is said of another one is nothing
  BootTime until = {};  // it lasts until then …
  std::string lost =
      {};  // … unless it was lost, for this: its program and all it started is killed at once
};
// Its run told something about itself.
struct TaskSpoke {
  SessionId session;
  model::TaskReport report;
  std::string session_id;  // empty: not told
};
// A task that waits for something, or was given up, is to be gone on with now.
struct GoOnAsked {
  RequestId request;
  std::string agent;
  std::string because;
};
// A pane that already runs becomes an agent (its spec names the pane), and is given back.
struct AdoptAsked {
  RequestId request;
  model::AgentSpec spec;
  std::vector<std::string> environment;
};
struct ReleaseAsked {
  RequestId request;
  std::string agent;
  std::string because;
};
struct CancelAsked {
  RequestId request;
  std::string agent;
  std::string because;
  std::string reason = "cancelled";  // anything else: it is abandoned, for that
};
// Somebody has had the task's result.
struct ResultRead {
  std::string agent;
};
// Everything of a task that is over is on disk, and it is a row of the journal's already: the fleet lets it go.
struct FileTask {
  std::string agent;
};
// … and it is wanted again: as that row had it (model::TaskRecalled).
struct TaskWanted {
  std::string agent;
  std::string record;
};
// Tasks that were filed are to be forgotten, with their folders.
struct FiledTask {
  std::string agent;
  std::string dir;
};
struct ForgetTasks {
  RequestId request;
  std::vector<FiledTask> tasks;
};
struct StartAsked {
  RequestId request;
  std::string agent;
  std::string because;
  bool resume = false;  // its conversation
};
struct StopAsked {
  RequestId request;
  std::string agent;
  std::string because;
};
struct RestartAsked {
  RequestId request;
  std::string agent;
  std::string because;
  bool resume = false;  // its conversation
};
struct RemoveAsked {
  RequestId request;
  std::string agent;
  bool force = false;  // stop it first
};
struct WriteAsked {
  RequestId request;
  std::string agent;
  model::Action action = model::Action::send;
  std::string bytes;
  std::string what;  // for the journal: never the text itself
};

// A text for the agent; it is a file in its outbox already.
struct SendAsked {
  RequestId request;
  std::string agent;
  model::Queued item;
  bool wait =
      false;  // answer with the outcome, however long that takes; else at once when it has to wait
};
// What waits in its outbox is not to be typed any more.
struct DropAsked {
  RequestId request;
  std::string agent;
  std::string because;
};
// The next one in the outbox may be due.
struct DeliveryDue {
  std::string agent;
};
// A row of the dialog on its screen: its number, or how it begins.
struct AnswerAsked {
  RequestId request;
  std::string agent;
  std::string row;
  std::string dialog = {};  // only of this one, by its id; empty: whichever is there
};
// What a person chose last becomes a rule, or what did is none any more.
struct KeepAnswer {
  RequestId request;
  std::string agent;
  bool keep = true;
  std::string about = {};  // a pattern for what it is about; empty: just the same
};
// An operator, or a PAUSE file, halts the rules of an agent or lets them go on.
struct PauseAsked {
  RequestId request;
  std::string agent;
  bool paused = true;
  std::string by;
};
// Another specification, effective at once where rules read it and else at the next start.
struct Reconfigure {
  RequestId request;
  model::AgentSpec spec;
  std::string by = "an operator";
};
// What was looked at before a start.
struct StartPrepared {
  std::string agent;
  model::Prepared fact;
};
// Something a person should know.
struct Noted {
  std::string agent;
  model::Alerted alert;
};
// Something for the agent to do appeared or changed.
struct WorkFound {
  std::string agent;
  model::WorkSeen work;
};
// A turn of its is about to end and goes on with the next piece: its stop hook says so.
struct StopHeld {
  std::string agent;
};
// … or is not there any more, and the agent does not have it.
struct WorkVanished {
  std::string agent;
  std::string name;
};
// Time for the rules to look at an agent; with what only the world knows.
struct RulesDue {
  std::string agent;
  std::optional<bool> auto_continue = {};  // of its env file, read just now
  std::string compact = {};                // what makes its program shorten its context
  bool leavable = false;                   // a key is known that leads back to its prompt
  bool own_text = false;                   // … and what Pawl typed into its box
  policy::Signs signs = {};                // of a task's run
  std::optional<model::Surroundings> before =
      {};                         // … of one that lives in a loop and is not running
  std::optional<Zone> zone = {};  // of its schedule
  bool dry_run = false;           // of the whole daemon
  bool draining = false;          // … which is about to end
};
// A command that a rule had run came to its end.
struct CommandEnded {
  Seq intent;
  bool fine = false;
  std::string how;
  std::string output = {};  // the end of what it printed
};
// Nobody was there for a while (X10).
struct Slept {
  Duration length{};
  std::string because;
  Duration clock{};  // the part of it by which the clock was set: no time passed in the world
};
// A procedure came to its end.
struct Delivered {
  Seq intent;
  act::Outcome outcome;
  std::string draft_file = {};  // a person's draft that could not be put back
};

// From the host.
struct TerminalOpened {
  SessionId session;
  model::Process process;
  bool agent = false;  // a known one: its interface is still to come
};
struct TerminalFailed {
  SessionId session;
  Error error;
};
struct ProgramEnded {
  SessionId session;
  model::Ending ending;
  std::string why = {};     // its end was not seen
  bool unsent = false;      // a text was on its way, and Enter had not been pressed
  bool for_memory = false;  // the kernel killed it
  std::string cause = {};   // what its host knows beyond the signal
};
struct WriteLost {
  SessionId session;
  std::string why;
};
// Once, at start-up: the terminals that outlived the daemon before us.
struct Recovered {
  struct Terminal {
    SessionId session;
    model::Process process;
    BootTime until = {};  // its holder ends it then (host::Found)
  };
  std::vector<Terminal> terminals;
};

// What perception concluded, when it is another state than before, or another notice.
struct Perceived {
  SessionId session;
  model::State state = model::State::unknown;
  std::string kind;
  std::optional<model::Tier> tier;
  std::string because;
  double confidence = 1;
  std::vector<model::Notice> notices;
  std::string runtime;                 // recognised just now; empty: nothing new
  std::vector<std::string> argv = {};  // … and its command line
  std::string alert = {};              // a rule of its profile broke; empty: none did
  std::optional<model::Dialog> dialog = {};
  int64_t tokens = 0;      // of context; 0: not told
  std::string input = {};  // what the keyboard reaches in place of the prompt
  int background = 0;      // shells behind its prompt
  bool removable = false;  // the text of ours in its box can be taken out of it again
};

// Something about the way its terminal is watched.
struct TerminalNoted {
  SessionId session;
  std::string text;
};
// Somebody asked for a verb, and is about to get it, or may not.
struct RequestSeen {
  std::string agent;  // empty: not about one
  std::string verb;
  model::Asker by;
  bool refused = false;
  std::string args = {};  // as model::Requested has them
};
struct HumanTyped {
  std::string agent;
  std::string where;
  std::optional<WallTime> seen = {};  // when, if not just now
};
// A hook of its program named the conversation it is in, or we did.
struct ConversationTold {
  SessionId session;
  std::string session_id;
  std::string transcript;
  bool named = false;  // by us, as it begins
};
// Its conversation has used something; counted from this byte of the file that all of it names.
struct UsageSeen {
  std::string agent;
  uint64_t from = 0;
  std::vector<model::Spent> spent;
};
// A turn does not come to its end because of this agent.
struct TurnWithoutEnd {
  std::string agent;
  std::string because;
};
// The journal refused to be written; this input waits first in line and says so when it can be written again.
struct JournalRefused {
  std::string why;
};
// What retention lets go: of one kind, for one reason.
struct ForgetAsked {
  std::vector<model::Going> going;
};
// … and the word before unread results are.
struct ForgetTold {
  model::Forgotten word;
  model::Alerted alert;
};
// What the fleet says of an account.
struct AccountHeard {
  model::AccountSeen seen;
};
// One step of its way to another machine (model/move.h). `leaving` is asked for, and answered when its program has ended; with `back` it is
// started again, in its conversation.
struct MoveAsked {
  RequestId request;
  std::string agent;
  model::Moved step;
};
// … and on the other machine: it comes with its conversation, which is in place already, and goes on with it.
struct Arrived {
  RequestId request;
  model::AgentSpec spec;
  std::vector<std::string> environment;
  std::string session_id, transcript;
  bool paused = false;  // as it was there
  model::Moved step;
};
// A deadline of the supervisor's own passed.
struct Tick {};

using InputKinds = std::variant<
    AdoptAsked, ReleaseAsked, TaskAsked, LeaseSeen, TaskSpoke, GoOnAsked, CancelAsked, ResultRead,
    RunAsked, RegisterAsked, StartAsked, StopAsked, RestartAsked, RemoveAsked, WriteAsked,
    SendAsked, DropAsked, DeliveryDue, AnswerAsked, Delivered, KeepAnswer, PauseAsked, Reconfigure,
    StartPrepared, Noted, WorkFound, StopHeld, WorkVanished, RulesDue, CommandEnded, Slept,
    TerminalOpened, TerminalFailed, ProgramEnded, TerminalNoted, WriteLost, Recovered, Perceived,
    HumanTyped, RequestSeen, ConversationTold, UsageSeen, TurnWithoutEnd, JournalRefused, FileTask,
    TaskWanted, ForgetTasks, ForgetAsked, ForgetTold, AccountHeard, MoveAsked, Arrived, Tick>;

// Copied and ended in input.cpp only, as a Fact is in event.cpp.
struct Input : InputKinds {
  using InputKinds::InputKinds;
  Input();
  Input(const Input& other);
  Input(Input&& other) noexcept;
  Input& operator=(const Input& other);
  Input& operator=(Input&& other) noexcept;
  ~Input();
};

// The request that waits for this input's end, 0 for none.
RequestId request_of(const Input& input);

}  // namespace pawl::core
