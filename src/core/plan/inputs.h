#pragma once
// What follows from each kind of input. One function a kind, each in the file of its family; Supervisor::plan() visits them all, so
// that a forgotten one does not compile. They read the fleet through the builder and write nothing but its plan.

#include "core/input.h"
#include "core/plan/plan_builder.h"

namespace pawl::core::plan {

// lives.cpp: an agent is declared, started, stopped, removed by somebody.
void follow(PlanBuilder& to, const RunAsked& ask);
void follow(PlanBuilder& to, const RegisterAsked& ask);
void follow(PlanBuilder& to, const AdoptAsked& ask);
void follow(PlanBuilder& to, const ReleaseAsked& ask);
void follow(PlanBuilder& to, const StartAsked& ask);
void follow(PlanBuilder& to, const StopAsked& ask);
void follow(PlanBuilder& to, const RestartAsked& ask);
void follow(PlanBuilder& to, const RemoveAsked& ask);
void follow(PlanBuilder& to, const WriteAsked& ask);
void follow(PlanBuilder& to, const PauseAsked& ask);
void follow(PlanBuilder& to, const Reconfigure& ask);

// programs.cpp: what happens to a program and its terminal by itself.
void follow(PlanBuilder& to, const TerminalOpened& seen);
void follow(PlanBuilder& to, const TerminalFailed& seen);
void follow(PlanBuilder& to, const TerminalNoted& seen);
void follow(PlanBuilder& to, const ProgramEnded& seen);
void follow(PlanBuilder& to, const WriteLost& seen);
void follow(PlanBuilder& to, const Recovered& seen);
void follow(PlanBuilder& to, const Tick& tick);

// seen.cpp: what is noticed, and only written down.
void follow(PlanBuilder& to, const Perceived& seen);
void follow(PlanBuilder& to, const RequestSeen& seen);
void follow(PlanBuilder& to, const HumanTyped& seen);
void follow(PlanBuilder& to, const ConversationTold& seen);
void follow(PlanBuilder& to, const UsageSeen& seen);
void follow(PlanBuilder& to, const StartPrepared& seen);
void follow(PlanBuilder& to, const Noted& seen);
void follow(PlanBuilder& to, const Slept& seen);
void follow(PlanBuilder& to, const TurnWithoutEnd& seen);
void follow(PlanBuilder& to, const JournalRefused& seen);

// texts.cpp: text and keys on their way to an agent.
void follow(PlanBuilder& to, const SendAsked& ask);
void follow(PlanBuilder& to, const DropAsked& ask);
void follow(PlanBuilder& to, const DeliveryDue& due);
void follow(PlanBuilder& to, const AnswerAsked& ask);
void follow(PlanBuilder& to, const KeepAnswer& ask);
void follow(PlanBuilder& to, const Delivered& seen);

// tasks.cpp
void follow(PlanBuilder& to, const TaskAsked& ask);
void follow(PlanBuilder& to, const TaskSpoke& said);
void follow(PlanBuilder& to, const GoOnAsked& ask);
void follow(PlanBuilder& to, const CancelAsked& ask);
void follow(PlanBuilder& to, const ResultRead& seen);
void follow(PlanBuilder& to, const FileTask& seen);
void follow(PlanBuilder& to, const TaskWanted& ask);
void follow(PlanBuilder& to, const ForgetTasks& ask);

// leases.cpp
void follow(PlanBuilder& to, const LeaseSeen& seen);

// accounts.cpp
void follow(PlanBuilder& to, const AccountHeard& heard);

// moves.cpp: to another machine, and from one
void follow(PlanBuilder& to, const MoveAsked& ask);
void follow(PlanBuilder& to, const Arrived& ask);

// retention.cpp
void follow(PlanBuilder& to, const ForgetAsked& ask);
void follow(PlanBuilder& to, const ForgetTold& told);

// rule_acts.cpp: what policy/ wants, and what it works with.
void follow(PlanBuilder& to, const RulesDue& due);
void follow(PlanBuilder& to, const WorkFound& found);
void follow(PlanBuilder& to, const WorkVanished& seen);
void follow(PlanBuilder& to, const StopHeld& ask);
void follow(PlanBuilder& to, const CommandEnded& seen);

}  // namespace pawl::core::plan
