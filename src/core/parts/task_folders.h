#pragma once
// The folders of tasks, kept as the journal has them, and what is let go when a task is over. Their runs are in task_runs.h.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/parts/ground.h"
#include "core/parts/task_runs.h"
#include "core/plan/plan.h"

namespace pawl::core {

inline constexpr Duration kLetGoAfter =
    std::chrono::seconds{1};  // a task is over: who looks on has seen its last screen

inline constexpr Duration kFoldersLooked = std::chrono::minutes{1};

class TaskFolders {
 public:
  explicit TaskFolders(const Ground& ground)
      : ground_(ground), runs_(ground.files.disk(), ground.options.zone_of) {}

  TaskRuns& runs() { return runs_; }
  const TaskRuns& runs() const { return runs_; }

  // What it printed and output.log does not have: it is in the recording, up to `end`.
  void take_over(const Clock& now, const model::Agent& agent, Offset end);
  // Runs whose terminal is gone (a reboot, a killed holder): what was recorded of them is heard to its end, which may be a result.
  // Tasks whose folder may not be as the journal has it are written again. `open`: has this session a terminal?
  void recover(const Clock& now, const std::function<bool(SessionId)>& open);

  void written(const Clock& now, const std::vector<model::Event>& events);
  // Tasks that are not over, or whose end is not in their folder yet, and somebody removed it: nothing is saved before it is there again.
  std::vector<std::string> lost(const Clock& now) const;
  // It cannot be made again. True once, until it is there.
  bool stays_lost(const std::string& agent) { return told_lost_.insert(agent).second; }
  void found_again(const std::string& agent) { told_lost_.erase(agent); }
  // Whether one was removed into which nothing is written: that of a paused task, or of a silent one.
  void look(MonoTime now);
  // What is in its folder is written from the journal; what cannot be written now is written later, and `done` only after all the
  // rest.
  void save(const Clock& now);
  // Tasks to be let go now, unless `closing` says that their last bytes are not on disk yet.
  std::vector<std::string> let_go(const Clock& now,
                                  const std::function<bool(const std::string&)>& closing);
  // One that could not be filed.
  void let_go_later(MonoTime now, const std::string& agent) { going_[agent] = now + kRetryEvery; }
  // Tasks that are over since the last call.
  void finished(const model::Agent& agent);
  std::vector<OverTask> take_finished() { return std::exchange(finished_, {}); }
  // The file `resume` in a task's folder: at once when nothing is under way, else when its program ends.
  void look_for_resume(const std::string& agent, Inputs& out) const;

  std::optional<MonoTime> wake_at() const;
  // A folder could not be written; nothing when all is well.
  const std::optional<Error>& trouble() const { return trouble_; }

 private:
  bool lost(const model::Agent& agent) const;

  Ground ground_;
  TaskRuns runs_;
  std::set<std::string> to_save_;    // agents whose folder is not as the journal has it
  std::optional<MonoTime> save_at_;  // … and could not be written
  MonoTime looks_at_{};
  std::set<std::string> told_lost_;
  std::map<std::string, MonoTime> going_;  // tasks that are over, and when they are let go
  std::vector<OverTask> finished_;
  std::optional<Error> trouble_;
};

}  // namespace pawl::core
