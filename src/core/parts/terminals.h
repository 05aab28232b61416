#pragma once
// The open terminals: taken over from an earlier life, recorded, written to disk, let go. One whose recording cannot be opened is
// used all the same; what it prints stays with its holder until there is a place for it.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/effect.h"
#include "core/parts/ground.h"
#include "core/parts/live_terminal.h"

namespace pawl::core {

inline constexpr Duration kFlushEvery =
    std::chrono::seconds{1};                       // recordings to disk, and acknowledged
inline constexpr size_t kFlushAbove = 256u << 10;  // … or when this much waits for one of them
inline constexpr Duration kLeftoverGrace =
    std::chrono::seconds{2};  // between TERM and KILL for what a program left

class Terminals {
 public:
  // What else has to be on disk before the bytes of a terminal are let go.
  using Before = std::function<Done(SessionId)>;
  Terminals(const Ground& ground, Before before) : ground_(ground), before_(std::move(before)) {}

  // The newest of an agent; null: it has none.
  const LiveTerminal* of(const std::string& agent) const;
  std::optional<SessionId> newest(const std::string& agent) const;
  const LiveTerminal* find(SessionId session) const;
  const term::Screen* screen(SessionId session) const;

  struct Taken {
    bool newest = false;  // of its agent
    bool redraw = false;  // its program paints what a recording lacks
  };
  // A session that outlived the daemon before us. Gives how far it is recorded.
  Offset take_over(const Clock& now, const host::Found& found, const std::string& owner, Taken as,
                   Inputs& out);
  void open(const Clock& now, const std::string& agent, SessionId session, Size size, Inputs& out);
  // How its program counts columns.
  void count(SessionId session, term::Counting counting);
  // What it printed; false: nobody knows this terminal.
  bool output(const Clock& now, const host::Output& seen, Inputs& out);
  void resized(const Clock& now, SessionId session, Size size);
  void note(SessionId session, const std::string& text);
  Done resize(const Clock& now, const std::string& agent, Size size);

  // Its program is gone: the holder lets go of a session only after its last byte is in the recording.
  void close(const Clock& now, const CloseTerminal& effect, Inputs& out);
  void end_leftovers(SessionId session) { to_sweep_.push_back(session); }
  // Its last bytes are not on disk yet.
  bool closing(SessionId session) const;
  // A terminal that never was: nothing to close, and nobody else's to hang up.
  void forget(SessionId session);
  // The agent is removed; gives the terminal that was hung up.
  std::optional<SessionId> remove(const std::string& agent);
  // Nobody looks at it any more; it was closed before.
  void let_go(const std::string& agent);

  // All recordings to disk now.
  void flush(const Clock& now, Inputs& out);
  void flush_agent(const Clock& now, const std::string& agent, Inputs& out);
  // What is due: leftovers, recordings to disk, recordings that could not be opened.
  void turn(const Clock& now, Inputs& out);
  std::optional<MonoTime> wake_at() const;
  // Agents of whose recordings a part was finished since the last call.
  std::set<std::string> take_recorded() { return std::exchange(recorded_, {}); }
  // Sessions of the agent whose last part may still grow.
  std::set<SessionId> writing(const std::string& agent) const;
  // Why nothing is recorded at the moment; nothing when all is well.
  const std::optional<Error>& trouble() const { return trouble_; }

 private:
  // A terminal that cannot be recorded at the moment.
  struct Unrecorded {
    MonoTime at;  // when it is tried again
    Duration pause;
    std::optional<Size> size;  // it has again then: its program is made to paint
  };
  struct Sweep {
    std::vector<SessionId> sessions;
    MonoTime kill_at;
  };
  LiveTerminal open_live(const Clock& now, const std::string& agent, SessionId session, Size size,
                         Offset first, Inputs& out);
  void redraw(const Clock& now, SessionId session);
  void record_again(const Clock& now, Inputs& out);
  bool try_to_record(const Clock& now, LiveTerminal& live, Unrecorded& one, Inputs& out);
  void tell_of_parts(LiveTerminal& live, Inputs& out);
  void flush_one(const Clock& now, LiveTerminal& live, Inputs& out);
  void finish_closing(const Clock& now, Inputs& out);
  void sweep_leftovers(const Clock& now);

  Ground ground_;
  Before before_;
  std::map<SessionId, LiveTerminal> terminals_;
  std::map<std::string, SessionId> newest_;  // of each agent
  std::map<SessionId, Unrecorded> unrecorded_;
  std::set<SessionId> unflushed_;  // there may be something of theirs that is not on disk
  std::set<SessionId> part_told_;  // whose recording cannot begin another part: a person knows
  std::set<std::string> recorded_;
  std::vector<SessionId> closing_;  // ended, not yet safely recorded
  std::vector<SessionId> to_sweep_;
  std::vector<Sweep> sweeps_;
  std::optional<Error> trouble_;  // until one is written again
  std::optional<MonoTime> flush_at_;
};

}  // namespace pawl::core
