#pragma once
// Terminals and the children in them. The first of the three seams: real terminals (pty_host.h), tmux
// panes and the simulator's made-up world all stand behind it, and test/host holds one list of
// contract tests for all of them.
//
// Commands go in by the methods and never block; what happened comes out of take(). A Host decides
// nothing.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/units.h"
#include "model/facts.h"
#include "os/process.h"

namespace pawl::host {

// A pane of somebody's tmux server that already runs: known by its number and its process, never by its place.
struct Pane {
  std::string server;  // the server's socket
  std::string id;      // "%3"
  os::ProcessId process;
};

enum class Backend { pty, tmux };

// What a program and everything it starts may have together (limits.h); 0: no limit.
struct Limits {
  uint64_t memory = 0;  // bytes
  int cpu_pct = 0;      // of one processor
  bool task =
      false;  // what it leaves behind is ended with it: it has a group of its own, where there are any
  bool any() const { return memory > 0 || cpu_pct > 0 || task; }
  bool operator==(const Limits&) const = default;
};

// What to run. The environment is complete: nothing is inherited from the daemon.
struct Launch {
  std::vector<std::string> argv;         // argv[0] is looked up in the PATH of `environment`
  std::vector<std::string> environment;  // "NAME=value"
  std::string dir;
  Size size;
  // "NAME=value": what the program is told about its terminal on purpose, in place of what `environment` says about another.
  std::vector<std::string> terminal = {};
  Backend backend = Backend::pty;
  std::optional<Pane> pane = {};  // nothing is run: this one is adopted
  Limits limits = {};
  // It is ended then, with everything it started, unless extend() moved that time (pty only). None: the beginning of time.
  BootTime until = {};
};

struct Opened {
  SessionId session;
  os::ProcessId process;
};
struct OpenFailed {
  SessionId session;
  Error error;  // says what to do: install the command, create the folder …
};
// A session that outlived the daemon before us. Its bytes flow only after attach(); when its child
// has ended meanwhile, Ended comes after the last of them. One that was still starting may yet be
// followed by OpenFailed.
struct Found {
  SessionId session;
  os::ProcessId process;
  Offset first;  // the oldest byte still held: everything before was acknowledged
  Offset end;
  Size size;
  bool ended = false;   // its child has ended already
  BootTime until = {};  // as Launch::until, as it was moved last
};
struct Output {
  SessionId session;
  Offset offset;  // of bytes[0]; consecutive per session, without gap or repetition
  std::string bytes;
  bool answered = false;  // the terminal itself answers what these bytes ask
};
// The child is gone and every byte it printed has been given out before this. Once per session and
// daemon. Output of others that still have the terminal open may follow until close().
struct Ended {
  SessionId session;
  int exit_code = -1;  // when it exited by itself
  int signal = 0;      // when a signal ended it
  bool known = true;   // false: the holder was lost, nobody saw the end
  Offset end = {};
  std::string why = {};  // it is not known, for people
  std::string cause =
      {};  // more than the signal says: "killed for memory (peak 98 MiB of 100 MiB)"
};
// Bytes of write() that could not be delivered, because the child does not read and the queue is
// full. Each call up to 1 MiB is delivered whole or not at all.
struct WriteRefused {
  SessionId session;
  std::string why;
  bool later = false;  // a person is in the way: not a byte was written, and it may be tried again
};
// What look() asked for.
struct FactsRead {
  SessionId session;
  model::Facts facts;
};
// The terminal has another size, not by resize().
struct Resized {
  SessionId session;
  Size size;
};
// A person did something at the terminal, not through us. Not told twice for the same time.
struct PersonSeen {
  SessionId session;
  WallTime when;
};
// Something about the way it is watched that a person may want to know; empty: what was noted is over.
struct Noted {
  SessionId session;
  std::string text;
};
// A process that holds terminals came to its end, does not answer, or answers again. Comes before what it means for its sessions.
struct HolderSeen {
  enum class What { ended, lost, stopped, silent, answers };  // lost: it may live
  What what = What::ended;
  os::ProcessId process;            // pid 0: not known
  std::string name;                 // "holder 0"
  std::vector<SessionId> sessions;  // whose programs ran in it
};
// "holder (pid 42) was killed", for people.
std::string text_of(const HolderSeen& seen);

using HostEvent = std::variant<Opened, OpenFailed, Found, Output, Ended, WriteRefused, FactsRead,
                               Resized, PersonSeen, Noted, HolderSeen>;

class Host {
 public:
  virtual ~Host() = default;

  // Exactly one Opened or OpenFailed follows.
  virtual void open(SessionId session, const Launch& launch) = 0;
  // Start (again) the flow of Output from this offset on; the flow of an opened session starts by
  // itself at 0.
  virtual void attach(SessionId session, Offset from) = 0;
  virtual void write(SessionId session, std::string_view bytes) = 0;
  // More of what a person types may be written: what was written before is not all still on its way. False: it will be true again when
  // the program reads, and the host wakes whoever takes its events.
  virtual bool has_room(SessionId) { return true; }
  virtual void resize(SessionId session, Size size) = 0;
  // To the child's process group and, when it is in another group, the terminal's foreground group.
  virtual void signal(SessionId session, int signal_number) = 0;
  // Of a session that was found: what was asked for when it was opened.
  virtual void limit(SessionId, const Limits&) {}
  // Of a session that has to be over at some time (Launch::until): another time. The holder keeps it, also when nobody is there to ask.
  virtual void extend(SessionId session, BootTime until) = 0;
  // KILL to it and to everything it ever started, at once, also where its holder does not answer. Ended follows.
  virtual void kill(SessionId session) = 0;
  // Bytes before this offset are safe with us; the holder may forget them.
  virtual void acknowledge(SessionId session, Offset upto) = 0;
  // Forget an ended session, or hang up a living one (its terminal closes); one that was adopted is given back as it is.
  virtual void close(SessionId session) = 0;

  // To every living process these sessions left behind, however it detached itself; how many there were.
  virtual size_t signal_leftovers(const std::vector<SessionId>& sessions, int signal_number) = 0;

  // Who is in front of this terminal? Read off the loop: one FactsRead follows, or none when the
  // session has not opened yet or has ended, when its child has let go of the terminal, or when the
  // kernel is too slow to say (two seconds). Asking again before that asks once. After Ended or
  // close() none comes.
  // `files`: the program's own, read along.
  virtual void look(SessionId session, const model::OwnFiles& files) = 0;

  // Why nothing can be done to this terminal at the moment; nothing: it can be tried.
  virtual std::optional<Error> unheard(SessionId) { return std::nullopt; }

  // What happened since the last call, in order per session.
  virtual std::vector<HostEvent> take() = 0;
};

}  // namespace pawl::host
