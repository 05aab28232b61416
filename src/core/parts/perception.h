#pragma once
// What every open terminal's program is doing: one Tracker a session, looked at when its screen changed or time may have
// changed the verdict, never more often than needed. A quiet terminal costs nothing.
//
// The engine tells it what happened and hands what it concludes to the supervisor as an input (Perceived).

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/zone.h"
#include "core/input.h"
#include "model/spec.h"
#include "perceive/records/session_file.h"
#include "perceive/tracker.h"

namespace pawl::core {

// Between output and a look: short after silence, longer while a program keeps writing.
inline constexpr Duration kLookSoon = std::chrono::milliseconds{20};
inline constexpr Duration kReadUp =
    std::chrono::seconds{10};  // by then all is read that was printed without a daemon
inline constexpr Duration kLookBusy = std::chrono::milliseconds{250};
inline constexpr Duration kLookUnknown = std::chrono::seconds{1};  // a program nobody knows
inline constexpr Duration kPause =
    std::chrono::milliseconds{300};  // without output: it stopped writing
// Between two questions about processes of one terminal, while it writes or starts.
inline constexpr Duration kFactsWriting = std::chrono::seconds{5};
inline constexpr Duration kFactsStarting = std::chrono::seconds{1};
inline constexpr Duration kFactsSilent = std::chrono::seconds{5};  // busy without a word
inline constexpr Duration kFactsLost = std::chrono::seconds{3};  // asked for and not answered: void
inline constexpr Duration kStartingLong = std::chrono::seconds{60};

class Perception {
 public:
  // A time zone by name; the empty one is the local zone.
  using ZoneOf = std::function<Result<Zone>(std::string_view)>;
  using ScreenOf = std::function<const term::Screen*(SessionId)>;

  // Without a catalog nothing is perceived.
  Perception(const perceive::Catalog* catalog, ZoneOf zone_of)
      : catalog_(catalog), zone_of_(std::move(zone_of)) {}

  // What is known of one that was there before this life of the daemon.
  struct Before {
    bool running = false;  // it had an interface already …
    bool rested = false;   // … and was at its prompt
  };
  // `notices`: those told before, with the times worked out when their text appeared.
  void opened(MonoTime now, SessionId session, const model::AgentSpec& spec, Before before,
              std::vector<model::Notice> notices = {});
  // Nobody looked at those that were there before, from then on until they are opened.
  void unwatched(WallTime since) { unwatched_ = since; }
  // Its screen is known from before: it may never be drawn again.
  void drawn(SessionId session);
  void wrote(MonoTime now, SessionId session);
  // Somebody waits for what this one shows: look in this turn.
  void hasten(MonoTime now, SessionId session);
  // What it wrote is not looked at yet: what is known of its screen is about an earlier one.
  bool behind(SessionId session) const;
  void facts(MonoTime now, SessionId session, model::Facts facts);
  void told(MonoTime now, SessionId session, bool by_hook, const perceive::Word& word);
  void closed(SessionId session);
  // The clock was set back: times that are still to come are worked out anew from their texts.
  void clock_set_back(const Clock& now, Duration by);
  // Other profiles from now on: everything open is looked at anew, with the facts and the hook it had.
  using SpecOf = std::function<const model::AgentSpec*(SessionId)>;
  void use(MonoTime now, const perceive::Catalog* catalog, const SpecOf& spec_of);

  // Looks wherever it is time to; what is new since the last call.
  std::vector<Perceived> look(const Clock& now, const ScreenOf& screen_of);
  // What it shows is told with the next look, even if that is no change.
  void tell_again(MonoTime now, SessionId session);
  // Whose processes should be asked for now.
  std::vector<SessionId> ask_facts(MonoTime now);
  model::OwnFiles own_files(SessionId session) const;  // to be read along
  std::optional<MonoTime> wake_at() const;

  // A program of this command line is known, so that it is `starting` and not just running.
  bool knows(const model::AgentSpec& spec) const;
  const perceive::Tracker* tracker(SessionId session) const;

 private:
  struct Watch {
    explicit Watch(perceive::Tracker its) : tracker(std::move(its)) {}
    perceive::Tracker tracker;
    bool drawn = false;               // output since the last look
    std::optional<MonoTime> look_at;  // for that output
    std::optional<MonoTime> due;      // in due_
    Duration pace = kLookSoon;
    MonoTime written{};
    MonoTime looked{};
    MonoTime opened{};
    std::optional<MonoTime> ask_at;  // processes
    MonoTime asked{};
    bool untold = false;                  // the last verdict
    std::optional<MonoTime> unanswered;   // the first question since the last answer
    perceive::SessionFile file;           // what its status file said last
    uint64_t transcript_size = 0;         // of its own, as last read
    std::string runtime;                  // last told
    std::vector<model::Notice> notices;   // last told
    std::optional<model::Dialog> dialog;  // last told
    std::optional<WallTime> covered;      // a dialog hides things from then on
    std::optional<WallTime> unwatched;    // nobody looked from then on until it was opened
  };
  void files_read(MonoTime now, Watch& watch, const model::Facts& facts,
                  const std::string& transcript);
  void schedule(SessionId session, Watch& watch);
  void fired(SessionId session, Watch& watch);
  void look_at(const Clock& now, SessionId session, Watch& watch, const ScreenOf& screen_of,
               std::vector<Perceived>& out);
  std::vector<model::Notice> notices_of(const Clock& now, const Watch& watch) const;
  static WallTime written_since(const Clock& now, const Watch& watch);

  const perceive::Catalog* catalog_;
  ZoneOf zone_of_;
  std::optional<WallTime> unwatched_;
  std::unordered_map<SessionId, Watch> watches_;
  std::set<std::pair<MonoTime, SessionId>> due_;
};

}  // namespace pawl::core
