#pragma once
// Text and keys on their way into terminals, one procedure per terminal at most: shows each what perception sees of its terminal,
// writes what it wants written, and says how it ended. A person's keys wait here until the procedure is over.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "act/inject.h"
#include "act/leave.h"
#include "act/press.h"
#include "base/agenda.h"
#include "base/units.h"
#include "core/effect.h"
#include "core/parts/ground.h"
#include "perceive/tracker.h"
#include "term/screen.h"

namespace pawl::core {

// A text of ours that comes into the box later than this is somebody's, and a longer one is not known again.
inline constexpr Duration kComesBack = std::chrono::minutes{2};
inline constexpr size_t kKnownAgain = 32u << 10;

inline constexpr size_t kHeldKeys = 1u << 20;  // of a person, per terminal; more is refused
inline constexpr Duration kHumanEvery =
    std::chrono::seconds{1};  // at most one human event per agent

// What can be seen of a terminal.
struct Sight {
  const term::Screen* screen = nullptr;        // null: it is not there
  const perceive::Tracker* tracker = nullptr;  // null: nothing is known but the screen
  bool behind = false;                         // what is known is about an earlier screen
};

class Deliveries {
 public:
  using Procedure = std::variant<act::Inject, act::Press, act::Leave>;
  struct Running {
    std::string agent;
    Seq intent;
    Procedure procedure;
    MonoTime begun{};
    uint64_t seen = 0;         // generation of the screen at the last look
    std::string keys = {};     // a person's, held back
    std::string refused = {};  // why the last write did not get there
    std::string draft_file = {};
  };

  explicit Deliveries(const Ground& ground) : ground_(ground) {}

  // What the journal has decided begins. One that cannot is over at once.
  void begin(const Clock& now, const DeliverText& effect, const perceive::Tracker* tracker,
             Inputs& out);
  // `work`: the words of what it was just given; nothing: it is gone.
  void begin(const Clock& now, const DeliverPrompt& effect, const perceive::Tracker* tracker,
             const std::optional<std::string>& work, Inputs& out);
  void begin(const Clock& now, const TypeCommand& effect, Inputs& out);
  void begin(const Clock& now, const PressRow& effect);
  void begin(const Clock& now, const LeaveMode& effect);

  // The intents of texts for which Enter was not pressed yet: nobody can have taken them.
  std::set<Seq> unsent() const;
  bool unsent(SessionId session) const;
  bool has(SessionId session) const { return running_.contains(session); }
  // Something was drawn, or decided: it is looked at in this turn.
  void stir(SessionId session) {
    if (has(session)) stirred_.insert(session);
  }
  // Those to be looked at now.
  std::vector<SessionId> due(MonoTime now) const;
  enum class Step { goes_on, too_early, over };
  // Looks, and does what follows. too_early: `sight` is behind and has to catch up first.
  Step step(const Clock& now, SessionId session, const Sight& sight, Inputs& out);

  // A person's keys: to the program, or held back until a text was typed.
  Done type(const Clock& now, const model::Agent& agent, std::string_view keys);
  // More keys may come: what is held back is far from its limit.
  bool has_room(SessionId session) const;
  // A person is told of once in a while.
  bool tell_person(MonoTime now, const std::string& agent);
  void forget(const std::string& agent) { told_person_.erase(agent); }
  // What is in the box from now on may be a person's.
  void person(SessionId session) { last_.erase(session); }
  // A hook told of a prompt.
  void prompted(MonoTime now, SessionId session, std::string text);
  // The terminal took not a byte of the last write. False: nothing is being delivered.
  bool refused(MonoTime now, SessionId session, const std::string& why);
  void closed(SessionId session);
  // Nothing stands in the box.
  void emptied(SessionId session) {
    if (const auto it = last_.find(session); it != last_.end()) it->second.left = false;
  }
  // Is what stands in the box ours?
  bool knows_text(SessionId session) const;
  bool own_text(const Clock& now, SessionId session, const Sight& sight) const;
  std::optional<MonoTime> wake_at() const { return looks_.first(); }
  // Nobody was there until now.
  void slept(WallTime now, Duration length) { gap_end_ = now, gap_ = length; }

 private:
  struct Witnesses {
    MonoTime human{}, prompt{};
    std::string prompt_text;  // while something is being delivered
  };
  void begin(SessionId session, Running running);
  void end(SessionId session);
  Running* find(SessionId session);
  // A text was typed, and that is over. `left`: it may be in the box still.
  void typed_text(MonoTime now, SessionId session, const std::string& text, bool left);
  bool keep_draft(Running& running, const std::string& draft) const;
  void came_to_end(const Clock& now, SessionId session, Running& running,
                   const act::Outcome& outcome, Inputs& out);
  Step release(const Clock& now, SessionId session);
  act::View view(const Clock& now, SessionId session, const perceive::Tracker* tracker,
                 const term::Screen& screen) const;

  struct Last {
    MonoTime at;
    std::string text;
    bool left = false;
  };
  Ground ground_;
  std::map<std::string, MonoTime> told_person_;
  std::map<SessionId, Last> last_;  // what we typed, while nobody else did
  std::map<SessionId, Running> running_;
  Agenda<SessionId, MonoTime> looks_;  // at those
  std::set<SessionId> stirred_;
  std::map<SessionId, Witnesses> witnesses_;
  WallTime gap_end_{};
  Duration gap_{};
};

}  // namespace pawl::core
