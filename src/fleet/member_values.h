#pragma once
// What a member of a fleet (member.h) is told and what it orders, as values. The words of doc/fleet.md.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "model/words.h"

namespace pawl::fleet {

// Both clocks of one moment. `boot` goes on while the machine sleeps and while the daemon is stopped: what we hold (leases) is judged
// by it. `clock.mono` stands still then: what we wait for others to do is judged by that. Each errs on its safe side.
struct Now {
  Clock clock;
  Duration boot{};
};

struct LeaseTimes {
  Duration lease = std::chrono::seconds{30};  // from the moment its renewal was sent
  Duration renew = std::chrono::seconds{8};   // after the last one that was acknowledged was sent
  Duration stop_before = std::chrono::seconds{5};  // the end: the work has to be dead by the end
  Duration margin = std::chrono::seconds{5};       // others wait this much longer than the lease
  Duration least =
      std::chrono::seconds{5};  // a start has at least this long before it would be stopped
};

// What nodes can do that older ones cannot: a unit that needs it is left alone by those.
inline constexpr const char* kCanGit = "can=git";
inline constexpr const char* kCanBlobs = "can=blobs";

inline constexpr size_t kBlobPart = 256u
                                    << 10;  // what is too large for a unit goes in parts of so much

struct MemberOptions {
  std::string node;  // our name in the fleet: valid_node() of bus_names.h
  std::string id;    // of this PAWL_HOME, drawn once and kept: two nodes of one name differ in it
  std::string boot_id;  // of this life of the machine
  std::string life;     // of this life of the daemon: nobody else's, and none before
  std::string version;
  WallTime since;
  std::vector<std::string> queues = {};  // of work from outside, that this node makes units of
  bool follow_events = true;             // of the others
  LeaseTimes times = {};
};

// A unit of work that this node was given. In the journal before anything of it is started, until UnitSettled.
struct Claim {
  std::string unit;
  uint64_t token = 0;   // the fencing token
  std::string nonce;    // stands in the lease: it is this claim's, and not an earlier one's
  std::string boot_id;  // whose time `stop_at` is
  Duration stop_at{};   // since boot. At a start of the daemon: as the holder has it
  bool operator==(const Claim&) const = default;
};

// What we can take on. Told again whenever it changes.
struct Capacity {
  int room = 0;  // units that may run here at the same time; 0: none, ever
  bool memory_ok = true;
  std::set<std::string> labels =
      {};  // also those of runtimes, each as it stands in needs: "label=gpu", "runtime=claude"
  std::set<std::string> limited = {};  // accounts without headroom, as this node knows by itself
  int64_t agents = 0, tasks = 0;       // for `pawl fleet ls`
  bool operator==(const Capacity&) const = default;
};

// What became of a run that a StartUnit began, or did not.
enum class Came {
  finished,  // to its end, well or badly: `result` is the unit's
  again,  // it was stopped, or could not be run here this time: somebody may run it from the beginning
  unfit  // it cannot be run on this node (no such folder …); not counted as a try
};
struct Ended {
  Came came = Came::finished;
  Json result = {};
  std::string because = {};
};

// A task for whoever may run it: `pawl task start --on any`.
struct UnitOrder {
  std::string unit;  // its name in the fleet
  Json task = {};    // of no interest to the member, but for "blob" in it
  std::set<std::string> needs =
      {};               // all of them in Capacity::labels; "account=X" waits for X's reset
  std::string on = {};  // one node only; empty: any
  int most_tries = 5;
  std::string by = {};
};

struct JournalEvent {
  uint64_t sequence = 0;
  std::string agent = {};  // empty: of none
  std::string value;       // the line of `pawl events --json`
};

// One agent as `pawl ls` shows it.
struct AgentSeen {
  std::string node, agent;
  std::string account = {};  // it shares this one's limits
  Json view;
  bool operator==(const AgentSeen&) const = default;
};

struct NodeSeen {
  std::string name, id, version;
  bool online = false;
  WallTime since;  // it is online, or is not any more
  int64_t agents = 0, tasks = 0, room = 0;
  std::vector<std::string> labels;
  Duration clock_off{};  // its wall clock against ours, when it was heard last
};

enum class UnitState { waiting, claimed, ended, cancelled };
std::string_view word(UnitState state);
std::optional<UnitState> unit_state_from(std::string_view text);
inline bool over(UnitState state) {
  return state == UnitState::ended || state == UnitState::cancelled;
}

// ---- Orders: to be carried out in this order ----

// Journal the claim, then start the task with its token, and tell the holder `claim.stop_at`: it kills the session by itself at that
// time since boot. Never started when it is already later than that.
struct StartUnit {
  Claim claim;
  Json task;
  int attempt = 1;
};
// The lease was renewed: the holder is to kill it at this later time.
struct LeaseUntil {
  std::string unit;
  uint64_t token = 0;
  Duration stop_at{};
};
// Kill it, at once; then tell ended() what became of it. Said once.
struct StopUnit {
  std::string unit;
  uint64_t token = 0;
  std::string because;
};
// All is said about this claim: it may leave the journal.
enum class Settled {
  accepted,    // the end is in the unit
  given_back,  // somebody may run it again
  superseded,  // another node has it, or had it to its end: what was found out here does not count
  cancelled
};
std::string_view word(Settled how);
struct UnitSettled {
  std::string unit;
  uint64_t token = 0;
  Settled how = Settled::accepted;
  std::string because = {};
};
struct Submitted {  // the answer to submit() and cancel()
  uint64_t ticket = 0;
  bool done = false;
  std::string because = {};  // not done, for people
  std::string todo = {};
};
struct TellPeople {
  model::Severity severity = model::Severity::warning;
  std::string matter;  // a person is told once of it
  std::string text;
  std::string todo = {};
};
struct NodeChanged {
  std::string node;
  bool online = false;
  std::string because = {};
};
// Somebody on another node asks a verb; answer it by answered().
struct VerbAsked {
  std::string token;
  std::string from;  // that node, as the server vouches for it
  std::string value;
};
struct VerbAnswered {  // what ask() got
  uint64_t ticket = 0;
  bool answered = false;
  bool may_be_done = false;  // no answer: it was done or not
  std::string value = {};
  std::string because = {};
};
// The next events of our journal are wanted: events() with those after this one, at most so many.
struct ReadJournal {
  uint64_t after = 0;
  size_t most = 0;
};
// An event of another node: each once, in that node's order.
struct RemoteEvent {
  std::string node, id;
  uint64_t sequence = 0;
  std::string agent;
  std::string value;
  uint64_t missed = 0;  // so many before it are lost to us, if not 0: the store did not keep them
};
// A blob that was asked for (Member::fetch).
struct BlobCame {
  uint64_t ticket = 0;
  bool done = false;
  bool gone = false;  // not done, and it never will be
  std::string value = {};
  std::string because = {};
};
// Put it into the agent's inbox under this name (doing it twice is doing it once), then say inboxed().
struct InboxItem {
  std::string token;
  std::string agent;
  std::string name;  // "bus-17"
  std::string value;
};
// Nobody uses this account until then (none: it is free); each agent of ours on it goes on at Member::wake_of().
struct AccountLimited {
  std::string account;
  std::string node;  // that saw it
  std::optional<WallTime> until = {};
};

using Order = std::variant<StartUnit, LeaseUntil, StopUnit, UnitSettled, Submitted, TellPeople,
                           NodeChanged, VerbAsked, VerbAnswered, ReadJournal, RemoteEvent,
                           InboxItem, AccountLimited, BlobCame>;

// Any name as one part of a subject or key, and back: "a.b" is "a=2eb".
std::string token_of(std::string_view name);
std::string name_of(std::string_view token);

}  // namespace pawl::fleet
