#pragma once
// Work that an agent is to do: what waits, what it has, and what has woken it before (O11). One piece at a time; it is done when
// the turn that got it came to its end, and waits again when the agent did not live that long.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json.h"

namespace pawl::model {

struct Work {
  std::string name, from;
  int priority = 0;     // 1 high, -1 low
  bool again = false;   // it may have been seen before
  bool called = false;  // a session began while it waited: it starts no other one by itself
  bool operator==(const Work&) const = default;
};

struct Given {
  Work work;
  WallTime at;
  bool taken = false;  // a turn began with it
  bool operator==(const Given&) const = default;
};

inline constexpr size_t kWorkKept = 1000;     // waiting; more is told of when these are done
inline constexpr size_t kLedgerKept = 20000;  // items that woke somebody once

struct Desk {
  std::vector<Work> waiting;  // the next one first
  std::optional<Given> given;
  std::map<std::string, std::string> ledger;  // name -> "mtime:size" that woke it
  bool operator==(const Desk&) const = default;
};

// The trouble with giving it to somebody.
inline std::string work_matter(const std::string& name) {
  return "work " + name;
}
// When a turn that was not seen to come to its end counts as over, of an agent at rest: sooner when more waits.
Duration turn_unseen(const Desk& desk);
// It is new, or was changed since it woke the agent, and there is room for it.
bool is_news(const Desk& desk, const std::string& name, const std::string& fingerprint);
// True when it was news.
bool take_in(Desk& desk, const Work& work, const std::string& fingerprint);
// It is not there any more: when something of that name comes, it is new.
void forget(Desk& desk, const std::string& name);
void give(Desk& desk, const std::string& name, WallTime at);
// A session begins. True: nothing waits but what an earlier session left.
bool call(Desk& desk);
// The first of those that no session began for; null: there is none.
const Work* uncalled(const Desk& desk);
// What it was given is done with, or waits again.
void settle(Desk& desk, bool done, bool again);

Json to_json(const Desk& desk);
Desk desk_from(const Json& json);

}  // namespace pawl::model
