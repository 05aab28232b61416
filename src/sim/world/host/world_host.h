#pragma once
// Terminals with modelled programs in them (agents/), behind the Host seam: what PtyHost and its holders are on a real machine.
// Sessions outlive the daemon; bytes are kept until they are acknowledged; Ended comes after the last of them. All of it in virtual
// time: the world says what time it is, asks when something happens next, and calls advance().
//
// A call that does something to a program can kill the daemon there: `fatal` says at which.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "host/host.h"
#include "sim/world/agents/running.h"

namespace pawl::sim {

// The daemon is killed with -9 at this point.
struct Killed {};

// What a session runs, by the agent it is for.
struct Cast {
  std::string runtime = {};               // whose hooks it calls
  std::unique_ptr<Running> program = {};  // null: nobody knows it, and nothing is ever heard of it
  Launch launch = {};                     // argv, size and process are filled in
  Duration opens = std::chrono::milliseconds{20};
};

// A hook call on its way to the daemon.
struct HookCalled {
  std::string agent;
  SessionId session;
  std::string runtime;
  std::string json;
};

class WorldHost : public host::Host {
 public:
  using Casting = std::function<Cast(const std::string& agent)>;
  explicit WorldHost(Casting casting) : casting_(std::move(casting)) {}

  // The world's side.
  void set_time(const Clock& now) { now_ = now; }
  // Programs live on until now; what they printed waits for take().
  void advance();
  std::optional<MonoTime> wake_at() const;
  std::vector<HookCalled> take_hooks() { return std::exchange(hooks_, {}); }
  struct Logged {
    std::string agent;
    Entry entry;
  };
  std::vector<Logged> take_log() { return std::exchange(log_, {}); }
  // The newest living program of an agent; null: it has none.
  Running* program(const std::string& agent);
  // Something was done to a program beside the daemon: a person typed, an order was given.
  void touched(const std::string& agent);
  // A person's keys that do not come through the daemon.
  void person_types(const std::string& agent, std::string_view bytes);
  void clock_set(Duration by);
  void behave(const std::function<Behaviour(const std::string& agent)>& how);

  // The daemon is killed, and another one comes: it is told of every session that lives or has bytes for it.
  void daemon_died();
  void daemon_came();
  // A holder is killed with everything in it: one in `of` sessions, beginning with `from`.
  size_t holder_died(size_t from, size_t of);
  // The machine goes down: nothing lives on.
  void machine_died();
  // After so many more calls that do something, the daemon is killed there; 0: it is not.
  void kill_after(size_t calls) { fatal_ = calls; }
  // No facts are read any more, as when the kernel hangs; nothing is opened while it is slow.
  void set_hung(bool hung) { hung_ = hung; }
  void set_slow(Duration slow) { slow_ = slow; }

  struct Written {  // by the daemon, for the checkers
    MonoTime at;
    std::string agent;
    std::string bytes;
  };
  std::vector<Written> take_written() { return std::exchange(written_, {}); }
  size_t living() const;

  // The daemon's side.
  void open(SessionId session, const host::Launch& launch) override;
  void attach(SessionId session, Offset from) override;
  void write(SessionId session, std::string_view bytes) override;
  void resize(SessionId session, Size size) override;
  void signal(SessionId session, int signal_number) override;
  void extend(SessionId session, BootTime until) override;
  void kill(SessionId session) override;
  void acknowledge(SessionId session, Offset upto) override;
  void close(SessionId session) override;
  size_t signal_leftovers(const std::vector<SessionId>& sessions, int signal_number) override;
  void look(SessionId session, const model::OwnFiles& files) override;
  std::vector<host::HostEvent> take() override;

 private:
  struct Room {
    std::string agent;
    std::string runtime;
    Size size;
    std::unique_ptr<Launch> launch;    // until it is open
    std::vector<int> signals;          // that came before
    std::unique_ptr<Running> program;  // null: it failed to open, or its holder is gone
    model::Process process;
    std::string kept;    // what it printed and nobody has acknowledged …
    uint64_t first = 0;  // … beginning at this offset
    uint64_t next = 0;   // given out up to here in this life of the daemon
    bool opened = false, flows = false;
    std::optional<host::Ended> end;
    bool end_told = false;
    BootTime until = {};  // host::Launch::until
    bool overdue = false;
    std::optional<MonoTime> opens_at, looks_at, due;
    model::OwnFiles wanted = {};  // with the next look
  };
  void opens(Room& room);
  void end_due();
  void lives_on(SessionId session, Room& room);
  host::FactsRead facts_of(SessionId session, const Room& room) const;
  void flow(SessionId session, Room& room);
  void schedule(SessionId session, Room& room);
  void doing();
  Room* room(SessionId session);
  uint64_t end_of(const Room& room) const { return room.first + room.kept.size(); }

  Casting casting_;
  Clock now_{};
  std::map<SessionId, Room> rooms_;
  std::set<SessionId> owed_;  // those that have to be over at some time
  std::map<std::string, SessionId> newest_;
  std::set<std::pair<MonoTime, SessionId>> agenda_;
  std::vector<host::HostEvent> events_;
  std::vector<HookCalled> hooks_;
  std::vector<Logged> log_;
  std::vector<Written> written_;
  int64_t last_pid_ = 1000;
  size_t fatal_ = 0;
  bool daemon_ = false;
  bool hung_ = false;
  Duration slow_{};
};

}  // namespace pawl::sim
