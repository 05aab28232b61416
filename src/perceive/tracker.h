#pragma once
// Perception of one agent over time: is told what happened, looks, and gives an edge when the state is another one.
// Pure: time is an argument; wake_at() says when time alone may change the verdict. Used live by core, and in virtual time
// by `pawl classify`.

#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "perceive/drift.h"
#include "perceive/evidence.h"
#include "perceive/learn/apprentice.h"
#include "perceive/profile/catalog.h"
#include "perceive/rules.h"

namespace pawl::perceive {

// So many changes of text above the box within so short a time are work, whatever they say.
inline constexpr size_t kRestlessMoves = 6;
inline constexpr Duration kRestlessWithin = std::chrono::milliseconds{1200};

inline constexpr Duration kDrawingLong = std::chrono::milliseconds{300};  // of synchronized output
inline constexpr double kCpuProgress =
    0.03;  // of the time between two looks at the processes; idle ones use some
// Without one byte for so long, words that offer to interrupt are no sign of work: those that stood there before anything was
// sent, and others.
inline constexpr Duration kStandingSign = std::chrono::seconds{3};
inline constexpr Duration kFrozenSign = std::chrono::seconds{8};
inline constexpr size_t kMaxStanding = 32;
// A turn of a program nobody described, after a text was sent and by itself: what is shorter may be a page that was opened.
inline constexpr Duration kShortTurn = std::chrono::milliseconds{300};
inline constexpr Duration kOwnTurn = std::chrono::milliseconds{1500};
inline constexpr size_t kLeastHome = 4;  // rows above the box; with fewer nothing can be compared
inline constexpr size_t kSentBytes =
    5;  // of a draft that vanished at once; fewer may have been deleted
inline constexpr Duration kDialogGone =
    std::chrono::seconds{2};  // longer than it takes to draw one anew
inline constexpr Duration kAfterClear = std::chrono::milliseconds{500};  // C5

// What it may use: everything by default. Fewer: an adopted pane, a recording without facts, a test.
struct Channels {
  bool process = true;
  bool osc = true;  // title, progress, marks, program status
  bool operator==(const Channels&) const = default;
};

struct TrackerOptions {
  std::string runtime = "auto";
  Channels channels;
  std::vector<std::string> argv;  // what was started
  bool still = false;             // one picture, no history
  bool running = false;           // it is up already: the daemon came back
  bool rested = false;            // … and was seen at its prompt
  Duration stuck = std::chrono::seconds{30};
  std::optional<Duration> quiet, cleared;  // over the profile's and the table's own
};

class Tracker {
 public:
  Tracker(const Catalog& catalog, TrackerOptions options, MonoTime now);

  // False when the program is in the middle of drawing: look again a little later.
  bool screen(MonoTime now, const term::Screen& screen);
  // It writes, and nobody has looked at the picture yet: whatever that is, it is not silent.
  void wrote(MonoTime when) { evidence_.output = std::max(evidence_.output, when); }
  void facts(MonoTime now, const Facts& facts);
  void no_facts() { evidence_.facts.reset(); }  // the kernel does not answer any more
  void ended(MonoTime now, const model::Ending& ending);
  void told(MonoTime now, bool by_hook, const Word& word);
  void transcript(MonoTime now, const Transcript& its) { evidence_.transcript.set(its, now); }

  // The new verdict, when it is another state or kind than before.
  std::optional<Verdict> read(MonoTime now);
  std::optional<MonoTime> wake_at() const { return again_; }

  const Verdict& verdict() const { return verdict_; }
  const Evidence& evidence() const { return evidence_; }
  const Profile& profile() const { return eye_->profile(); }
  // The runtime was not given, so that another profile may turn out to fit.
  bool guesses() const { return options_.runtime == "auto" || !catalog_->find(options_.runtime); }
  const char* rule() const { return rule_; }
  bool judged() const { return *rule_ != '\0'; }  // else nothing was certain yet
  const Drift& drift() const { return drift_; }
  // A rule of the profile broke: what to tell the user, once.
  std::optional<std::string> take_alarm() { return drift_.take_alarm(); }

 private:
  void use(const Profile& profile);
  void relaunched(MonoTime now);
  void recognise(const term::Screen& screen);
  void moved_near(MonoTime now);
  void forget_reported(MonoTime now);
  void doubt_sign(MonoTime now);
  void learn_box(MonoTime now);
  void compare_with_home();
  void remember_home(MonoTime now);
  bool nobody_described() const { return &profile() == &catalog_->generic() || learnt_; }
  void read_osc(MonoTime now, const term::Screen& screen);
  void read_shell_prompt(MonoTime now, const term::Screen& screen);
  TitleKind kind_of(const std::string& title) const;
  const ModeRule* titled_mode() const;

  const Catalog* catalog_;
  TrackerOptions options_;
  std::unique_ptr<Profile> learnt_;  // the generic one, with a box that its own run taught
  Apprentice apprentice_;
  std::unique_ptr<Eye> eye_;  // evidence points into it, also when this object moves
  Evidence evidence_;
  Verdict verdict_;
  const char* rule_ = "";
  std::optional<MonoTime> again_;
  std::array<MonoTime, kRestlessMoves> moves_{};  // of text above the box, the newest last
  size_t draft_bytes_ = 0;                        // in the box when it was last seen
  std::optional<MonoTime> drawing_since_;         // synchronized output began
  uint64_t recognised_ = 0;  // generation up to which rows were searched for a known program
  uint64_t status_reports_ = 0;
  std::set<std::string> standing_;    // signs of work from before anything was sent
  std::optional<MonoTime> doubt_at_;  // when it is none, if nothing happens
  bool sent_since_home_ = false;
  bool sent_once_ = false;  // a draft vanished from its box
  bool believes_ = false;   // … that was wrong once
  Size size_{};
  std::vector<size_t> home_;  // what stood above its box when it was ready
  Duration worked_for_{};     // since then
  std::optional<MonoTime> work_from_;
  Drift drift_;
  std::string stale_title_;  // of the program before this one
};

}  // namespace pawl::perceive
