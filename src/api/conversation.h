#pragma once
// One client, whatever carries its bytes: frames in, encoded frames out. One request at a time; the next one is read when
// the reply is out. Holds no agent's state, only what this client is waiting for.

#include <functional>
#include <map>
#include <set>
#include <string>
#include <variant>

#include "api/aim.h"
#include "api/attach_stream.h"
#include "api/export_stream.h"
#include "api/fleet_answer.h"
#include "api/frame.h"
#include "api/journal_search.h"
#include "api/mover.h"
#include "api/passed_on.h"
#include "api/places_asked.h"
#include "api/places_awaited.h"
#include "api/places_followed.h"
#include "api/places_told.h"
#include "api/screen_at.h"
#include "api/stream.h"
#include "api/task_events.h"
#include "api/task_stream.h"
#include "api/unit_streams.h"
#include "core/face.h"
#include "model/asker.h"
#include "model/lease.h"
#include "os/socket.h"

namespace pawl::api {

class Arrivals;
class Later;

// What the daemon itself is; shared by all conversations, changed by `shutdown`.
struct Server {
  std::string version;
  int64_t pid = 0;
  WallTime started;
  bool dry_run = false;
  bool leaving = false;
  // What the kernel does for `memory` and `cpu` of agents (host/limits.h).
  struct Limits {
    bool groups = false, memory = false, cpu = false;
    std::string why = {};    // what is not possible
    bool asking = false;     // systemd has not answered yet: what is opened waits for it
    std::string scope = {};  // of systemd's, beside the service that we are
  };
  std::function<Limits()> limits = [] { return Limits{}; };
  size_t unwatched = 0;  // agents whose folders the kernel does not watch for us
  // Who is at this socket, looked up when it connects. Of the local socket.
  std::function<model::Asker(const os::Peer& peer)> who = {};
  std::string cookie = {};  // how PAWL_SESSION begins in agents of this home (host/environment.h)
  // What a program's hook has to show (PAWL_HOOK) as its session's; null: nothing (tests).
  std::function<std::string(SessionId)> secret = {};
  std::set<std::string> lies = {};  // hooks that were not its own, and are written down already
  // Machines over ssh: "add", "ls" or "rm", and the request; null where there are none (tests).
  std::function<Result<Json>(const std::string& verb, const Json& request)> machines = {};
  // The fleet on a bus: "join", "leave" or "ls", and the request; null where there is none (tests).
  std::function<Result<Json>(const std::string& verb, const Json& request)> fleet = {};
  // Leases of tasks that are about to be begun, by a name that nobody can guess: `task start` takes its own.
  struct GivenLease {
    model::Lease lease;
    BootTime until = {};
  };
  std::map<std::string, GivenLease> leases = {};
  // Other places where agents run, as they are this very moment; null where there are none (tests).
  std::function<Places()> places = {};
  // `pawl move`, both ends of it; null where nothing is moved (tests).
  Mover* mover = nullptr;
  Arrivals* arrivals = nullptr;
  // What waits for machines that are not reached; null: nothing does (tests).
  Later* later = nullptr;
  Seats seats = {};  // whose size which terminal has
  // `pawl serve`: begins, changes or ends serving; null where nobody serves.
  std::function<Result<Json>(const Json& args)> serve = {};
};

// Several wishes behind one request: the reply comes when the last is fulfilled or refused.
struct Gathering {
  std::map<RequestId, std::string> waiting;  // request → agent
  std::vector<std::pair<std::string, Done>> results;
  std::vector<std::string> complaints = {};   // about a file, which did not stop anything
  std::optional<core::Receipt> receipt = {};  // of a text
  bool task = false;                          // it is about a task: so is the view
  bool bare = false;  // one agent: the reply is its view, an error is the error itself
  std::optional<MonoTime> deadline = {};  // … and nobody waits longer than this

  StreamEnd pump(const StreamContext& context) const;
  std::optional<MonoTime> wake_at() const { return deadline; }
};

// What a handler answers: at once, or by going on.
using Outcome = std::variant<Result<Json>, Gathering, EventStream, WaitStream, LogStream,
                             AttachStream, TaskWait, TaskOutput, TaskEvents, JournalSearch,
                             ScreenAt, ExportStream, PlacesAsked, PlacesFollowed, PlacesAwaited,
                             PlacesTold, PassedOn, FleetAnswer, UnitWait, UnitResult, MoveWatch>;

struct Call {
  core::Engine& engine;
  Server& server;
  const Clock& now;
  const Json& args;
  const Json& request;  // with "environment" and "cwd" of the caller
  const model::Asker& asker;
};

class Conversation {
 public:
  // `asker`: who is at the local socket; without one each request says who sent it ("by"), as the web server makes them.
  Conversation(core::Engine& engine, Server& server, std::optional<model::Asker> asker = {})
      : engine_(engine), server_(server), asker_(std::move(asker)) {}

  void receive(const Clock& now, const Frame& frame);
  void refuse(const Error& error);  // a client that does not speak our language: say so and leave
  void answered(const Clock& now, const core::Answer& answer);
  AttachStream* attached() { return std::get_if<AttachStream>(&doing_); }  // null: no terminal
  // … of ours; of another machine's we only know that something is under way there.
  bool at_terminal() { return attached() || std::holds_alternative<PassedOn>(doing_); }
  // More may be read from the client now; after every turn it may be so again.
  bool hears() const;
  // Goes on with a stream while `room` bytes may be added.
  void pump(const Clock& now, size_t room);
  std::optional<MonoTime> wake_at() const;

  std::string take_output() { return std::exchange(out_, {}); }
  bool leaving() const { return leaving_; }
  // The next request may be read.
  bool idle() const { return std::holds_alternative<std::monostate>(doing_); }

 private:
  void reply(const Result<Json>& result);
  void begin(const Clock& now, Outcome outcome);
  model::Asker asker_of(const Json& request) const;
  void ask(const Clock& now, const Json& request);
  void note_all(const Call& call, const Verb& row, const Aim& aim, bool refused);
  Done speak_for(const Json& request);
  Json at_home(const Json& request) const;
  void note(const model::Asker& asker, const std::string& name, const std::string& verb,
            bool refused = false, const std::string& args = {});

  core::Engine& engine_;
  Server& server_;
  std::optional<model::Asker> asker_;
  Json relay_;  // … speaks for somebody elsewhere: how it began, with what is true on this machine
  std::string out_;
  bool leaving_ = false;
  std::variant<std::monostate, Gathering, EventStream, WaitStream, LogStream, AttachStream,
               TaskWait, TaskOutput, TaskEvents, JournalSearch, ScreenAt, ExportStream, PlacesAsked,
               PlacesFollowed, PlacesAwaited, PlacesTold, PassedOn, FleetAnswer, UnitWait,
               UnitResult, MoveWatch>
      doing_;
};

}  // namespace pawl::api
