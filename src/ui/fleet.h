#pragma once
// The agents as a list shows them: what `ls` and `show` answer as values, in the order a person wants. Pure.

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/json.h"

namespace pawl::ui {

struct Agent {
  std::string machine;  // empty: this one
  std::string name, state, kind, because, dir, runtime;
  std::string trouble;  // why it is parked or quarantined
  WallTime since{};
  bool paused = false;
  int64_t background = 0, queued = 0, inbox = 0;

  // As every verb takes it: "gpu/docs".
  std::string id() const { return machine.empty() ? name : machine + "/" + name; }
  bool operator==(const Agent&) const = default;
};

// What `ls` is to be asked for, so that a thousand of them are soon told.
Json list_fields();
Agent agent_from(const Json& row);

// 0 needs a person first; what works by itself is last but what is over.
int urgency(const Agent& agent);
// "waiting:permission", "ready (2 jobs)", "parked"
std::string state_text(const Agent& agent);
// "(paused) (2 queued) the reason"
std::string why_text(const Agent& agent);
// "12s", "8m", "3h", "2d": changes as seldom as it can.
std::string age_text(Duration age);
// … and when it changes next.
Duration age_lasts(Duration age);

enum class Order { urgency, name, folder, machine };
std::string_view word(Order order);
Order after(Order order);

class Fleet {
 public:
  // The answer of `ls`: all of it, or those of `names` alone; one of them that is not in it is gone.
  void take(const Json& list);
  void take(const Json& list, const std::set<std::string>& names);

  const Agent* find(const std::string& id) const;
  size_t size() const { return agents_.size(); }
  const std::map<std::string, Agent>& all() const { return agents_; }
  // The ids that pass the filter: part of a name, or one of `found` (by their screens).
  std::vector<std::string> ordered(Order order, std::string_view filter,
                                   const std::set<std::string>& found) const;
  // "12 agents: 2 waiting, 1 crashed", those that need somebody first.
  std::string summary() const;
  const std::vector<std::string>& unreached() const { return unreached_; }

 private:
  void add(const Json& list, const std::set<std::string>* names);

  std::map<std::string, Agent> agents_;
  std::vector<std::string> unreached_;  // machines
};

}  // namespace pawl::ui
