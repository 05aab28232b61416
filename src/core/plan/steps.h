#pragma once
// What several families of inputs lead to.

#include "core/input.h"
#include "core/plan/plan_builder.h"
#include "policy/situation.h"

namespace pawl::core::plan {

// texts.cpp
// What is on its way is cut off by something else that happens to the agent: nobody will see its outcome.
void cut_off(PlanBuilder& to, const Agent& agent, const std::string& why);
void cut_off(PlanBuilder& to, const Agent& agent, const std::string& why, bool unsent);
// The key that chooses this row of its dialog; empty: it is gone to with the arrow keys.
std::string key_of(const Agent& agent, const std::string& row);
// What waits in its outbox will not be typed for now: whoever waits for that is told.
void dismiss(PlanBuilder& to, const Agent& agent, const std::string& why);
// A text of ours is in its box, and stays there: a person is told.
void tell_own_text(PlanBuilder& to, const Agent& agent);
// An earlier life of the daemon began it: look at what became of it.
void take_up(PlanBuilder& to, const Agent& agent);

// lives.cpp
// The agent, when it exists and nothing is under way with it but a text that is being typed: that is not waited for.
const Agent* interrupted(PlanBuilder& to, RequestId request, const std::string& name,
                         const char* why);
void remove(PlanBuilder& to, const std::string& name);

// leases.cpp
// Tasks of the fleet that a daemon before us had: how long it is waited for somebody to confirm their leases.
void recover_leases(PlanBuilder& to, const Recovered& seen);
// Its program has ended to be started again, and there is no time left for that. How it ended says nothing of its task.
void give_up_restart(PlanBuilder& to, const Agent& agent, const model::Ending& how,
                     const std::string& gap);
// What is due about leases now.
void follow_leases(PlanBuilder& to);

// tasks.cpp
// A rule, or a person, ends the task: its program first, if there still is one.
void end_task(PlanBuilder& to, const Agent& agent, const model::Decided& fact,
              RequestId request = {});
// Nothing is left to do about an intent that ends a task, or stopped its program.
// `how` its program ended, when that is known.
void task_over(PlanBuilder& to, const Agent& agent, const model::Intent& intent,
               const std::optional<model::Ending>& how);

}  // namespace pawl::core::plan
