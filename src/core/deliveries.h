#pragma once
// The procedures under way, one per terminal at most: shows each what perception sees of its terminal, and hands back what is
// to be written and how it ended. A person's keys wait here until the procedure is over (Engine::type).

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "act/inject.h"
#include "act/press.h"
#include "base/units.h"
#include "perceive/tracker.h"
#include "term/screen.h"

namespace pawl::core {

// A text of ours that comes into the box later than this is somebody's, and a longer one is not known again.
inline constexpr Duration kComesBack = std::chrono::minutes{2};
inline constexpr size_t kKnownAgain = 32u << 10;

inline constexpr size_t kHeldKeys = 1u << 20;  // of a person, per terminal; more is refused

class Deliveries {
 public:
  using Procedure = std::variant<act::Inject, act::Press>;
  struct Running {
    std::string agent;
    Seq intent;
    Procedure procedure;
    MonoTime look_at{};        // or when its screen changes
    uint64_t seen = 0;         // generation of the screen at the last look
    std::string keys = {};     // a person's, held back
    std::string refused = {};  // why the last write did not get there
    std::string draft_file = {};
  };

  void begin(SessionId session, Running running);
  Running* find(SessionId session);
  bool empty() const { return running_.empty(); }
  std::vector<SessionId> sessions() const;
  void end(SessionId session) { running_.erase(session); }
  // A person's keys went to the program, or a hook told of a prompt.
  void typed(MonoTime now, SessionId session) {
    witnesses_[session].human = now;
    person(session);
  }
  // What is in the box from now on may be a person's.
  void person(SessionId session) { last_.erase(session); }
  void prompted(MonoTime now, SessionId session, std::string text);
  // The terminal took not a byte of the last write. False: nothing is being delivered.
  bool refused(MonoTime now, SessionId session, const std::string& why);
  void closed(SessionId session);
  // A text was typed, and that is over. `left`: it may be in the box still.
  void typed_text(MonoTime now, SessionId session, const std::string& text, bool left);
  // Nothing stands in the box.
  void emptied(SessionId session) {
    if (const auto it = last_.find(session); it != last_.end()) it->second.left = false;
  }
  // Is what stands in the box ours?
  bool own_text(const act::View& view, SessionId session) const;
  std::optional<MonoTime> wake_at() const;
  // Nobody was there until now.
  void slept(WallTime now, Duration length) { gap_end_ = now, gap_ = length; }

  // Without a tracker nothing is known but the screen.
  act::View view(const Clock& now, SessionId session, const perceive::Tracker* tracker,
                 const term::Screen& screen) const;

 private:
  struct Witnesses {
    MonoTime human{}, prompt{};
    std::string prompt_text;  // while something is being delivered
  };
  struct Last {
    MonoTime at;
    std::string text;
    bool left = false;
  };
  std::map<SessionId, Last> last_;  // what we typed, while nobody else did
  std::map<SessionId, Running> running_;
  std::map<SessionId, Witnesses> witnesses_;
  WallTime gap_end_{};
  Duration gap_{};
};

}  // namespace pawl::core
