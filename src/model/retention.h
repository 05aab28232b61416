#pragma once
// Keeping and forgetting: how much of the past PAWL_HOME keeps, what it holds of it, and what is to go. Values only: what is there is
// found by store/survey.h, what goes is decided by policy/forget.h, and core/parts/forgetting.h sees to it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace pawl::model {

// [retention] of pawl.toml. Of tasks, the archive and the total, 0 is: no limit.
struct Retention {
  double events_days = 90;
  int64_t events_max = 2'000'000;
  double recordings_days = 30;
  int64_t recordings_mb = 512;  // per agent
  double tasks_days = 30;       // finished tasks whose result somebody has had
  int64_t tasks_max = 20'000;   // finished tasks
  double unread_days = 90;      // … whose result nobody has had; never less than tasks_days
  double archive_days = 90;
  int64_t archive_mb = 0;
  int64_t total_mb = 0;  // recordings, task folders and archive together
  bool operator==(const Retention&) const = default;
};

// Something in PAWL_HOME that may be forgotten.
struct Held {
  std::string agent;  // its folder in agents/ or archive/; of a task's folder none
  std::string
      name;  // "fix.Xa12bC" in tasks/; "0000000007-0001.cast" in rec/; the archived conversation's id
  uint64_t bytes = 0;
  WallTime changed = {};
  bool operator==(const Held&) const = default;
};
struct Holdings {
  std::vector<Held> tasks, recordings, archive;
  bool elsewhere = false;  // the folder of the tasks is a link: they are left alone
};

// How much that is.
struct HeldBytes {
  uint64_t tasks = 0, recordings = 0, archive = 0;
  uint64_t total() const { return tasks + recordings + archive; }
};
HeldBytes bytes_of(const Holdings& holdings);
// "1.2 GB"
std::string bytes_text(uint64_t bytes);

// A finished task, as the journal's table of them has it (store/filed_tasks.h).
struct TaskRow {
  std::string agent, task;
  std::string folder;  // its name in tasks/
  WallTime over = {};
  bool read = false;     // somebody has had the result
  std::string dir = {};  // the folder, whole
  std::string worktree = {};
  bool operator==(const TaskRow&) const = default;
};

// What is forgotten, and because of which limit.
enum class Forget { tasks, recordings, archive, folders };  // folders: of tasks that nobody knows
enum class Bound { age, count, total };
std::string_view word(Forget what);
std::optional<Forget> forget_from(std::string_view text);
std::string_view word(Bound why);
std::optional<Bound> bound_from(std::string_view text);

// One thing that goes.
struct Going {
  Forget what = Forget::tasks;
  Bound why = Bound::age;
  Held held;          // of a task: its agent, and its folder in tasks/
  TaskRow task = {};  // … as it was when this was decided
  bool operator==(const Going&) const = default;
};

// People are told before unread results go: those that were over at `upto` or before, when they are not read by then.
struct LastWord {
  WallTime told = {};
  WallTime upto = {};
  bool operator==(const LastWord&) const = default;
};

}  // namespace pawl::model
