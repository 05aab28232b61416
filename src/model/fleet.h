#pragma once
// The state of everything, as the fold of the journal. There is no second copy of the truth: start-up folds, and so does
// every turn. A snapshot is only a fold remembered.

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "model/event.h"
#include "model/memory.h"

namespace pawl::model {

// The rule that gives work; its decisions name it.
inline constexpr const char* kWorkRule = "work";
// The matter of a restart that only makes room for the next piece of work.
inline constexpr const char* kNextWork = "next work";
// The rule that keeps budgets.
inline constexpr const char* kBudgetRule = "budget";

// How the reason of a state begins when its program ended, and nobody had asked for it.
inline constexpr const char* kEndedItself = "ended by itself: ";

// A decision whose outcome is not written yet.
struct Intent {
  Seq seq;
  Action action = Action::start;
  WallTime at;
  uint64_t item = 0;      // of the outbox
  std::string rule = {};  // that decided it; empty: somebody asked
  std::string how = {};   // see Decided
  bool launches(Launch as) const { return launch_from(how) == as; }
  bool operator==(const Intent&) const = default;
};

// The last thing that was decided about an agent, and what came of it.
struct LastDecision {
  Seq seq;
  WallTime at;
  Action action = Action::start;
  std::string because, rule;
  std::string result, witness;  // empty: not yet
  Asker by = {};                // who asked for it
  bool operator==(const LastDecision&) const = default;
};

struct Agent {
  AgentSpec spec;
  State state = State::unknown;
  std::string kind;
  std::optional<Tier> tier;
  std::string because;
  double confidence = 1;
  std::vector<Notice> notices;
  std::optional<Dialog> dialog;  // while it waits
  std::string input;       // not empty: the keyboard reaches something else than the plain prompt
  int background = 0;      // shells and the like that run behind its prompt
  int64_t tokens = 0;      // of context, last told
  std::string recognised;  // the runtime, when it was not given
  std::vector<std::string> seen_command;  // the command line of that program
  WallTime since;     // in this state, for rules: without the time nobody was there
  WallTime changed;   // when it came into this state, for people
  SessionId session;  // 0: never started
  std::optional<Process> process;
  std::optional<Ending> ending;
  int starts = 0;
  int restarts = 0;
  int nudges = 0;
  std::string
      session_id;  // the program's own id of its newest one, across restarts; empty: not told
  std::string transcript;
  std::optional<WallTime> last_alive;
  std::optional<WallTime> human_last_seen;
  std::optional<WallTime> limited_until;
  bool paused = false;
  std::string paused_by;
  bool parked = false;  // a rule gave up on it: only a person lets it go on
  std::string parked_because;
  std::string quarantined;  // a turn did not end because of it, and how; empty: none
  Memory memory;
  std::optional<Moved> move;     // to another machine, or from one; as far as it came
  std::optional<Intent> intent;  // one at a time
  std::optional<LastDecision> decision;
  std::optional<Task> task;
  std::vector<Queued> outbox;  // to be typed, the next one first

  bool never_started() const { return starts == 0; }
  // What it runs, given or recognised.
  const std::string& runtime() const {
    return spec.runtime != "generic" || recognised.empty() ? spec.runtime : recognised;
  }
  // Who pays for it; a program nobody knows pays for itself.
  const std::string& account() const {
    if (!spec.account.empty()) return spec.account;
    return runtime() == "generic" ? spec.name : runtime();
  }
  // A terminal is open, or is being opened.
  // What is pasted gets to the prompt. In vim's normal mode it does while nothing is in the box: there keys are commands.
  bool reaches_prompt() const {
    return input.empty() || (input == "vim" && state != State::typing);
  }
  // Its prompt is free, and its owner wants what runs behind it to come to an end first.
  bool waits_for_background() const {
    return background > 0 && state == State::ready && spec.background == "wait";
  }
  // By a person, by a rule that gave up, or because it moves: no rule does anything to it.
  bool halted() const { return paused || parked || !quarantined.empty() || away(); }
  // It is another machine's now, or about to be: nothing starts it here.
  bool away() const { return move && move->step != MoveStep::came; }
  bool running() const { return starts > 0 && !ended(state); }
  bool operator==(const Agent&) const = default;
};

// "docs asks something else now: …", for an answer that was meant for another dialog.
std::string asks_else(const Agent& agent);
// "docs is in shell mode", for one that is in such a mode.
std::string in_mode(const Agent& agent);
// "2 shells run behind the prompt of docs", for one whose owner wants them to end first.
std::string runs_behind(const Agent& agent);

// Of an agent with a task: that one's status with what is happening to it (crashed, hung, limited), and the word for its screen
// (R9): running, waiting_for_input, crash_text, upgrade_nag.
TaskStatus shown_status(const Agent& agent);
std::string pane_state(const Agent& agent);

// An account's limit that was over so long ago is nothing any more.
inline constexpr Duration kAccountKept = std::chrono::hours{1};

// Of an account that other machines use, too: AccountSeen.
struct AccountLimit {
  std::string node;
  std::optional<WallTime> until, turn;
  // Before that nothing is begun on it here.
  WallTime free() const { return std::max(until.value_or(WallTime{}), turn.value_or(WallTime{})); }
  bool operator==(const AccountLimit&) const = default;
};

struct Fleet {
  Seq last;
  std::map<std::string, Agent> agents;
  std::optional<LastWord> last_word;             // about unread results
  std::map<std::string, AccountLimit> accounts;  // that the fleet says are limited

  const Agent* find(const std::string& name) const;
  const Agent* by_session(SessionId session) const;
  // What other machines say of what it pays from; null: nothing.
  const AccountLimit* limit_of(const Agent& agent) const;
  bool operator==(const Fleet& other) const {
    return last == other.last && agents == other.agents && last_word == other.last_word &&
           accounts == other.accounts;
  }

 private:
  mutable std::unordered_map<SessionId, std::string>
      whose_;  // as last found: to be looked at first
};

void apply(Fleet& fleet, const Event& event);

Json to_json(const LastDecision& one);
Json to_json(const Agent& agent);  // for snapshots, and the table of tasks that are over
Result<Agent> agent_from(const Json& json);
Json to_json(const Fleet& fleet);
Result<Fleet> fleet_from(const Json& json);

}  // namespace pawl::model
