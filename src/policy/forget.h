#pragma once
// Keeping and forgetting: what of the past goes, by age, by count, and because all of it together is too much. Pure: the engine asks
// it with what a look at the disk found and with the journal's rows of finished tasks (core/parts/forgetting.h).
//
// Kept in any case: what is in use, tasks that are not over (they are no rows), and an unread result until people were told and a
// day passed (less, where unread results are kept for less).
//
// When all together is more than total_mb: recordings of finished tasks go first, then read tasks, then the archive, then recordings
// of agents that do not run, and last unread results; of each the oldest first.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/retention.h"

namespace pawl::policy {

inline constexpr Duration kWordBefore = std::chrono::hours{24};
inline constexpr size_t kNamesTold = 5;  // of unread results, in one alert

struct ToForget {
  const model::Retention& keep;
  const model::Holdings& held;
  const std::vector<model::TaskRow>& finished;  // the oldest first
  const std::set<std::string>& in_use;          // agents that run, or are about to
  const std::set<std::string>& of_fleet;        // folders in tasks/ of tasks that are not rows
  std::optional<model::LastWord> told = {};
  WallTime now = {};
};

// Unread results that are to go; nobody was told yet.
struct ToTell {
  model::Bound why = model::Bound::age;
  WallTime upto = {};     // the newest of them was over then
  WallTime goes_at = {};  // not before
  size_t count = 0;
  uint64_t bytes = 0;
  std::vector<std::string> tasks = {}, agents = {};  // the first of them
};

struct Forgetting {
  std::vector<model::Going> going = {};
  std::optional<ToTell> tell = {};
};
Forgetting to_forget(const ToForget& ask);

// How long before an unread result goes people are told.
Duration word_before(const model::Retention& keep);
// How often it is worth to look: every hour, sooner where something is kept for less than two.
Duration look_every(const model::Retention& keep);
// "3 unread task results will be removed in 24h: fix-login, docs, …"
std::string text_of(const ToTell& word, WallTime now);

}  // namespace pawl::policy
