#pragma once
// One function per rule, each with its own file. Nothing: it is no business of this rule.

#include "policy/situation.h"

namespace pawl::policy {

using Claim = std::optional<Choice>;

// Gates: as long as one holds, nothing is done.
Claim not_there(const Situation& s);    // never started, or something is under way with it
Claim own_text(const Situation& s);     // of Pawl's, in its box: before the others, it was us
Claim paused(const Situation& s);       // by an operator, a PAUSE file, or its mode
Claim quarantined(const Situation& s);  // by the turn that it kept from its end
Claim parked(const Situation& s);       // by a rule that gave up
Claim human(const Situation& s);        // a person typed a moment ago (W8)
Claim mode(const Situation& s);         // what is typed would be no prompt
Claim background(const Situation& s);   // shells run behind its prompt, and are to end first

Claim task(const Situation& s);  // R8 to R13: it is there for one, and that is all it is there for
Claim budget(const Situation& s);    // X12: what a day may cost
Claim work(const Situation& s);      // it was assigned something (W9): before the human gate
Claim dialog(const Situation& s);    // W10
Claim limit(const Situation& s);     // X1
Claim account(const Situation& s);   // … of another agent that pays from the same account
Claim trouble(const Situation& s);   // credentials, credit, context
Claim loop(const Situation& s);      // O1 to O9: the next session of an agent that lives for months
Claim restart(const Situation& s);   // A4 to A15
Claim begin(const Situation& s);     // A14: what it is there for, when it was just started
Claim stuck(const Situation& s);     // C6
Claim outbox(const Situation& s);    // a text waits: nothing else is said to it
Claim patience(const Situation& s);  // X15: a state that does not pass
Claim outage(const Situation& s);    // X10: the service does not answer
Claim nudge(const Situation& s);     // W4 to W6, W11

// "alice assigned t1 to it"
// What a turn that is about to end may go on with at once; null: it may end.
const model::Work* next_at_stop(const Agent& agent);
std::string assigned(const model::Work& work);
// Tells a person, once for each matter; after that nothing is left to do.
Choice tell(const Situation& s, const std::string& matter, std::string because, std::string todo,
            Action action = Action::escalate);
// What it has used, when that is all it may use today.
std::optional<std::string> over_budget(const Situation& s);
// A task's time will end then, whatever is waited for; nothing: it has no task, or that is over.
std::optional<WallTime> task_ends(const Situation& s);
// What its run told of its own end; nothing: it did not tell (yet), or its account or service ended it.
struct TaskResult {
  model::TaskStatus status;
  std::string reason;
};
std::optional<TaskResult> task_result(const model::Task& task);
// It ended and may not be started again now: it crashed too often, or it is too soon (A6, A8, A15).
Claim held_up(const Situation& s);
// It runs and may not be restarted now: rules did so too often within a while, and it is parked, or a moment ago (A6, A15). Every rule
// that ends a program to start it again asks this. `what` it did so often: "was stuck".
Claim enough_restarts(const Situation& s, const char* what);
std::string how_it_ended(const Agent& agent);
// It was to go on with its conversation, and ended before its interface was there. One that a reboot took down proves nothing.
bool resumed_in_vain(const Agent& agent);
// May its program be ended and started again by a rule? Not in a pane of somebody's.
bool replaceable(const Situation& s);
// A text may be typed now: it goes before everything a rule would type.
bool text_goes(const Situation& s);
// How often this matter was dealt with already.
int tries_at(const Situation& s, const std::string& matter);

}  // namespace pawl::policy
