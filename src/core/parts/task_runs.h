#pragma once
// The runs of tasks as they happen: what they print becomes output.log and a report, and their folders are kept as the journal
// has them. Owned by the engine, which calls in here with everything that happens to a terminal.

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

namespace pawl::core {

inline constexpr double kWorking = 0.01;  // of a processor: less is waiting
inline constexpr Duration kUsageEvery =
    std::chrono::seconds{10};  // a report that only counts tokens

class TaskRuns {
 public:
  TaskRuns(store::Disk& disk, perceive::Headless::ZoneOf zone_of)
      : disk_(disk), zone_of_(std::move(zone_of)) {}

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
  std::optional<MonoTime> wake_at() const;
  // Nobody was there, or the clock was set: that is no silence.
  void skip(Duration gap);

 private:
  struct Run {
    store::TaskLog log;
    perceive::Headless reader;
    Offset seen = {};       // by the reader
    std::string text = {};  // for output.log
    Duration look_every{};
    MonoTime look_at = {};                                 // unless it says something before
    std::optional<std::pair<MonoTime, double>> used = {};  // of the processor, at the last look
    std::string dir = {};
    std::string result = {};  // as its file has it
    bool bounded = false;     // every word of what it used counts at once
    WallTime launched = {};
    std::optional<WallTime> wrote = {};
    model::TaskReport told = {};
    std::string told_id = {};
    std::optional<MonoTime> told_at = {};
  };
  static bool news(const Run& run, MonoTime now);

  store::Disk& disk_;
  perceive::Headless::ZoneOf zone_of_;
  std::unordered_map<SessionId, Run> runs_;
  std::set<SessionId> touched_;  // something came since they were looked at
};

}  // namespace pawl::core
