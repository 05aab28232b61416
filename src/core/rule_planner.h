#pragma once
// What the rules (policy/) want becomes decisions and effects, and what halts or feeds them is written down.

#include "core/task_planner.h"
#include "policy/decide.h"

namespace pawl::core {

// What the rules see of an agent.
policy::Situation situation_of(WallTime now, const Agent& agent, const model::Fleet& fleet,
                               const RulesDue& due);

class RulePlanner : public TaskPlanner {
 public:
  using TaskPlanner::TaskPlanner;
  using TaskPlanner::operator();

  void operator()(const RulesDue& due);
  void operator()(const KeepAnswer& ask);
  void operator()(const PauseAsked& ask);
  void operator()(const Reconfigure& ask);
  void operator()(const StartPrepared& seen);
  void operator()(const Noted& seen);
  void operator()(const WorkFound& found);
  void operator()(const StopHeld& ask);
  void operator()(const WorkVanished& seen);
  void operator()(const CommandEnded& seen);
  void operator()(const Slept& seen);
  void operator()(const UsageSeen& seen);

 private:
  bool turn_done(const Agent& agent) const;
  void carry_out(const Agent& agent, const RulesDue& due, const policy::Decision& decision);
  void do_it(const Agent& agent, const model::Decided& fact);
  void tell_person(const Agent& agent, const RulesDue& due, const policy::Choice& choice);
};

}  // namespace pawl::core
