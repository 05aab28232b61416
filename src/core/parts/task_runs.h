#pragma once
// The runs of tasks as they happen: what they print becomes output.log and a report, and their folders are kept as the journal
// has them. Owned by the engine, which calls in here with everything that happens to a terminal.

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/input.h"
#include "model/facts.h"
#include "perceive/records/headless.h"
#include "store/task_files.h"
#include "term/screen.h"

namespace pawl::core {

inline constexpr double kWorking = 0.01;  // of a processor: less is waiting
inline constexpr Duration kUsageEvery =
    std::chrono::seconds{10};  // a report that only counts tokens

class TaskRuns {
 public:
  TaskRuns(store::Disk& disk, perceive::Headless::ZoneOf zone_of)
      : disk_(disk), zone_of_(std::move(zone_of)) {}

  // The terminals, of which those with an interface become text (screen_text.h).
  using ScreenOf = std::function<const term::Screen*(SessionId)>;
  void read_from(ScreenOf screen_of) { screen_of_ = std::move(screen_of); }

  // A terminal for a task; `earlier` is what it printed and output.log may lack, ending at `at`.
  void opened(const Clock& now, const model::Agent& agent, SessionId session,
              std::string_view earlier = {}, Offset at = {});
  void output(const Clock& now, SessionId session, Offset offset, std::string_view bytes);
  // The last byte came.
  void ended(const Clock& now, SessionId session);
  void forget(SessionId session) { runs_.erase(session); }
  bool has(SessionId session) const { return runs_.contains(session); }
  // Reports that say something new.
  std::vector<TaskSpoke> take(const Clock& now);
  // output.log to disk, before the terminal's bytes are let go.
  Done flush(SessionId session);
  policy::Signs signs(SessionId session) const;
  // Runs that have been silent for a while: the kernel may know that they work all the same (a long answer, a long tool).
  std::vector<SessionId> to_look_at(MonoTime now);
  void facts(const Clock& now, SessionId session, const model::Facts& facts);
  // It was said of this run that it asks, or what else stands on its terminal (plain_sight.h); true once: it printed since.
  void shows(const Clock& now, SessionId session, bool asks);
  bool goes_on(SessionId session);
  // A program without records that has said nothing since the last look but one.
  bool silent(SessionId session) const;
  std::optional<MonoTime> wake_at() const;
  // Nobody was there, or the clock was set: that is no silence.
  void skip(Duration gap);

 private:
  struct Used {
    MonoTime at;
    double cpu_s = 0;
    std::optional<model::Effort> effort = {};
  };
  struct Run {
    store::TaskLog log;
    perceive::Headless reader;
    Offset seen = {};       // by the reader
    std::string text = {};  // for output.log
    Duration look_every{};
    MonoTime look_at = {};          // unless it says something before
    std::optional<Used> used = {};  // at the last look
    bool plain = false;             // it has no records
    bool interface = false;         // … and a screen in their place
    std::string picture = {};       // on its alternate screen, which is gone when it ends
    bool over = false;              // its last byte came
    bool shown = false;             // something was said of its terminal
    bool printed = false;           // … and it printed since
    std::string dir = {};
    std::string result = {};  // as its file has it
    bool bounded = false;     // every word of what it used counts at once
    WallTime launched = {};
    std::optional<WallTime> wrote = {}, idle = {}, asked = {};  // policy::Signs
    model::TaskReport told = {};
    std::string told_id = {};
    std::optional<MonoTime> told_at = {};
  };
  static bool news(const Run& run, MonoTime now);
  Done flush_screen(SessionId session, Run& run);
  static bool worked(const Used& before, const Used& now, bool plain);

  store::Disk& disk_;
  perceive::Headless::ZoneOf zone_of_;
  ScreenOf screen_of_;
  std::unordered_map<SessionId, Run> runs_;
  std::set<SessionId> touched_;  // something came since they were looked at
};

}  // namespace pawl::core
