// An agent goes to another machine with its conversation, or comes from one.

#include "core/plan/inputs.h"
#include "core/plan/steps.h"
#include "store/environment.h"

namespace pawl::core::plan {
namespace {

using model::MoveStep;

// Why it cannot leave; empty: it can.
std::string bound_here(const Agent& agent) {
  const std::string name = quoted(agent.spec.name);
  if (agent.away()) return away_text(agent);
  if (agent.task) return name + " is a task's";
  if (agent.spec.adopted()) return name + " was adopted: its pane is not Pawl's";
  if (!agent.running()) return name + " is not running";
  if (agent.session_id.empty()) return "it is not known which conversation " + name + " is in";
  if (agent.state == State::typing) return name + " has an unsent text in its box";
  return {};
}

void leave(PlanBuilder& to, const MoveAsked& ask) {
  const Agent* agent = to.wanted(ask.request, ask.agent);
  if (!agent) return;
  if (const std::string why = bound_here(*agent); !why.empty())
    return to.refuse(ask.request, why, "it was left as it is");
  to.emit(ask.agent, ask.step);
  to.end_program(*agent, {Action::stop, "it moves to " + ask.step.machine, 1}, ask.request);
}

// It is ours again. What runs is left running: its end had been asked for, and it had not heard that.
void come_back(PlanBuilder& to, const MoveAsked& ask, const Agent& agent) {
  if (agent.intent) return to.refuse_busy(ask.request, agent);
  to.emit(ask.agent, ask.step);
  to.emit(ask.agent, model::Alerted{Severity::warning,
                                    fmt::format("it was not moved to {}: {}; it goes on here",
                                                ask.step.machine, ask.step.because),
                                    "move", "", ""});
  if (agent.running()) return to.answer(ask.request, {});
  to.start(ask.agent,
           {.action = Action::start,
            .because = "its move to " + ask.step.machine + " came to nothing",
            .how = std::string(word(Launch::resume))},
           ask.request);
}

// Whom it would take the place of; null: nobody.
const Agent* in_its_place(PlanBuilder& to, const Arrived& ask) {
  for (const auto& [name, agent] : to.fleet.agents) {
    const bool left = agent.move && agent.move->step == MoveStep::gone;
    if (name == ask.spec.name && !(left && agent.session_id == ask.session_id)) return &agent;
    if (agent.session_id == ask.session_id && !left) return &agent;
  }
  return nullptr;
}

}  // namespace

void follow(PlanBuilder& to, const MoveAsked& ask) {
  if (ask.step.step == MoveStep::leaving) return leave(to, ask);
  const Agent* agent = to.find(ask.agent);
  if (!agent) return to.refuse_unknown(ask.request, ask.agent);
  if (!agent->away() || agent->move->move != ask.step.move || agent->move->step == MoveStep::gone)
    return to.refuse(ask.request, quoted(ask.agent) + " is not on its way any more",
                     "pawl why " + ask.agent);
  if (ask.step.step == MoveStep::back) return come_back(to, ask, *agent);
  if (agent->running() || agent->intent) return to.refuse_busy(ask.request, *agent);
  to.emit(ask.agent, ask.step);
  to.answer(ask.request, {});
}

void follow(PlanBuilder& to, const Arrived& ask) {
  const std::string& name = ask.spec.name;
  if (const Agent* other = in_its_place(to, ask))
    return to.refuse(ask.request,
                     other->spec.name == name
                         ? "an agent named " + quoted(name) + " is there already"
                         : quoted(other->spec.name) + " has that conversation already",
                     "give it another name there: pawl move AGENT MACHINE/NAME");
  to.registered(ask.spec, "an operator");
  to.effect(SaveEnvironment{name, store::selected_environment(ask.spec, ask.environment)});
  to.emit(name, model::Learned{ask.session_id, ask.transcript, false});
  to.emit(name, ask.step);
  if (ask.paused) to.emit(name, model::Paused{true, "as it was on " + ask.step.machine});
  to.start(name,
           {.action = Action::start,
            .because = "it came from " + ask.step.machine,
            .how = std::string(word(Launch::resume))},
           ask.request);
}

}  // namespace pawl::core::plan
