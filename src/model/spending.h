#pragma once
// What an agent has used: tokens and money, of one day and in all. A part of the fold: it outlives the daemon, and how far each
// file was counted is in the same fact as what was counted, so that nothing counts twice. Days are those of UTC.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "model/spec.h"

namespace pawl::model {

struct Usage {
  int64_t input = 0, output = 0, cache_read = 0, cache_write = 0;
  int64_t cache_hour = 0;  // the part of cache_write that is kept for an hour, which costs more
  int64_t context() const { return input + cache_read + cache_write; }
  int64_t all() const { return context() + output; }
  bool operator==(const Usage&) const = default;
};

// A message that may be written again, with a larger count.
struct Counted {
  std::string id;
  Usage usage;
  bool operator==(const Counted&) const = default;
};

// How far a file of a conversation was counted.
struct Mark {
  std::string file;                 // empty: it came from no file
  uint64_t offset = 0;              // the next byte
  std::string model;                // the last one named, where messages do not say it themselves
  std::vector<Counted> last;        // the newest last
  std::optional<WallTime> at = {};  // of the fact it came with
  bool operator==(const Mark&) const = default;
};
inline constexpr size_t kCountedKept = 4;
inline constexpr size_t kMarksKept = 64;

// Something was used.
struct Spent {
  std::string day;  // "2026-11-16"
  int64_t tokens = 0;
  std::optional<double> cost_usd = {};  // none: not known
  Mark mark = {};
  bool operator==(const Spent&) const = default;
};
Json to_json(const Spent& spent);
Spent spent_from(const Json& json);

struct Spending {
  std::string day;     // the last one on which something was used; empty: nothing was yet
  int64_t tokens = 0;  // … on that day
  std::optional<double> cost_usd;
  int64_t all_tokens = 0;
  double all_cost_usd = 0;
  bool told_soft = false, told_hard = false, told_unpriced = false;  // a person, on that day
  std::vector<Mark> marks;                                           // the newest last
  std::optional<WallTime> forgotten;  // the newest one of those that are not kept any more
  bool operator==(const Spending&) const = default;
};
Json to_json(const Spending& spending);
Spending spending_from(const Json& json);

std::string day_of(WallTime time);
WallTime next_day(WallTime time);

void spend(Spending& spending, const Spent& spent, WallTime at);
// The rule of budgets decided something; `how` is what a person is told of: soft, hard, unpriced.
void told_of_budget(Spending& spending, BudgetMark mark);
const Mark* mark_of(const Spending& spending, const std::string& file);

struct Today {
  int64_t tokens = 0;
  std::optional<double> cost_usd;  // none: not known
};
Today today(const Spending& spending, WallTime now);
// How much of the budget that is: 1 is all of it, 0 when there is none.
double used_of(const Budget& budget, const Today& today);

}  // namespace pawl::model
